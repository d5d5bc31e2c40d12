// Figures after 2.14 and 2.16: densities, from counts in bins of equal width in ln x.
//
// On a logarithmic axis the height is the share of requests per factor of e in latency, on a linear one the share per
// microsecond, so that in both equal areas are equal shares.
function density(curve, bins, log) {
  return curve.counts.map((n, i) => {
    const width = log ? Math.log(bins.edges[i + 1] / bins.edges[i]) : bins.edges[i + 1] - bins.edges[i];
    return n / curve.count / width;
  });
}

const middles = (bins) => bins.edges.slice(1).map((edge, i) => Math.sqrt(edge * bins.edges[i]));

// The first and last bin that matter: the slowest half percent (on a linear axis: percent) is left out, or a few requests would squeeze the rest.
function drawnBins(curves, bins, log) {
  let last = 0;
  let first = bins.edges.length;
  for (const curve of curves) {
    let seen = 0;
    const limit = curve.count * (log ? 0.995 : 0.99);
    curve.counts.forEach((n, i) => {
      if (n > 0) first = Math.min(first, i);
      if (seen < limit && n > 0) last = Math.max(last, i);
      seen += n;
    });
  }
  return [Math.max(0, first - 1), Math.min(bins.edges.length - 2, last + 1)];
}

function shareOutside(curve, first, last) {
  const inside = curve.counts.slice(first, last + 1).reduce((a, b) => a + b, 0);
  return Math.max(0, 1 - inside / curve.count);
}

// All panels of one figure have the same axes. Panels are {heading, label, curves}, colour(curve) and name(curve) tell them apart.
function densityPanels(holder, bins, items, colour, name, dash, extra) {
  const log = state.axis === "log";
  const all = items.flatMap((item) => item.curves);
  if (all.length === 0) return panels(holder, [], null);
  const [first, last] = drawnBins(all, bins, log);
  const x = middles(bins).slice(first, last + 1);
  const ys = new Map(all.map((curve) => [curve, density(curve, bins, log).slice(first, last + 1)]));
  const top = Math.max(...all.map((curve) => Math.max(...ys.get(curve)))) * 1.06;
  const unit = log ? "share per factor e" : "share per µs";
  panels(holder, items, (item, body) => plot(body, {
    scales: { x: { time: false, distr: log ? 3 : 1, range: (u, min, max) => [min, max] }, y: { range: [0, top] } },
    axes: [timeAxis("latency", log, false), axis(unit, (u, v) => v.map((y) => trim(y)), { size: 52 })],
    cursor: { y: false, drag: { x: true, y: false }, sync: { key: holder.id } },
    series: [{}, ...item.curves.map((curve) => ({
      label: name(curve), stroke: colour(curve), width: 2, dash: dash(curve), points: { show: false },
    }))],
    plugins: extra || [],
    tip: (u, i) => ({
      heading: "about " + format.time(x[i]),
      lines: item.curves.map((curve) => [colour(curve), name(curve), trim(ys.get(curve)[i])]),
    }),
  }, [x, ...item.curves.map((curve) => ys.get(curve))]));
  const outside = all.map((curve) => [curve, shareOutside(curve, first, last)]).filter(([, share]) => share > 0);
  const most = outside.reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
  holder.append(el("p", { class: "note" },
    "Heights are shares of requests per " + (log ? "factor e (2.72) of latency" : "microsecond of latency") + ", so that equal areas are equal shares. Bins are " + (Math.expm1(Math.log(bins.edges[1] / bins.edges[0])) * 100).toFixed(1) + " % wide, the same for every curve; drawn "
    + format.time(bins.edges[first]) + " to " + format.time(bins.edges[last + 1]) + ". "
    + (most[0] ? "Outside lie at most " + format.percent(most[1]) + " of a curve's requests (" + data.label(most[0].target) + ", "
      + format.size(most[0].payloadBytes) + "); see the ECDFs and time series for them." : "No request lies outside.")));
}

