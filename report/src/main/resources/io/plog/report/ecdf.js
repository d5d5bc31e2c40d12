// Distribution functions as exact steps, and the same seen from the tail.
function ecdfPlot(body, curves, range, colour, name, dash, sync) {
  const tail = state.tail === "slower";
  const log = state.axis === "log";
  // One shared x axis: every knot of every curve, each curve holding its last value (a step).
  const x = [...new Set(curves.flatMap((c) => c.ecdf[0]))].sort((a, b) => a - b).map((ns) => ns / 1000);
  const rows = curves.map((curve) => {
    const [values, ranks] = curve.ecdf;
    let next = 0;
    return x.map((us) => {
      while (next < values.length && values[next] / 1000 <= us) next++;
      const share = next === 0 ? 0 : ranks[next - 1] / curve.count;
      if (!tail) return share;
      return share >= 1 ? null : 1 - share;
    });
  });
  const bands = tail ? [] : curves.map((c, k) => [rows[k].map((share) => Math.max(0, share - bandOf(c))), rows[k].map((share) => Math.min(1, share + bandOf(c)))]);
  const floor = 1 / Math.max(...curves.map((c) => c.count));
  plot(body, {
    scales: {
      x: { time: false, distr: log ? 3 : 1, range },
      y: tail ? { distr: 3, range: [Math.pow(10, Math.floor(Math.log10(floor))), 1] } : { range: [0, 1] },
    },
    axes: [timeAxis("latency", log, false), axis(tail ? "share slower" : "share at most",
      (u, v) => v.map((y) => (y == null || (tail && !isDecade(y)) ? null : format.percentTick(y))), { size: 62 })],
    cursor: { y: false, drag: { x: true, y: false }, sync: { key: sync } },
    series: [{}, ...curves.map((c) => ({
      stroke: colour(c), width: 2, dash: dash(c), points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }),
    })), ...bands.flatMap(() => [0, 1].map(() => ({ stroke: "transparent", width: 0, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) })))],
    bands: bands.map((band, k) => ({ series: [curves.length + 2 * k + 2, curves.length + 2 * k + 1], fill: colour(curves[k]) + "30" })),
    tip: (u, i) => ({
      heading: (tail ? "slower than " : "at most ") + format.time(x[i]),
      lines: curves.map((c, k) => [colour(c), name(c), rows[k][i] == null ? "none" : format.percent(rows[k][i])]),
    }),
  }, [x, ...rows, ...bands.flat()]);
}

const isDecade = (y) => Math.abs(Math.log10(y) - Math.round(Math.log10(y))) < 1e-6;

// On a logarithmic axis everything is drawn; a linear one ends at the slowest curve's 99th percentile in the usual view.
function ecdfRange(curves) {
  const low = Math.min(...curves.map((c) => c.ecdf[0][0])) / 1000;
  const high = Math.max(...curves.map((c) => c.ecdf[0][c.ecdf[0].length - 1])) / 1000;
  if (state.axis === "log" || state.tail === "slower") return [low * 0.95, high * 1.05];
  const p99 = Math.max(...curves.map((c) => c.ecdf[0][c.ecdf[1].findIndex((rank) => rank >= 0.99 * c.count)])) / 1000;
  return [low * 0.95, p99 * 1.05];
}

function ecdfs() {
  const logging = el("div", { id: "plots-ecdf-log" });
  const endToEnd = el("div", { id: "plots-ecdf-e2e" });
  const sizes = el("div");
  const targets = el("div");
  charts.register(sizes, (h) => h.append(sizeKey()));
  charts.register(targets, (h) => h.append(targetKey(shown.targets())));
  const draw = (measure, groups, colour, name, dash) => (h) => {
    const all = shown.curves(measure);
    if (all.length === 0) return panels(h, [], null);
    const bounds = ecdfRange(all);
    panels(h, groups(all).filter((g) => g.curves.length > 0), (item, body) =>
      ecdfPlot(body, item.curves, () => bounds, colour, name, dash, h.id));
  };
  charts.register(logging, draw("log",
    (all) => shown.logged().map((t) => ({
      heading: data.label(t), label: "Distribution function of the logging latency of " + data.label(t), curves: all.filter((c) => c.target === t) })),
    (c) => palette.size(c.payloadBytes), (c) => format.size(c.payloadBytes), () => []));
  charts.register(endToEnd, draw("e2e",
    (all) => shown.sizes().map((s) => ({
      heading: format.size(s), label: "Distribution function of the end-to-end latency of " + format.size(s) + " messages", curves: all.filter((c) => c.payloadBytes === s) })),
    (c) => palette.target(c.target), (c) => data.label(c.target), (c) => palette.dash(c.target)));
  const toggle = choice("Show", "tail", [["faster", "share at most"], ["slower", "share slower (tail)"]]);
  const quantiles = data.figures.curves.map((c) => {
    const at = (q) => c.ecdf[0][c.ecdf[1].findIndex((rank) => rank >= q * c.count - 1e-9)] / 1000;
    return { target: c.target, payloadBytes: c.payloadBytes, measure: c.measure === "log" ? "logging" : "end to end",
      n: c.count, eps: bandOf(c), min: at(0), p10: at(0.1), p90: at(0.9), max: at(1) };
  });
  return figure({ id: "ecdf", heading: "Distribution functions and tails", drawn: ["ecdf-logging", "tail-logging", "ecdf-end-to-end", "tail-end-to-end"], reading:
    "How many requests took at most this long; nothing is cut off or smoothed. The shading is the 95 % band. \"Share slower\" turns the curve over and stretches its tail, so that one request in ten thousand can be seen." },
  [toggle,
    el("h3", { class: "row" }, "Logging"), sizes, logging,
    el("h3", { class: "row" }, "End to end"), targets, endToEnd],
  tableDetails("ecdf-summary", "Ends of the distribution functions, and half the width of their 95 % band (Dvoretzky, Kiefer, Wolfowitz and Massart; it supposes independent requests)", [
    ["target", "target"], ["size", "payloadBytes", format.size], ["measure", "measure"], ["requests", "n", format.count],
    ["band ±", "eps", format.percent], ["min µs", "min", format.micros], ["10 % (about) µs", "p10", format.micros],
    ["90 % (about) µs", "p90", format.micros], ["max µs", "max", format.micros]], quantiles));
}
