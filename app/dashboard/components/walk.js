// Walks through the steps of the page: from change to change, to a step by name, and draws rows when they come into view.
// The rows are the page's own HTML, in which recorded text is escaped. It is parsed in a document of its own, where nothing runs or
// loads, and only what rows are made of is taken over: so a mistake in the escaping would still be no more than text.
const AHEAD = "900px 0px";
const ROWS = ".cr .grid .row";
const SETTLE = 700; // milliseconds in which rows above are drawn and move what was scrolled to

const all = (selector) => [...document.querySelectorAll(selector)];
const rowOf = (name) => all(".cr .grid [data-steps]").find((row) => row.dataset.steps.split(" ").includes(name));
const stops = () => all(`${ROWS}[data-kinds]`);

function isTyping(event) {
  const at = event.composedPath()[0];
  return at instanceof Element && at.matches("input, textarea, select, [contenteditable='true'], [role='combobox']");
}

const TAGS = new Set(["DIV", "P", "SPAN", "B", "A", "INS", "DEL", "DETAILS", "SUMMARY", "H2", "UL", "LI"]);
const PLAIN = ["class", "title", "data-kinds", "data-steps", "data-late", "aria-hidden"];

function clean(html) {
  const body = new DOMParser().parseFromString(html ?? "", "text/html").body;
  for (const made of [...body.querySelectorAll("*")]) {
    if (!TAGS.has(made.tagName)) {
      made.replaceWith(made.textContent);
      continue;
    }
    for (const { name, value } of [...made.attributes]) {
      const kept = PLAIN.includes(name) || (name === "href" && value.startsWith("#")) || (name === "style" && /^(--d|min-height):\d+(px)?$/.test(value));
      if (!kept) made.removeAttribute(name);
    }
  }
  for (const twin of body.querySelectorAll(".twin")) {
    const blocks = twin.previousElementSibling?.querySelectorAll(":scope > details > .block") ?? [];
    twin.querySelector("details").append(...[...blocks].map((block) => block.cloneNode(true)));
  }
  const fragment = document.createDocumentFragment();
  fragment.append(...body.childNodes);
  return fragment;
}

let late = {}; // the rows to draw, by number
const drawn = new WeakMap(); // a drawn row: what it held before, so that it can be put away again

function draw(row) {
  if (!row.classList.contains("later") || !(row.dataset.late in late)) return;
  drawn.set(row, [...row.children]);
  row.replaceChildren(clean(late[row.dataset.late]));
  row.classList.remove("later");
  row.style.minHeight = "";
}

function putAway(row) {
  const before = drawn.get(row);
  if (!before || row.classList.contains("here") || row.querySelector("details[open], :focus")) return;
  row.style.minHeight = `${row.offsetHeight}px`;
  row.replaceChildren(...before);
  row.classList.add("later");
  drawn.delete(row);
}

function unfold(fold) {
  if (!(fold.dataset.late in late)) return;
  fold.querySelector(":scope > .stub").replaceWith(clean(late[fold.dataset.late]));
  fold.removeAttribute("data-late");
  fold.removeAttribute("data-steps"); // its rows have their own now
}

