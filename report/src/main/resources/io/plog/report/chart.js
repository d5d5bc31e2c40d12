// What all charts share: one way to make them, axes, hover values, and drawing them again when something changes.
const charts = {
  drawers: [],
  followers: [],
  // Registers a function that fills a holder: once it stands on the page, and again on every change of theme, filter or axis.
  register(holder, draw) {
    const drawer = { holder, draw, plots: [], insets: [], drawn: false };
    drawer.reset = el("button", { type: "button", class: "reset", hidden: true, onclick: () => zoom.set(drawer, null) }, "Reset zoom");
    charts.drawers.push(drawer);
  },
  // Registers a control that shows the state.
  follow(node, update) {
    charts.followers.push(update);
    update();
  },
  drawNew: () => charts.drawers.filter((drawer) => !drawer.drawn).forEach((drawer) => charts.redraw(drawer)),
  redraw(drawer) {
    [...drawer.plots, ...drawer.insets].forEach((plot) => plot.destroy());
    drawer.plots = [];
    drawer.insets = [];
    drawer.drawn = true;
    drawer.holder.replaceChildren();
    current = drawer;
    drawer.draw(drawer.holder);
    drawer.reset.hidden = !state.zoom[drawer.holder.id.replace("plots-", "")];
    if (drawer.plots.length > 0) drawer.holder.append(drawer.reset);
  },
  redrawAll() {
    charts.followers.forEach((update) => update());
    charts.drawers.forEach((drawer) => charts.redraw(drawer));
  },
  resize() {
    charts.drawers.forEach((d) => d.plots.forEach((plot) => {
      const width = plot.root.parentElement.clientWidth;
      if (width > 0 && Math.abs(width - plot.width) > 1) plot.setSize({ width, height: plot.height });
    }));
  },
};
let current = null;

const KEYS = " (arrow keys read the values, plus and minus zoom, 0 shows all)";

// A grid of equal panels with a heading each.
function panels(holder, items, fill) {
  if (items.length === 0) {
    holder.append(el("p", { class: "empty" }, "Nothing is selected: choose a size and a target above."));
    return;
  }
  const grid = el("div", { class: "panels n" + Math.min(3, items.length) });
  holder.append(grid);
  const bodies = items.map((item) => {
    const body = el("div", { class: "plot", role: "group", "aria-label": (item.label || item.heading) + KEYS });
    grid.append(el("div", { class: "panel" }, el("h3", null, item.heading), body));
    return body;
  });
  items.forEach((item, i) => fill(item, bodies[i]));
}

const FONT = "12px system-ui, sans-serif";

function axis(label, values, options) {
  return {
    label,
    labelSize: 22,
    labelFont: FONT,
    font: FONT,
    stroke: palette.css("--ink-soft"),
    grid: { stroke: palette.css("--grid"), width: 1 },
    ticks: { stroke: palette.css("--grid"), width: 1, size: 4 },
    values,
    ...options,
  };
}

// On a logarithmic axis each decade is divided at 1 to 9; labels stand at 1, 2 and 5 where there is room, else at 1.
function timeAxis(label, log, vertical) {
  const values = (u, splits) => {
    const length = vertical ? u.bbox.height / devicePixelRatio : u.bbox.width / devicePixelRatio;
    const scale = u.scales[vertical ? "y" : "x"];
    const perDecade = length / Math.max(0.1, Math.log10(scale.max / scale.min));
    const leads = perDecade > (vertical ? 60 : 170) ? [1, 2, 5] : perDecade > (vertical ? 36 : 115) ? [1, 3] : [1];
    return splits.map((us) => (!log || leads.includes(lead(us)) ? format.time(us) : null));
  };
  return axis(label, values, {
    size: vertical ? 62 : 34,
    ...(log ? { splits: (u, i, min, max) => logSplits(min, max, vertical ? u.height : u.width), filter: (u, splits) => splits } : vertical ? {} : { space: 64 }),
  });
}

const lead = (us) => Math.round(us / Math.pow(10, Math.floor(Math.log10(us) + 1e-9)));

function logSplits(min, max, pixels) {
  const splits = [];
  const coarse = pixels / Math.log10(max / min) < 60;
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade++) {
    for (const digit of coarse ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const at = Number((digit * Math.pow(10, decade)).toPrecision(6));
      if (at >= min && at <= max) splits.push(at);
    }
  }
  return splits;
}

