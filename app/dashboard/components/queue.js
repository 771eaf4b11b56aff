// Draws the rows in view. Recorded text is only ever set as textContent or as a title.
const NARROW = 760;
const AHEAD = 12;
const LOWEST = 340; // pixels of rows that are in view at least
const BELOW = 22; // pixels that stay free below the list
const ALL_BELOW = 80; // few rows are all drawn, so that the browser's own search finds them
const FOLD_FROM = 6; // groups of more members are folded at first
const COLUMNS = [
  ["significance", "", ""], ["what changed", "", ""], ["cassette", "", "path"], ["calls", "", ""], ["tokens", "num", "tokens"],
  ["cost", "num", "cost"], ["findings", "found", "findings"], ["state", "", "state"],
];
const SIGNS = { added: "+", removed: "−", moved: "⇅", changed: "≠" };

function element(tag, className, text, title) {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  if (title) made.title = title;
  return made;
}

function badge(shapes, word, text, title) {
  const made = element("span", `badge ${word}`, "", title || text || word);
  const shape = element("span", "", shapes[word]);
  shape.setAttribute("aria-hidden", "true");
  made.append(shape, ` ${text || word}`);
  return made;
}

function strip(beads, title) {
  const made = element("span", "strip", "", title);
  for (const [mark, text] of beads) made.append(element("span", mark, (SIGNS[mark] || "") + text));
  return made;
}

function checkbox(label, checked, partly) {
  const box = element("input", "pick");
  box.type = "checkbox";
  box.setAttribute("aria-label", label);
  box.checked = checked;
  box.indeterminate = partly;
  return box;
}

// Streamlit calls the function again for new data or another theme, and what it returned only when the component goes: so what an
// earlier call has left listening is ended first.
const leaving = new WeakMap();

// What lasts while the server draws again, by the list's name: what is selected, and which groups were opened or folded.
const kept = new Map();

