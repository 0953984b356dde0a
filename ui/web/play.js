// A player's own page: what must be done now, what this player may choose, and the own tiles.
import { showEnding } from "./ending.js";
import { connect, keepAwake } from "./line.js";
import { oneTile } from "./tiles.js";
import { showCard, showPlayers, showPyramid, showWhy } from "./table.js";
import { element, part, say, showStatus } from "./words.js";

const player = new URLSearchParams(location.search).get("player");
const line = connect(`player?player=${player}`, { onTold });
let shown = null;
let wantsCheck = null;

function onTold({ state, told, goodbye }) {
  if (goodbye) part("choices").replaceChildren();
  if (told) showStatus(told);
  if (state === undefined) return;
  if (!told) showStatus("");
  shown = state;
  document.body.dataset.state = state ? "there" : "none";
  if (!state?.players) return;
  const me = state.players[state.me];
  if (!me) return;
  part("me").textContent = me.name;
  const own = say("your_stock", { count: me.stock });
  part("own").textContent = me.last ? `${own} · ${me.last}` : own;
  part("card").classList.toggle("mine", me.turn);
  document.title = me.turn && !state.over ? say("your_turn") : me.name;
  showCard(state);
  showWhy(state);
  showEnding(state);
  showPyramid(state);
  showPlayers(state);
  showChoices(state);
}

/** Show the choices that are this player's; calling for a check is asked for twice, and apart from them. */
function showChoices({ choices, names }) {
  const checks = choices.filter((each) => isCheck(each));
  const others = choices.filter((each) => !checks.includes(each));
  part("choices").replaceChildren(...others.map((each) => button(each, names)));
  if (!checks.some((each) => each.id === wantsCheck)) wantsCheck = null;
  part("check").replaceChildren(...checks.flatMap((each) => checkButtons(each, names)));
}

const isCheck = (choice) => choice.check;

function button({ id, label, code, quiet }, names) {
  const made = element("button", { className: `choice ${quiet ? "quiet" : "go"}`, attributes: { type: "button" } });
  if (code) made.append(oneTile(code, names[code] ?? code));
  made.append(element("span", { text: label }));
  made.onclick = () => choose(id);
  return made;
}

function checkButtons(choice, names) {
  if (wantsCheck !== choice.id) {
    const ask = button(choice, names);
    ask.onclick = () => {
      wantsCheck = choice.id;
      showChoices(shown);
      part("check").querySelector("button").focus();
    };
    return [ask];
  }
  const sure = element("p", { text: say("check_sure") });
  const yes = button({ ...choice, label: say("yes"), quiet: false }, names);
  const no = button({ ...choice, label: say("no") }, names);
  yes.onclick = () => {
    wantsCheck = null;
    choose(choice.id);
  };
  no.onclick = () => {
    wantsCheck = null;
    showChoices(shown);
  };
  return [sure, yes, no];
}

function choose(id) {
  if (!line.send(JSON.stringify({ choose: id }))) showStatus(say("lost"), "trouble");
}

void keepAwake();
