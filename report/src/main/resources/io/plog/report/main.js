// Puts the page together, in the order in which it is read.
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
    chips("Sizes", data.sizes, "hiddenSizes", format.size, (s) => palette.size(s)),
    chips("Targets", data.targets, "hiddenTargets", (t) => data.label(t), (t) => palette.target(t)),
    choice("Latency axis", "axis", [["log", "log"], ["linear", "linear"]]),
    choice("Published figures", "book", [["on", "on"], ["off", "off"]]));
}

function start() {
  readHash();
  applyTheme();
  document.documentElement.classList.add("scripted");
  const page = document.getElementById("page");
  page.replaceChildren(header());
  const add = (node) => {
    if (node) page.append(node);
    charts.drawNew();
  };
  [verdictStrip, conditions].forEach((part) => add(part()));
  if (data.cells.length === 0) {
    add(el("p", { class: "empty" }, "No request was counted, so there is nothing to draw."));
    document.documentElement.dataset.drawn = "yes";
    return;
  }
  add(filters());
  // One figure to a turn, so that the top of the page can be read while the rest is drawn.
  const parts = [loggingDensities, means, endToEndDensities, ecdfs, multiples, series, components, slowest, comparison, method, glossary, downloads];
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
addEventListener("hashchange", () => { readHash(); applyTheme(); charts.redrawAll(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { applyTheme(); charts.redrawAll(); });
// On paper the still figures stand for the live ones, so nothing has to be drawn again; only the theme is light.
const printing = (on) => () => { state.printing = on; applyTheme(); };
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
start();
