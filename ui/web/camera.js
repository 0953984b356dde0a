// The phone as the camera: takes pictures, and sends the newest whenever the computer has room for it.
import { connect, keepAwake } from "./line.js";
import { element, part, say, showStatus } from "./words.js";

const WIDE_PX = 1280;
const QUALITY = 0.85;
const PICTURES_A_SECOND = 20;
const MOST_ON_THE_WAY = 2;
const STUCK_MS = 3000;

const video = part("picture");
const canvas = document.createElement("canvas");
const pen = canvas.getContext("2d", { alpha: false });
let stream = null;
let line = null;
let onTheWay = 0;
let lastTaken = 0;
let timer = null;
let isMaking = false;
let isAsking = false;
const seen = { sent: 0, taken: 0 };
const tellsFrames = "requestVideoFrameCallback" in HTMLVideoElement.prototype;
let isFresh = !tellsFrames;
if (tellsFrames) awaitFrame();

part("start").onclick = () => void start();
part("cameras").onchange = () => void start(part("cameras").value);
part("torch").onclick = () => void light(part("torch").getAttribute("aria-pressed") !== "true");
part("zoom").oninput = () => void track()?.applyConstraints({ advanced: [{ zoom: Number(part("zoom").value) }] });

const track = () => stream?.getVideoTracks()[0];

async function start(device) {
  if (isAsking) return;
  isAsking = true;
  part("start").disabled = true;
  try {
    await begin(device);
  } finally {
    isAsking = false;
    part("start").disabled = false;
  }
}

async function begin(device) {
  stop();
  part("start").hidden = false;
  if (!navigator.mediaDevices?.getUserMedia) {
    showStatus(say("refused"), "trouble");
    return;
  }
  showStatus(say("asking"));
  const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, zoom: true }; // or zoom may not be offered
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...size } });
  } catch (error) {
    showStatus(say(whyNot(error)), "trouble");
    return;
  }
  track().onended = () => stopped("camera_stopped");
  track().onmute = () => showStatus(say("camera_muted"), "trouble");
  track().onunmute = () => showStatus(say("sending"), "well");
  video.srcObject = stream;
  await video.play();
  part("start").hidden = true;
  await offerControls();
  line ??= connect("pictures", { onTold, onOpen });
  if (line.isOpen()) onOpen();
  timer = setInterval(() => void sendPicture(), 1000 / PICTURES_A_SECOND);
  void keepAwake();
}

function whyNot({ name }) {
  if (name === "NotFoundError" || name === "OverconstrainedError") return "no_camera";
  return name === "NotReadableError" || name === "AbortError" ? "camera_busy" : "refused";
}

function stop() {
  clearInterval(timer);
  if (track()) track().onended = track().onmute = track().onunmute = null;
  stream?.getTracks().forEach((each) => each.stop());
  stream = null;
}

function stopped(why) {
  stop();
  part("start").hidden = false;
  showStatus(say(why), "trouble");
}

/** Offer what this camera can do. */
async function offerControls() {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  const now = track().getSettings().deviceId;
  part("cameras").replaceChildren(
    ...cameras.map(({ deviceId, label }, at) => {
      const option = element("option", { text: label || `${say("camera")} ${at + 1}` });
      option.value = deviceId;
      option.selected = deviceId === now;
      return option;
    }),
  );
  const can = track().getCapabilities?.() ?? {};
  part("cameras-of").hidden = cameras.length < 2;
  part("zoom-of").hidden = !can.zoom;
  if (can.zoom) {
    Object.assign(part("zoom"), { min: can.zoom.min, max: can.zoom.max, step: can.zoom.step || 0.1 });
    part("zoom").value = track().getSettings().zoom ?? can.zoom.min;
  }
  part("torch").hidden = !can.torch;
  part("torch").setAttribute("aria-pressed", "false");
  part("controls").hidden = cameras.length < 2 && !can.zoom && !can.torch;
}

async function light(isOn) {
  await track()?.applyConstraints({ advanced: [{ torch: isOn }] });
  part("torch").setAttribute("aria-pressed", String(isOn));
}

/** Learn of each new picture of the camera, so that none is sent twice. */
function awaitFrame() {
  video.requestVideoFrameCallback(() => {
    isFresh = true;
    awaitFrame();
  });
}

/** Send the picture as it is now, unless enough are on the way: the newest counts, and none waits in line. */
async function sendPicture() {
  if (onTheWay >= MOST_ON_THE_WAY && performance.now() - lastTaken < STUCK_MS) return;
  if (isMaking || !isFresh || document.hidden || !line || !video.videoWidth || track().muted) return;
  isMaking = true;
  isFresh = !tellsFrames;
  const scale = Math.min(1, WIDE_PX / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  pen.drawImage(video, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  isMaking = false;
  if (blob && line?.send(blob)) {
    onTheWay += 1;
    seen.sent += 1;
    if (onTheWay === 1) lastTaken = performance.now();
  }
}

function onOpen() {
  onTheWay = 0;
  showStatus(say("sending"), "well");
}

function onTold({ taken, advice, goodbye }) {
  if (taken !== undefined) {
    onTheWay = Math.max(0, onTheWay - 1);
    lastTaken = performance.now();
    seen.taken += 1;
    document.body.dataset.taken = seen.taken;
  }
  if (advice) part("advice").replaceChildren(...advice.map((text) => element("li", { text })));
  if (goodbye) {
    stop();
    line = null;
    part("start").hidden = false;
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !stream) return;
  showStatus(say("asleep"), "trouble");
  if (track()?.readyState === "live") setTimeout(() => showStatus(say("sending"), "well"), 4000);
  else stopped("camera_stopped");
});