export default function ({ data, parentElement, setTriggerValue }) {
  leaving.get(parentElement)?.();
  const host = parentElement.querySelector("#queue");
  const rows = data.rows;
  const found = rows.some((row) => row.findings);
  const memory = kept.get(data.name) ?? { selected: new Set(data.picked), toggled: new Map(), comment: "" };
  kept.set(data.name, memory);
  const here = new Map(rows.map((row) => [row.path, row]));
  for (const path of memory.selected) if (!here.has(path)) memory.selected.delete(path);
  const top = host.querySelector(".scroll")?.scrollTop ?? 0;

  const box = element("div", "box");
  const scroll = element("div", "scroll");
  const fill = element("div", "fill");
  fill.setAttribute("role", "group");
  fill.setAttribute("aria-label", `${rows.length} pairs`);
  scroll.append(fill);
  box.append(heading(), scroll);
  const bar = bulkBar();
  host.replaceChildren(box, bar.root);
  let height = 26;
  let items = [];

  function heading() {
    const head = element("div", "head");
    const whole = checkbox("Select all listed pairs", false, false);
    whole.onchange = () => { select(rows.map((row) => row.path), whole.checked); };
    head.append(whole);
    for (const [name, side, sort] of COLUMNS) {
      if (!sort) { head.append(element("span", side, name)); continue; }
      const on = data.sort.replace("-", "") === sort;
      const button = element("button", `${side}${on ? " on" : ""}`, `${name}${on ? (data.sort.startsWith("-") ? " ↓" : " ↑") : ""}`, "Sort");
      button.onclick = () => setTriggerValue("sort", on && !data.sort.startsWith("-") ? `-${sort}` : on ? "" : sort);
      head.append(button);
    }
    head.whole = whole;
    return head;
  }

  function bulkBar() {
    const root = element("div", "bulk");
    root.setAttribute("role", "toolbar");
    root.setAttribute("aria-label", "Selected pairs");
    const said = element("span", "said");
    said.setAttribute("role", "status");
    const comment = element("input", "comment");
    comment.type = "text";
    comment.placeholder = "Comment for all of them";
    comment.setAttribute("aria-label", "Comment for all selected pairs");
    comment.value = memory.comment;
    comment.oninput = () => { memory.comment = comment.value; };
    const act = (verdict) => () => {
      const members = rows.filter((row) => memory.selected.has(row.path)).map((row) => [row.path, row.digest]);
      if (!members.length) return;
      setTriggerValue("bulk", { verdict, members, comment: memory.comment });
      memory.selected.clear();
      memory.comment = "";
      refresh(true);
    };
    const approve = element("button", "main", "Approve selected");
    approve.onclick = act("approve");
    const flag = element("button", "", "Flag selected");
    flag.onclick = act("flag");
    const clear = element("button", "plain", "Clear");
    clear.onclick = () => { select([...memory.selected], false); };
    root.append(said, approve, flag, comment, clear);
    return { root, said };
  }

  function select(paths, on) {
    for (const path of paths) on ? memory.selected.add(path) : memory.selected.delete(path);
    refresh(true);
  }

  // Rows of one group stand together under a heading, where more than one of them is listed.
  function listed() {
    const made = [];
    for (let from = 0; from < rows.length;) {
      const group = rows[from].group;
      let to = from + 1;
      while (group && to < rows.length && rows[to].group === group) to++;
      const members = rows.slice(from, to);
      from = to;
      if (!data.grouped || members.length < 2) { made.push(...members.map((row) => ({ row }))); continue; }
      const open = memory.toggled.get(group) ?? members.length <= FOLD_FROM;
      made.push({ group, members, open });
      if (open) made.push(...members.map((row) => ({ row, inside: true })));
    }
    return made;
  }

  function groupLine(item) {
    const line = element("div", "line group");
    const picked = item.members.filter((row) => memory.selected.has(row.path)).length;
    const pick = checkbox(`Select ${item.members.length} pairs that changed alike`, picked === item.members.length, picked > 0 && picked < item.members.length);
    pick.onchange = () => select(item.members.map((row) => row.path), pick.checked);
    const fold = element("button", "fold");
    fold.setAttribute("aria-expanded", String(item.open));
    fold.append(element("span", "arrow", item.open ? "▾" : "▸"), element("b", "", `${item.members.length} changed alike`), element("span", "words", data.groups[item.group], data.groups[item.group]));
    fold.onclick = () => { memory.toggled.set(item.group, !item.open); relist(); };
    fold.dataset.group = item.group;
    line.append(pick, fold);
    return line;
  }

  function rowLine(item) {
    const { row } = item;
    const line = element("div", `line${item.inside ? " inside" : ""}${memory.selected.has(row.path) ? " picked" : ""}`);
    const pick = checkbox(`Select ${row.path}`, memory.selected.has(row.path), false);
    pick.onclick = (event) => {
      const paths = event.shiftKey && last !== null ? between(last, row.path) : [row.path];
      last = row.path;
      select(paths, pick.checked);
    };
    const link = element("a", `row ${row.rank} ${["approved", "carried", "resolved"].includes(row.state) ? "decided" : ""}`);
    if (row.path === data.last) link.classList.add("last");
    link.href = `./?${new URLSearchParams({ ...data.params, pair: row.path })}`;
    link.dataset.path = row.path;
    const rank = element("span", "rank");
    rank.append(badge(data.shapes, row.rank));
    const state = element("span", "state");
    state.append(badge(data.shapes, row.state, row.reviewers ? `${row.state} · ${row.reviewers}` : row.state, data.tips[row.state]));
    const path = element("span", "path", "", row.path);
    path.append(element("bdi", "", row.status ? `${row.path} (${row.status})` : row.path));
    link.append(
      rank,
      element("span", "headline", row.headline, row.headline),
      path,
      strip(row.strip, row.tools),
      element("span", "num tokens", row.tokens),
      element("span", "num cost", row.cost),
      element("span", "findings", row.findings, row.codes),
      state,
    );
    line.append(pick, link);
    return line;
  }
  let last = null;
  function between(one, other) {
    const paths = rows.map((row) => row.path);
    const [from, to] = [paths.indexOf(one), paths.indexOf(other)].sort((a, b) => a - b);
    return from < 0 ? [other] : paths.slice(from, to + 1);
  }

  let shown = "";
  let printing = false; // paper has no scrolling: every row is drawn
  function refresh(again) {
    const whole = printing || items.length <= ALL_BELOW;
    const from = whole ? 0 : Math.max(0, Math.floor(scroll.scrollTop / height) - AHEAD);
    const to = whole ? items.length : Math.min(items.length, from + Math.ceil(scroll.clientHeight / height) + 2 * AHEAD);
    if (!again && shown === `${from}-${to}`) return;
    shown = `${from}-${to}`;
    const active = host.getRootNode().activeElement;
    const name = (node) => node?.dataset?.path ?? node?.dataset?.group ?? node?.getAttribute?.("aria-label");
    const focused = fill.contains(active) ? name(active) : "";
    fill.replaceChildren(...items.slice(from, to).map((item, index) => {
      const line = item.row ? rowLine(item) : groupLine(item);
      line.style.top = `calc(var(--row) * ${from + index})`;
      return line;
    }));
    if (focused) [...fill.querySelectorAll("a, button, input")].find((each) => name(each) === focused)?.focus({ preventScroll: true });
    const count = memory.selected.size;
    host.classList.toggle("selecting", count > 0);
    bar.said.textContent = count ? `${count} selected` : "";
    const every = box.firstChild.whole;
    every.checked = count > 0 && count === rows.length;
    every.indeterminate = count > 0 && count < rows.length;
  }
  function relist() {
    items = listed();
    fill.style.height = `${items.length * height}px`;
    refresh(true);
  }
  function resize() {
    const narrow = host.clientWidth > 0 && host.clientWidth < NARROW;
    host.className = `${data.theme}${narrow ? " narrow" : ""}${found ? "" : " unfound"}${data.compact ? " compact" : ""}`;
    height = narrow ? 84 : 26;
    if (!data.compact) scroll.style.maxHeight = `${Math.max(LOWEST, room())}px`;
    relist();
  }
  // The list ends where the window does, whatever stands above it: one scrolls the rows, not the page.
  function room() {
    const main = document.querySelector("[data-testid=stMain]");
    const above = scroll.getBoundingClientRect().top + (main?.scrollTop ?? 0);
    return Math.floor(window.innerHeight - above - BELOW);
  }
  function focusItem(index) {
    const at = Math.max(0, Math.min(items.length - 1, index));
    if (at * height < scroll.scrollTop) scroll.scrollTop = at * height;
    if ((at + 1) * height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = (at + 1) * height - scroll.clientHeight;
    refresh();
    const wanted = items[at].row?.path ?? items[at].group;
    [...fill.querySelectorAll("a, button")].find((each) => (each.dataset.path ?? each.dataset.group) === wanted)?.focus({ preventScroll: true });
  }

  fill.onclick = (event) => {
    const link = event.target.closest("a.row");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    setTriggerValue("open", link.dataset.path);
  };
  fill.onkeydown = (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const at = event.target.closest("[data-path], [data-group]") ?? event.target.parentElement.querySelector("[data-path], [data-group]");
    if (!at) return;
    const index = items.findIndex((item) => (item.row?.path ?? item.group) === (at.dataset.path ?? at.dataset.group));
    const move = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (move) focusItem(index + move);
    else if (event.key === "x" && !event.repeat) {
      const paths = items[index].row ? [items[index].row.path] : items[index].members.map((row) => row.path);
      select(paths, !paths.every((path) => memory.selected.has(path)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  scroll.onscroll = () => refresh();
  const print = (on) => () => { printing = on; refresh(true); };
  const [onPrint, afterPrint] = [print(true), print(false)];
  window.addEventListener("beforeprint", onPrint);
  window.addEventListener("afterprint", afterPrint);
  const observer = new ResizeObserver(resize);
  observer.observe(host);
  window.addEventListener("resize", resize);
  resize();
  const opened = items.findIndex((item) => item.row?.path === data.last);
  scroll.scrollTop = top || Math.max(0, opened * height - scroll.clientHeight / 2);
  refresh();
  const leave = () => {
    observer.disconnect();
    window.removeEventListener("resize", resize);
    window.removeEventListener("beforeprint", onPrint);
    window.removeEventListener("afterprint", afterPrint);
  };
  leaving.set(parentElement, leave);
  return leave;
}
