// Zoom of a figure, the same for all of its panels: drag, or + and - on a panel that has the focus; back with a double-click,
// 0 or the button. With the arrow keys the reading moves from point to point and is read out.
const ZOOM_STEP = 1.6;

const zoom = {
  // Called by a plot whose x scale changed by the reader's hand.
  changed(drawer, [from, to], full) {
    const wide = Math.abs(from - full[0]) < 1e-9 * Math.abs(full[0] || 1) && Math.abs(to - full[1]) < 1e-9 * Math.abs(full[1] || 1);
    zoom.set(drawer, wide ? null : [from, to]);
  },
  set(drawer, range) {
    const id = drawer.holder.id.replace("plots-", "");
    if (range) state.zoom[id] = range;
    else delete state.zoom[id];
    writeHash();
    if (!drawer.plots[0]?.fullRange) return;
    drawer.plots.forEach((plot) => zoom.apply(drawer, plot));
    drawer.reset.hidden = !range;
  },
  apply(drawer, plot) {
    if (!plot.fullRange) return;
    const [min, max] = state.zoom[drawer.holder.id.replace("plots-", "")] || plot.fullRange;
    if (plot.scales.x.min !== min || plot.scales.x.max !== max) plot.setScale("x", { min, max });
  },
};

function zoomPlugin(drawer) {
  return { hooks: {
    ready(u) {
      u.fullRange = [u.scales.x.min, u.scales.x.max];
      queueMicrotask(() => zoom.apply(drawer, u)); // within this hook uPlot would forget it
      u.over.addEventListener("dblclick", () => zoom.set(drawer, null));
    },
    setScale(u, key) {
      if (key !== "x" || !u.fullRange) return;
      // uPlot draws the change in its next turn; all panels of the figure then change together.
      const range = [u.scales.x.min, u.scales.x.max];
      queueMicrotask(() => zoom.changed(drawer, range, u.fullRange));
    },
  } };
}

function keyboard(body, drawer, u, tip) {
  body.tabIndex = 0;
  body.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move) step(u, move * (event.shiftKey ? 10 : 1), tip);
    else if (event.key === "+" || event.key === "=") scale(drawer, u, 1 / ZOOM_STEP);
    else if (event.key === "-") scale(drawer, u, ZOOM_STEP);
    else if (event.key === "0" || event.key === "Escape") zoom.set(drawer, null);
    else return;
    event.preventDefault();
  });
  body.addEventListener("blur", () => u.setCursor({ left: -10, top: -10 }));
}

function step(u, by, tip) {
  const xs = u.data[0];
  const { min, max } = u.scales.x;
  let index = u.keyIndex == null || xs[u.keyIndex] < min || xs[u.keyIndex] > max
    ? xs.findIndex((x) => x >= min) : Math.min(xs.length - 1, Math.max(0, u.keyIndex + by));
  if (index < 0 || xs[index] < min || xs[index] > max) return;
  u.keyIndex = index;
  u.setCursor({ left: u.valToPos(xs[index], "x"), top: 10 });
  const content = tip && tip(u, index);
  if (content) announce(content.heading + ": " + content.lines.map(([, name, value]) => name + " " + value).join(", "));
}

// Around the reading, or the middle; on a logarithmic axis in ratios.
function scale(drawer, u, factor) {
  const log = u.scales.x.distr === 3;
  const [to, from] = log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
  const [min, max] = [u.scales.x.min, u.scales.x.max].map(to);
  const full = u.fullRange.map(to);
  const middle = u.cursor.left >= 0 && u.keyIndex != null ? to(u.data[0][u.keyIndex]) : (min + max) / 2;
  const low = Math.max(full[0], middle - (middle - min) * factor);
  const high = Math.min(full[1], middle + (max - middle) * factor);
  zoom.set(drawer, low <= full[0] && high >= full[1] ? null : [from(low), from(high)]);
}
