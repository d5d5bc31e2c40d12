// What all charts share: one way to make them, axes, hover values, and drawing them again when something changes.
const charts = {
  drawers: [],
  // Registers a function that fills a holder: once it stands on the page, and again on every change of theme, filter or axis.
  register(holder, draw) {
    charts.drawers.push({ holder, draw, plots: [], drawn: false });
  },
  drawNew: () => charts.drawers.filter((drawer) => !drawer.drawn).forEach((drawer) => charts.redraw(drawer)),
  redraw(drawer) {
    drawer.plots.forEach((plot) => plot.destroy());
    drawer.plots = [];
    drawer.drawn = true;
    drawer.holder.replaceChildren();
    current = drawer;
    drawer.draw(drawer.holder);
  },
  redrawAll: () => charts.drawers.forEach((drawer) => charts.redraw(drawer)),
  resize() {
    charts.drawers.forEach((d) => d.plots.forEach((plot) => {
      const width = plot.root.parentElement.clientWidth;
      if (width > 0 && width !== plot.width) plot.setSize({ width, height: plot.height });
    }));
  },
};
let current = null;

// A grid of equal panels with a heading each.
function panels(holder, items, fill) {
  if (items.length === 0) {
    holder.append(el("p", { class: "empty" }, "Nothing is selected: choose a size and a target above."));
    return;
  }
  const grid = el("div", { class: "panels n" + Math.min(3, items.length) });
  holder.append(grid);
  const bodies = items.map((item) => {
    const body = el("div", { class: "plot", role: "img", "aria-label": item.label });
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

// On a logarithmic axis only 1, 2 and 5 of each decade are labelled, and fewer if they would touch.
function timeAxis(label, log, vertical) {
  return axis(label, (u, splits) => {
    const few = log && splits.length > 0 && Math.log10(splits[splits.length - 1] / splits[0]) > (vertical ? 3 : 2.2);
    return splits.map((us) => {
      if (us == null) return null;
      if (log) {
        const lead = Math.round(us / Math.pow(10, Math.floor(Math.log10(us) + 1e-9)));
        if (!(lead === 1 || (!few && (lead === 2 || lead === 5)))) return null;
      }
      return format.time(us);
    });
  }, vertical ? { size: 62 } : { space: log ? 5 : 64, size: 34, ...(log ? { filter: (u, splits) => splits } : {}) });
}

function plot(body, options, values) {
  const chart = new uPlot({
    width: Math.max(240, body.clientWidth),
    height: 240,
    legend: { show: false },
    padding: [8, 14, 0, 0],
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
    ...options,
    plugins: [hover(options.tip), ...(options.plugins || [])],
  }, values, body);
  current.plots.push(chart);
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

// A dashed vertical line with a word beside it.
function mark(at, word) {
  return { hooks: { draw(u) {
    const x = u.valToPos(at, "x", true);
    const { left, top, width, height } = u.bbox;
    if (!(x > left && x < left + width)) return;
    const ratio = devicePixelRatio;
    u.ctx.save();
    u.ctx.strokeStyle = u.ctx.fillStyle = palette.css("--ink-soft");
    u.ctx.lineWidth = ratio;
    u.ctx.setLineDash([4 * ratio, 4 * ratio]);
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.font = 11 * ratio + "px system-ui, sans-serif";
    const over = x + u.ctx.measureText(word).width + 6 * ratio > left + width;
    u.ctx.textAlign = over ? "right" : "left";
    u.ctx.fillText(word, x + (over ? -4 : 4) * ratio, top + 12 * ratio);
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
