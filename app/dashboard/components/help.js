// Opens the sheet of keys. "?" is no key that Streamlit's buttons can have.
function isTyping(event) {
  const at = event.composedPath()[0];
  return at instanceof Element && at.matches("input, textarea, select, [contenteditable='true'], [role='combobox']");
}

export default function ({ parentElement }) {
  const sheet = parentElement.querySelector("dialog");
  const toggle = () => (sheet.open ? sheet.close() : sheet.showModal());
  const onKey = (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    event.preventDefault();
    toggle();
  };
  parentElement.querySelector(".open").onclick = toggle;
  sheet.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    sheet.close();
  };
  sheet.onclick = (event) => { if (event.target === sheet) sheet.close(); };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