function reveal(name) {
  let row = rowOf(name);
  if (row?.matches("details")) {
    row.open = true;
    unfold(row);
    row = rowOf(name);
  }
  for (let fold = row?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (row) draw(row);
  return row;
}

// Streamlit calls the function again for new data or another theme, and what it returned only when the component goes: so what an
// earlier call has left listening is ended first. Without it a key acted twice, and J passed over every second change.
const leaving = new WeakMap();

// What lasts while the server draws again: where one is, and which step of the address was already gone to.
let current = null;
let arrived = "";

export default function ({ data, parentElement, setTriggerValue }) {
  leaving.get(parentElement)?.();
  late = data.late;
  const bar = parentElement.querySelector(".walk");
  const said = bar.querySelector(".said");
  if (!current?.isConnected) current = null;

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) (entry.isIntersecting ? draw : putAway)(entry.target);
  }, { rootMargin: AHEAD });
  const watched = new WeakSet();
  function watch() {
    for (const row of all(`${ROWS}.later`)) {
      if (watched.has(row)) continue;
      watched.add(row);
      seen.observe(row);
    }
    tell();
  }

  function tell() {
    const rows = stops();
    bar.hidden = rows.length === 0;
    const noun = document.querySelector(".cr .grid.alone") ? "step" : "change";
    for (const word of bar.querySelectorAll(".noun")) word.textContent = noun;
    const place = rows.indexOf(current);
    said.textContent = place < 0 ? `${rows.length} ${noun}${rows.length === 1 ? "" : "s"}` : `${noun} ${place + 1} of ${rows.length}`;
  }

  function show(row, stays) {
    for (const other of all(".cr .grid .here")) other.classList.remove("here");
    row.classList.add("here");
    draw(row);
    if (stays) current = row;
    tell();
    const until = performance.now() + SETTLE;
    const place = row.clientHeight > 420 ? "start" : "center";
    aim = row;
    (function keep() {
      if (aim !== row || !row.isConnected) return;
      row.scrollIntoView({ block: place });
      if (performance.now() < until) requestAnimationFrame(keep);
    })();
  }
  let aim = null;
  const letGo = () => { aim = null; };

  function move(direction, kind) {
    const rows = stops();
    const fits = (row) => !kind || row.dataset.kinds.split(" ").some((each) => kind.includes(each));
    if (!rows.some(fits)) return;
    const from = rows.indexOf(current);
    for (let step = 1; step <= rows.length; step++) {
      const start = from < 0 && direction < 0 ? 0 : from;
      const row = rows[(start + direction * step + 2 * rows.length) % rows.length];
      if (fits(row)) return show(row, true);
    }
  }
  const alike = () => move(1, (current ?? stops()[0])?.dataset.kinds.split(" "));
  const pin = () => {
    const name = current?.dataset.steps.split(" ").at(-1);
    if (name) setTriggerValue("step", name);
  };

  const acts = { j: () => move(1), k: () => move(-1), t: alike, l: pin };
  for (const [key, act] of Object.entries(acts)) {
    const button = bar.querySelector(`[data-key=${key}]`);
    if (button) button.onclick = act;
  }
  function onKey(event) {
    const act = acts[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open], [role=dialog]")) return;
    if (event.key === "l" && event.repeat) return;
    event.preventDefault();
    act();
  }
  function onClick(event) {
    const link = event.target instanceof Element && event.target.closest(".cr a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const name = link.getAttribute("href").slice(1);
    if (!rowOf(name)) return;
    event.preventDefault();
    const row = reveal(name);
    if (link.classList.contains("no")) setTriggerValue("step", name);
    else show(row, row.dataset.kinds !== undefined);
  }
  function onToggle(event) {
    if (event.target.matches?.(".cr .grid details.fold") && event.target.open) unfold(event.target);
  }
  function onPrint() {
    for (const fold of all(".cr .grid details.fold[open]")) unfold(fold);
    for (const row of all(`${ROWS}.later`)) draw(row);
  }

  const asked = data.step || location.hash.slice(1);
  function arrive() {
    const row = asked && arrived !== data.at + asked && reveal(asked);
    if (!row) return;
    arrived = data.at + asked;
    show(row, row.dataset.kinds !== undefined);
  }
  const main = document.querySelector("[data-testid=stMain]") ?? document.body;
  let waiting = 0;
  const changed = new MutationObserver(() => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { watch(); arrive(); });
  });
  changed.observe(main, { childList: true, subtree: true });
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onClick, true);
  document.addEventListener("toggle", onToggle, true);
  window.addEventListener("beforeprint", onPrint);
  for (const kind of ["wheel", "touchstart", "mousedown"]) window.addEventListener(kind, letGo, { passive: true });
  watch();
  arrive();
  const leave = () => {
    seen.disconnect();
    changed.disconnect();
    cancelAnimationFrame(waiting);
    document.removeEventListener("keydown", onKey);
    document.removeEventListener("click", onClick, true);
    document.removeEventListener("toggle", onToggle, true);
    window.removeEventListener("beforeprint", onPrint);
    for (const kind of ["wheel", "touchstart", "mousedown"]) window.removeEventListener(kind, letGo);
  };
  leaving.set(parentElement, leave);
  return leave;
}
