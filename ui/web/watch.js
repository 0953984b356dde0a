// Shows the game to those who watch; new states come as server-sent events.
import { showEnding } from "./ending.js";
import { showCard, showPlayers, showPyramid, showTurns, showWhy } from "./table.js";
import { language, say, showStatus } from "./words.js";

const events = new EventSource(`events?lang=${language}`);
const isOverlay = document.body.classList.contains("overlay");

events.onmessage = ({ data }) => {
  const state = JSON.parse(data);
  if (state?.goodbye) {
    events.close();
    if (!isOverlay) showStatus(state.goodbye, "trouble");
    return;
  }
  document.body.dataset.state = state ? "there" : "none";
  if (!state) {
    showStatus(isOverlay ? "" : say("connecting"));
    return;
  }
  showStatus("");
  showCard(state);
  showWhy(state);
  if (!isOverlay) showEnding(state);
  showPyramid(state);
  showPlayers(state);
  showTurns(state);
};
events.onerror = () => {
  if (!isOverlay) showStatus(say("lost"), "trouble");
};
