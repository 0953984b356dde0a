// One connection to the computer that comes back by itself, and the screen kept awake.
import { language, say, showStatus } from "./words.js";

const FIRST_MS = 500;
const LAST_MS = 8000;
const ALIVE_MS = 8000;

/** Connect; `onTold` hears each message, `onOpen` each new connection. Returns how to send. */
export function connect(name, { onTold, onOpen = () => {} }) {
  let socket = null;
  let wait = FIRST_MS;
  let isOver = false;

  function open() {
    const address = new URL(name, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("lang", language);
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = FIRST_MS;
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (told.goodbye) {
        isOver = true;
        showStatus(told.goodbye, "trouble");
      }
      onTold(told);
    };
    socket.onclose = () => {
      if (isOver) {
        clearInterval(alive);
        return;
      }
      showStatus(say("lost"), "trouble");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LAST_MS);
    };
  }

  const alive = setInterval(() => send("{}"), ALIVE_MS);
  function send(data) {
    if (!isOver && socket.readyState === WebSocket.OPEN) {
      socket.send(data);
      return true;
    }
    return false;
  }
  open();
  return { send, isOpen: () => socket.readyState === WebSocket.OPEN };
}

/** Keep the screen awake, as long as the page is seen. */
export async function keepAwake() {
  if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // The phone saves its battery; the page works all the same.
  }
}
document.addEventListener("visibilitychange", () => void keepAwake());
