// What the reader chose: theme, axis, which sizes and targets are shown, the zoom of each figure. It stands in the address after
// "#", so that a view can be linked, and is read from there again.
const state = { theme: "auto", axis: "log", tail: "faster", book: "on", at: "parts", hiddenSizes: new Set(), hiddenTargets: new Set(), zoom: {}, printing: false };

const CHOICES = { theme: ["auto", "light", "dark"], axis: ["log", "linear"], tail: ["faster", "slower"], book: ["on", "off"], at: ["parts", "atMedian", "atP99"] };

// What is not hidden by a chip.
const shown = {
  sizes: () => data.sizes.filter((s) => !state.hiddenSizes.has(s)),
  targets: () => data.targets.filter((t) => !state.hiddenTargets.has(t)),
  logged: () => data.logged.filter((t) => !state.hiddenTargets.has(t)),
  cell: (c) => !state.hiddenSizes.has(c.payloadBytes) && !state.hiddenTargets.has(c.target),
  curves: (measure) => data.curves(measure).filter((c) => shown.cell(c)),
};

function readHash() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const [field, values] of Object.entries(CHOICES)) {
    state[field] = values.includes(chosen.get(field)) ? chosen.get(field) : values[0];
  }
  state.hiddenSizes = hiddenBut(chosen.get("sizes"), data.sizes, Number);
  state.hiddenTargets = hiddenBut(chosen.get("targets"), data.targets, String);
  state.zoom = {};
  for (const part of (chosen.get("zoom") || "").split(",")) {
    const [id, from, to] = part.split(":");
    if (Number(from) < Number(to)) state.zoom[id] = [Number(from), Number(to)];
  }
}

// The hash names what is shown; without a name of this run everything is.
function hiddenBut(list, all, convert) {
  const kept = (list || "").split(",").filter(Boolean).map(convert).filter((value) => all.includes(value));
  return new Set(kept.length === 0 ? [] : all.filter((value) => !kept.includes(value)));
}

function writeHash() {
  const chosen = new URLSearchParams();
  for (const [field, values] of Object.entries(CHOICES)) {
    if (state[field] !== values[0]) chosen.set(field, state[field]);
  }
  if (state.hiddenSizes.size > 0) chosen.set("sizes", shown.sizes().join(","));
  if (state.hiddenTargets.size > 0) chosen.set("targets", shown.targets().join(","));
  const zoom = Object.entries(state.zoom).map(([id, [from, to]]) => [id, Number(from.toPrecision(5)), Number(to.toPrecision(5))].join(":"));
  if (zoom.length > 0) chosen.set("zoom", zoom.join(","));
  const hash = chosen.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
}

function changed() {
  writeHash();
  applyTheme();
  charts.redrawAll();
}

function applyTheme() {
  document.documentElement.dataset.theme = palette.theme();
  document.documentElement.dataset.book = state.book;
}

// One of several, as a group of buttons; it follows the state, whoever changes that.
function choice(label, field, options) {
  const group = el("div", { class: "choice", role: "group", "aria-label": label }, el("span", null, label));
  const buttons = options.map(([value, word]) => el("button", { type: "button", onclick() {
    state[field] = value;
    changed();
  } }, word));
  group.append(...buttons);
  charts.follow(group, () => buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(options[i][0] === state[field]))));
  return group;
}

// Any of several; the last one that is left cannot be taken away.
function chips(label, values, hidden, name, colour) {
  if (values.length < 2) return null;
  const group = el("div", { class: "choice chips", role: "group", "aria-label": label }, el("span", null, label));
  const buttons = values.map((value) => el("button", { type: "button", title: "Double-click: this one alone", onclick() {
    const now = state[hidden];
    if (!now.delete(value) && now.size < values.length - 1) now.add(value);
    changed();
  }, ondblclick() {
    state[hidden] = new Set(values.filter((v) => v !== value));
    changed();
  } }, el("i"), name(value)));
  const all = el("button", { type: "button", class: "all", onclick() {
    state[hidden].clear();
    changed();
  } }, "all");
  group.append(...buttons, all);
  charts.follow(group, () => {
    buttons.forEach((b, i) => {
      b.setAttribute("aria-pressed", String(!state[hidden].has(values[i])));
      b.firstChild.style.background = colour(values[i]);
    });
    all.hidden = state[hidden].size === 0;
  });
  return group;
}