const densityColumns = [
  ["target", "target"], ["payload bytes", "payloadBytes"],
  ["from µs", "from"], ["to µs", "to"], ["requests", "n"], ["share", "share", (v) => format.percent(v)],
];

function densityRows(measure, bins) {
  return data.curves(measure).flatMap((curve) => curve.counts
    .map((n, i) => ({ target: curve.target, payloadBytes: curve.payloadBytes, from: bins.edges[i], to: bins.edges[i + 1], n, share: n / curve.count }))
    .filter((row) => row.n > 0));
}

function loggingDensities() {
  const bins = data.figures.logging;
  if (!bins) return null;
  const holder = el("div", { id: "plots-logging" });
  const keyHolder = el("div");
  charts.register(keyHolder, (h) => h.append(sizeKey()));
  charts.register(holder, (h) => densityPanels(h, bins,
    shown.logged().map((target) => ({
      heading: data.label(target),
      label: "Density of the logging latency of " + data.label(target) + ", one curve per message size. "
        + data.cells.filter((c) => c.target === target && c.logMicros)
          .map((c) => format.size(c.payloadBytes) + ": median " + format.micros(c.logMicros.p50) + " µs").join("; "),
      curves: shown.curves("log").filter((c) => c.target === target),
    })).filter((item) => item.curves.length > 0),
    (c) => palette.size(c.payloadBytes), (c) => format.size(c.payloadBytes), () => [],
    [marks([100, "book: 100 µs", "100 µs"], [1000, "book: 1000 µs", "1000 µs"])]));
  return figure("logging", "How long logging takes",
    "One curve per message size, one panel per target, all with the same axes (after Fig. 2.14). The server measures from handing a record "
    + "to its log until it is durable as the target's way of forcing says: waiting, write and force. High and narrow is good, left is fast. Dashed lines are the book's 100 and 1000 µs. Drag to zoom, double-click to go back.",
    keyHolder, holder,
    summaryTable("logging-latency", "Logging latency in microseconds", "logMicros"),
    binsTable("logging-densities", "log", bins));
}

function endToEndDensities() {
  const bins = data.figures.endToEnd;
  if (!bins) return null;
  const holder = el("div", { id: "plots-e2e" });
  const keyHolder = el("div");
  charts.register(keyHolder, (h) => h.append(targetKey(shown.targets())));
  charts.register(holder, (h) => densityPanels(h, bins,
    shown.sizes().map((size) => ({
      heading: format.size(size),
      label: "Density of the end-to-end latency of " + format.size(size) + " messages, one curve per target. "
        + data.cells.filter((c) => c.payloadBytes === size && c.endToEndMicros)
          .map((c) => data.label(c.target) + ": median " + format.micros(c.endToEndMicros.p50) + " µs").join("; "),
      curves: shown.curves("e2e").filter((c) => c.payloadBytes === size),
    })).filter((item) => item.curves.length > 0),
    (c) => palette.target(c.target), (c) => data.label(c.target), (c) => palette.dash(c.target)));
  return figure("e2e", "End to end, with and without logging",
    "One panel per message size, one curve per target (after Fig. 2.16). The client measures from sending a request until its reply has arrived. "
    + "The distance between a solid curve and the grey one is what logging costs.",
    keyHolder, holder,
    summaryTable("end-to-end-latency", "End-to-end latency in microseconds", "endToEndMicros"),
    binsTable("end-to-end-densities", "e2e", bins));
}

// Every bin of every curve is too much for the page; as a file it is what a plotting program wants.
function binsTable(name, measure, bins) {
  const csv = () => [densityColumns.map((c) => c[0]).join(","),
    ...densityRows(measure, bins).map((row) => densityColumns.map((c) => csvField(row[c[1]])).join(","))].join("\n") + "\n";
  return el("p", { class: "actions" }, downloadButton(name + ".csv", csv), " every bin of every curve");
}
