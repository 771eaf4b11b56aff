// Draws the rows in view. Recorded text is only ever set as textContent or as a title.
const NARROW = 760;
const AHEAD = 12;
const ALL_BELOW = 80; // few rows are all drawn, so that the browser's own search finds them

function element(tag, className, text, title) {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  if (title) made.title = title;
  return made;
}

function badge(shapes, word, text) {
  const made = element("span", `badge ${word}`, "", text || word);
  const shape = element("span", "", shapes[word]);
  shape.setAttribute("aria-hidden", "true");
  made.append(shape, ` ${text || word}`);
  return made;
}

function strip(beads, title) {
  const made = element("span", "strip", "", title);
  const signs = { added: "+", removed: "−", moved: "⇅", changed: "≠" };
  for (const bead of beads) made.append(element("span", bead.mark, (signs[bead.mark] || "") + bead.text));
  return made;
}

function draw(row, data, index) {
  const link = element("a", `row ${row.rank} ${["approved", "carried", "resolved"].includes(row.state) ? "decided" : ""}`);
  if (row.path === data.last) link.classList.add("last");
  link.href = `?${new URLSearchParams({ ...data.params, pair: row.path })}`;
  link.dataset.path = row.path;
  const rank = element("span", "rank");
  rank.append(badge(data.shapes, row.rank));
  const state = element("span", "state");
  state.append(badge(data.shapes, row.state, row.reviewers ? `${row.state} · ${row.reviewers}` : row.state));
  const path = element("span", "path", "", row.path);
  const upright = element("bdi", "", row.status ? `${row.path} (${row.status})` : row.path);
  path.append(upright);
  link.append(
    rank,
    element("span", "headline", row.headline, row.headline),
    path,
    strip(row.strip, row.tools),
    element("span", "num tokens", row.tokens),
    element("span", "num cost", row.cost),
    element("span", "findings", row.findings),
    state,
  );
  link.style.top = `calc(var(--row) * ${index})`;
  return link;
}

function heading(found) {
  const head = element("div", "head");
  head.setAttribute("aria-hidden", "true");
  for (const [name, side] of [["significance", ""], ["what changed", ""], ["cassette", ""], ["calls", ""], ["tokens", "num"], ["cost", "num"], [found ? "findings" : "", ""], ["state", ""]])
    head.append(element("span", side, name));
  return head;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector("#queue");
  const rows = data.rows;
  const found = rows.some((row) => row.findings);
  const kept = host.querySelector(".scroll")?.scrollTop ?? 0;
  const box = element("div", "box");
  const scroll = element("div", "scroll");
  const fill = element("div", "fill");
  fill.setAttribute("role", "group");
  fill.setAttribute("aria-label", `${rows.length} pairs`);
  scroll.append(fill);
  box.append(heading(found), scroll);
  host.replaceChildren(box);
  let height = 29;

  function place(from, to) {
    const drawn = [];
    for (let index = from; index < to; index++) drawn.push(draw(rows[index], data, index));
    const focused = host.getRootNode().activeElement?.dataset?.path;
    fill.replaceChildren(...drawn);
    if (focused) drawn.find((link) => link.dataset.path === focused)?.focus({ preventScroll: true });
  }

  let shown = "";
  function window_() {
    if (rows.length <= ALL_BELOW) return [0, rows.length];
    const first = Math.max(0, Math.floor(scroll.scrollTop / height) - AHEAD);
    return [first, Math.min(rows.length, first + Math.ceil(scroll.clientHeight / height) + 2 * AHEAD)];
  }
  function refresh() {
    const [from, to] = window_();
    if (shown === `${from}-${to}`) return;
    shown = `${from}-${to}`;
    place(from, to);
  }
  function resize() {
    const narrow = host.clientWidth > 0 && host.clientWidth < NARROW;
    host.className = `${data.theme}${narrow ? " narrow" : ""}${found ? "" : " unfound"}`;
    height = narrow ? 84 : 29;
    fill.style.height = `${rows.length * height}px`;
    shown = "";
    refresh();
  }
  function focusRow(index) {
    const at = Math.max(0, Math.min(rows.length - 1, index));
    if (at * height < scroll.scrollTop) scroll.scrollTop = at * height;
    if ((at + 1) * height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = (at + 1) * height - scroll.clientHeight;
    refresh();
    [...fill.children].find((link) => link.dataset.path === rows[at].path)?.focus({ preventScroll: true });
  }

  fill.onclick = (event) => {
    const link = event.target.closest("a.row");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    setTriggerValue("open", link.dataset.path);
  };
  fill.onkeydown = (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    const link = event.target.closest("a.row");
    if (!move || !link || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    focusRow(rows.findIndex((row) => row.path === link.dataset.path) + move);
  };
  scroll.onscroll = refresh;
  const observer = new ResizeObserver(resize);
  observer.observe(host);
  resize();
  const last = rows.findIndex((row) => row.path === data.last);
  scroll.scrollTop = kept || Math.max(0, last * height - scroll.clientHeight / 2);
  refresh();
  return () => observer.disconnect();
}
