// How the game went: ranks, tiles over the turns, and what was notable.
import { shape } from "./tiles.js";
import { element, part, say } from "./words.js";

const [WIDE, HIGH, LEFT, RIGHT, EDGE] = [360, 200, 28, 96, 18];
const DASHES = ["", "8 4", "2 4", "8 4 2 4", "8 4 2 4 2 4", ""];

/** Show the result, once there is one. */
export function showEnding({ ending, players }) {
  const place = part("ending");
  place.hidden = !ending;
  document.body.classList.toggle("over", Boolean(ending));
  if (!ending) return;
  place.replaceChildren(
    ranks(ending, players),
    element("h2", { text: say("over_turns") }),
    chart(ending, players),
    element("h2", { text: say("notable") }),
    ...ending.remarks.map((text) => element("p", { text })),
  );
}

function ranks({ ranks, rounds }, players) {
  const many = rounds > 1;
  const names = ["left_over", "caused", "suffered", ...(many ? ["rounds_won"] : [])];
  const column = { attributes: { scope: "col" } };
  const heads = [
    element("th", column, element("span", { text: say("player"), className: "unseen" })),
    ...names.map((name) => element("th", { text: say(name), ...column })),
  ];
  const rows = ranks.map((rank) => {
    const dot = element("span", { className: "dot", attributes: { "aria-hidden": "true" } });
    dot.style.backgroundColor = players[rank.player].colour;
    const label = `${say("place", { place: rank.place })} ${players[rank.player].name}`;
    const name = element("th", { attributes: { scope: "row" } }, dot, element("span", { text: label }));
    const values = [rank.stock, rank.caused, rank.suffered, ...(many ? [rank.wins] : [])];
    return element("tr", {}, name, ...values.map((text) => element("td", { text })));
  });
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  );
}

/** Draw the tiles of every player over the turns; in words for screen readers. */
function chart({ stocks, stocks_told: told }, players) {
  const drawn = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": told });
  const most = Math.max(1, ...stocks.flat());
  const x = (turn) => LEFT + ((WIDE - LEFT - RIGHT) * turn) / Math.max(1, stocks.length - 1);
  const y = (count) => HIGH - EDGE - ((HIGH - 2 * EDGE) * count) / most;
  for (const count of [0, most / 2, most]) {
    drawn.append(shape("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(count), y2: y(count), class: "scale" }));
    drawn.append(shape("text", { x: LEFT - 5, y: y(count) + 4, "text-anchor": "end" }, String(Math.round(count))));
  }
  drawn.append(shape("text", { x: LEFT, y: HIGH - 3 }, "1"));
  drawn.append(shape("text", { x: WIDE - RIGHT, y: HIGH - 3, "text-anchor": "end" }, String(stocks.length - 1)));
  let lowest = HIGH;
  const last = stocks[stocks.length - 1];
  for (const at of players.map((_, at) => at).sort((one, other) => last[one] - last[other])) {
    const points = stocks.map((counts, turn) => `${x(turn).toFixed(1)},${y(counts[at]).toFixed(1)}`).join(" ");
    const line = { points, stroke: players[at].colour, "stroke-dasharray": DASHES[at % DASHES.length], class: "stock" };
    lowest = Math.min(y(last[at]), lowest - 15);
    drawn.append(
      shape("polyline", line),
      shape("text", { x: WIDE - RIGHT + 6, y: lowest + 4, class: "name" }, shortened(players[at].name)),
    );
  }
  return drawn;
}

function shortened(name) {
  return name.length > 13 ? `${name.slice(0, 12)}…` : name;
}
