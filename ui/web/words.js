// The words of the page, in its language, as the computer sent them.
const told = JSON.parse(document.body.dataset.words);

export const language = document.body.dataset.lang;

/** Return a sentence, its places filled. */
export function say(name, values = {}) {
  return told[name].replace(/\{(\w+)\}/g, (place, key) => values[key] ?? place);
}

/** Return a new element with text; what is written is text, never markup. */
export function element(kind, { text, className, attributes = {} } = {}, ...children) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const part = (id) => document.getElementById(id);

/** Show a sentence about the connection; none hides it. */
export function showStatus(text, tone = "") {
  const status = part("status");
  status.textContent = text;
  status.className = `status ${tone}`;
  status.hidden = !text;
}
