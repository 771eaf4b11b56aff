// Opens the sheet of keys: "?" is no key that Streamlit's buttons can have. And asks for the page anew where its theme has changed.
function isTyping(event) {
  const at = event.composedPath()[0];
  return at instanceof Element && at.matches("input, textarea, select, [contenteditable='true'], [role='combobox']");
}

// Streamlit calls the function again for new data or another theme, and what it returned only when the component goes: so what an
// earlier call has left listening is ended first. Without it a key acted twice: "?" opened the sheet and closed it.
const leaving = new WeakMap();
let told = ""; // the theme that the server was told last

// Streamlit's own parts follow the system's theme at once; what the server has drawn has the colours of the theme it was drawn for.
function theme() {
  const ground = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\d+/g) ?? [];
  return ground.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) < 384 ? "dark" : "light";
}

export default function ({ data, parentElement, setTriggerValue }) {
  leaving.get(parentElement)?.();
  const sheet = parentElement.querySelector("dialog");
  const toggle = () => (sheet.open ? sheet.close() : sheet.showModal());
  const onKey = (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    event.preventDefault();
    toggle();
  };
  const button = parentElement.querySelector(".open");
  button.onclick = toggle;
  sheet.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    sheet.close();
  };
  sheet.onclick = (event) => { if (event.target === sheet) sheet.close(); };
  document.addEventListener("keydown", onKey);
  const now = theme();
  if (now !== data.theme && now !== told) setTriggerValue("theme", now);
  told = now;
  button.hidden = false; // a key that is named on the screen works
  const leave = () => document.removeEventListener("keydown", onKey);
  leaving.set(parentElement, leave);
  return leave;
}
