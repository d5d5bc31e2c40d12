// Puts the page together. State is only what the reader chose: theme, axis, and which sizes and targets are shown.
const state = { theme: "auto", axis: "log", tail: "faster", hiddenSizes: new Set(), hiddenTargets: new Set(), printing: false };
const data = readData();

// What is not hidden by a chip.
const shown = {
  sizes: () => data.sizes.filter((s) => !state.hiddenSizes.has(s)),
  targets: () => data.targets.filter((t) => !state.hiddenTargets.has(t)),
  logged: () => data.logged.filter((t) => !state.hiddenTargets.has(t)),
  curves: (measure) => data.curves(measure).filter((c) => !state.hiddenSizes.has(c.payloadBytes) && !state.hiddenTargets.has(c.target)),
};

function readData() {
  const { results, figures } = JSON.parse(document.getElementById("data").textContent);
  const cells = results.cells.filter((c) => c.count > 0);
  const targets = results.environment.targets.filter((t) => cells.some((c) => c.target === t.name));
  return {
    results, figures, cells,
    sizes: [...new Set(cells.map((c) => c.payloadBytes))],
    targets: targets.map((t) => t.name),
    logged: targets.filter((t) => t.force !== "off").map((t) => t.name),
    target: (name) => results.environment.targets.find((t) => t.name === name),
    label(name) {
      const { force } = this.target(name);
      return force === "off" ? "without logging" : name === force ? name : name + " (" + force + ")";
    },
    cell: (target, bytes) => cells.find((c) => c.target === target && c.payloadBytes === bytes),
    curves: (measure) => figures.curves.filter((c) => c.measure === measure),
  };
}

// One of several, as a group of buttons.
function choice(label, field, options) {
  const buttons = options.map(([value, word]) => el("button", { type: "button", "aria-pressed": String(state[field] === value), onclick() {
    state[field] = value;
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(options[i][0] === value)));
    applyTheme();
    charts.redrawAll();
  } }, word));
  return el("div", { class: "choice", role: "group", "aria-label": label }, el("span", null, label), ...buttons);
}

function chips(label, values, hidden, name, colour) {
  if (values.length < 2) return null;
  const group = el("div", { class: "choice chips", role: "group", "aria-label": label });
  charts.register(group, (h) => h.append(el("span", null, label), ...values.map((value) => el("button", {
    type: "button", "aria-pressed": String(!hidden.has(value)), onclick() {
      if (!hidden.delete(value)) hidden.add(value);
      charts.redrawAll();
    } }, el("i", { style: { background: colour(value) } }), name(value)))));
  return group;
}

function applyTheme() {
  document.documentElement.dataset.theme = palette.theme();
}

function header() {
  const { results } = data;
  const total = data.cells.reduce((sum, c) => sum + c.count, 0);
  return el("header", null,
    el("p", { class: "brand" }, "plog"),
    el("h1", null, "The cost of durable logging"),
    el("p", { class: "sub" }, results.startedAt.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC") + " · " + format.count(total) + " counted requests in " + data.cells.length + " cells · "
      + data.targets.map((t) => data.label(t)).join(", ")),
    choice("Theme", "theme", [["auto", "auto"], ["light", "light"], ["dark", "dark"]]));
}

function filters() {
  return el("nav", { class: "filters", "aria-label": "What the figures show" },
    chips("Sizes", data.sizes, state.hiddenSizes, format.size, (s) => palette.size(s)),
    chips("Targets", data.targets, state.hiddenTargets, (t) => data.label(t), (t) => palette.target(t)),
    choice("Latency axis", "axis", [["log", "log"], ["linear", "linear"]]));
}

// #theme=dark&axis=linear&tail=slower chooses at the start, so that a view can be linked.
function readHash() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  const allowed = { theme: ["auto", "light", "dark"], axis: ["log", "linear"], tail: ["faster", "slower"] };
  for (const [field, values] of Object.entries(allowed)) {
    if (values.includes(chosen.get(field))) state[field] = chosen.get(field);
  }
}

function start() {
  readHash();
  applyTheme();
  const page = document.getElementById("page");
  page.replaceChildren(header());
  const add = (node) => {
    if (node) page.append(node);
    charts.drawNew();
  };
  [warnings, verdictStrip, conditions].forEach((part) => add(part()));
  if (data.cells.length === 0) {
    add(el("p", { class: "empty" }, "No request was counted, so there is nothing to draw."));
    return;
  }
  add(filters());
  // One figure to a turn, so that the top of the page can be read while the rest is drawn.
  const parts = [loggingDensities, means, endToEndDensities, ecdfs, series, multiples, components];
  const next = () => {
    if (parts.length === 0) {
      charts.resize();
      document.documentElement.dataset.drawn = "yes";
      return;
    }
    add(parts.shift()());
    setTimeout(next, 0);
  };
  next();
}

addEventListener("resize", () => charts.resize());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { applyTheme(); charts.redrawAll(); });
const printing = (on) => () => { state.printing = on; applyTheme(); charts.redrawAll(); };
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
start();
