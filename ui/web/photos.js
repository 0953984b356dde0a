// Single photos, where the browser does not give the camera to the page.
import { part, say, showStatus } from "./words.js";

const WIDE_PX = 2400;

part("photo").onchange = async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  showStatus(say("photo_sending"));
  const body = await smaller(file);
  try {
    const answer = await fetch("photo", { method: "POST", body });
    const { told } = await answer.json();
    showStatus(told, answer.ok ? "well" : "trouble");
    if (answer.ok) {
      URL.revokeObjectURL(part("shown").src);
      part("shown").src = URL.createObjectURL(body);
      part("shown").hidden = false;
    }
  } catch {
    showStatus(say("lost"), "trouble");
  }
  target.value = "";
};

/** Return a photo upright and no larger than is read, so that it is sent at once; as it is where that fails. */
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, WIDE_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9))) ?? file;
  } catch {
    return file;
  }
}
