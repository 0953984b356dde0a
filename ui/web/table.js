// What every page shows of the game: the card, the rule behind it, the pyramid, the players and the turns.
import { oneTile, pyramid } from "./tiles.js";
import { element, part, say } from "./words.js";

/** Show the card: what happened, and what must be done now. */
export function showCard(state) {
  const { card, names } = state;
  const place = part("card");
  place.dataset.tone = card.tone;
  const told = [element("h2", { text: card.headline })];
  if (card.step) told.push(element("p", { text: card.step, className: "quiet" }));
  for (const text of card.sentences) told.push(element("p", { text, className: "sentence" }));
  if (card.taken.length) {
    told.push(element("p", { className: "taken" }, ...card.taken.map((code) => oneTile(code, names[code]))));
  }
  if (card.payment) told.push(element("p", { text: card.payment, className: "payment" }));
  if (card.prompt) told.push(element("p", { text: card.prompt, className: "sentence" }));
  for (const text of [card.hint, card.later]) if (text) told.push(element("p", { text, className: "quiet" }));
  const before = place.textContent;
  const made = element("div", {}, ...told);
  // A screen reader tells what changed: nothing, where the same is told again.
  if (made.textContent !== before || !before) place.replaceChildren(...made.childNodes);
}

/** Show the rule behind the card, where a page has a place for it; it stays open while the game goes on. */
export function showWhy({ why, names }) {
  const place = part("why");
  if (!place) return;
  place.hidden = !why;
  if (!why) return;
  const told = [element("h3", { text: why.title })];
  if (why.tiles.length) {
    told.push(element("div", { className: "pyramid" }, pyramid(why.tiles, why.arrows, names, why.places)));
  }
  for (const text of why.said) told.push(element("p", { text }));
  told.push(element("p", { text: why.source, className: "quiet" }));
  place.querySelector("div").replaceChildren(...told);
}

export function showPyramid({ tiles, arrows, names }) {
  part("pyramid").replaceChildren(pyramid(tiles, arrows, names));
}

export function showPlayers({ players, me }) {
  part("players").replaceChildren(
    ...players.map((player, at) => {
      const dot = element("span", { className: "dot", attributes: { "aria-hidden": "true" } });
      dot.style.backgroundColor = player.colour;
      const name = element("strong", { text: player.name });
      const state = element("span", { text: player.winner ? say("wins") : player.state, className: "state" });
      const stock = element("span", { text: say("stock", { count: player.stock }), className: "stock" });
      const last = element("span", { text: player.last, className: "quiet" });
      const row = element("li", { className: player.turn ? "on-turn" : "" }, dot, name, state, stock, last);
      if (at === me) row.setAttribute("aria-current", "true");
      return row;
    }),
  );
}

export function showTurns({ turns }) {
  const place = part("turns");
  if (!place) return;
  place.replaceChildren(
    ...[...turns].reverse().map((turn) => {
      const heading = element("h3", { text: say("turn", { number: turn.number, player: turn.player }) });
      const said = turn.said.map((text) => element("p", { text }));
      return element("li", { className: turn.mayhem ? "mayhem" : "" }, heading, ...said);
    }),
  );
}