function plot(body, options, values) {
  const drawer = current;
  const zooms = options.cursor?.drag?.x !== false;
  // The figure's own range holds until the reader chooses another.
  const range = options.scales.x.range;
  if (zooms && range) options.scales.x.range = (u, min, max) => (u.fullRange ? [min, max] : range(u, min, max));
  const chart = new uPlot({
    width: Math.max(240, body.clientWidth),
    height: 240,
    legend: { show: false },
    padding: [8, 22, 0, 0],
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
    ...options,
    plugins: [hover(options.tip), ...(zooms ? [zoomPlugin(drawer)] : []), ...(options.plugins || [])],
  }, values, body);
  drawer.plots.push(chart);
  if (options.tip) keyboard(body, drawer, chart, options.tip);
  return chart;
}

// Hover values: tip(u, index) gives a heading and lines of [colour, name, value].
function hover(tip) {
  let box;
  return { hooks: {
    init(u) {
      box = el("div", { class: "tip", hidden: true });
      u.over.append(box);
      u.over.addEventListener("mouseleave", () => { box.hidden = true; });
    },
    setCursor(u) {
      const index = u.cursor.idx;
      const content = tip && index != null && u.cursor.left >= 0 ? tip(u, index) : null;
      box.hidden = !content || content.lines.length === 0;
      if (box.hidden) return;
      box.replaceChildren(el("b", null, content.heading), ...content.lines.map(([colour, name, value]) =>
        el("div", null, el("i", { style: { background: colour } }), name + " ", el("span", null, value))));
      const right = u.cursor.left > u.over.clientWidth / 2;
      box.style.left = right ? "auto" : u.cursor.left + 12 + "px";
      box.style.right = right ? u.over.clientWidth - u.cursor.left + 12 + "px" : "auto";
    },
  } };
}

// Dashed vertical lines with a word beside each.
// Each mark is [where, word, short word]. The words are short where one would run into another mark's line; one that still has
// no room beside the one before it goes to the line below.
function marks(...all) {
  return { hooks: { draw(u) {
    if (state.book === "off") return;
    const ratio = devicePixelRatio;
    const { left, top, width, height } = u.bbox;
    const taken = [];
    u.ctx.save();
    u.ctx.strokeStyle = u.ctx.fillStyle = palette.css("--ink-soft");
    u.ctx.lineWidth = ratio;
    u.ctx.setLineDash([4 * ratio, 4 * ratio]);
    u.ctx.font = 11 * ratio + "px system-ui, sans-serif";
    u.ctx.textAlign = "left";
    const drawn = all.map(([at, ...words]) => [u.valToPos(at, "x", true), words]).filter(([x]) => x > left && x < left + width);
    const place = ([x, words], short) => {
      const word = words[short];
      const wide = u.ctx.measureText(word).width;
      const over = x + wide + 6 * ratio > left + width;
      return { x, word, from: over ? x - wide - 4 * ratio : x + 4 * ratio, to: over ? x - 4 * ratio : x + 4 * ratio + wide };
    };
    const crowded = drawn.map((mark) => place(mark, 0)).some((p) => drawn.some(([x]) => x > p.from && x < p.to));
    for (const { x, word, from, to } of drawn.map((mark) => place(mark, crowded ? 1 : 0))) {
      u.ctx.beginPath();
      u.ctx.moveTo(x, top);
      u.ctx.lineTo(x, top + height);
      u.ctx.stroke();
      let line = 0;
      while (taken.some((t) => t.line === line && from < t.to + 6 * ratio && to + 6 * ratio > t.from)) line++;
      taken.push({ line, from, to });
      u.ctx.fillText(word, from, top + (12 + 14 * line) * ratio);
    }
    u.ctx.restore();
  } } };
}

// The key of a figure: a stroke and a name for each entry.
function key(entries) {
  return el("ul", { class: "key" }, ...entries.map(([colour, name, dash]) => {
    const stroke = dash && dash.length
      ? `repeating-linear-gradient(90deg, ${colour} 0 ${dash[0]}px, transparent ${dash[0]}px ${dash[0] + dash[1]}px)` : colour;
    return el("li", null, el("i", { style: { background: stroke } }), name);
  }));
}
const sizeKey = () => key(shown.sizes().map((s) => [palette.size(s), format.size(s)]));
const targetKey = (names) => key(names.map((t) => [palette.target(t), data.label(t), palette.dash(t)]));
