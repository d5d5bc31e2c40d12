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

// Where the slowest of so large a share of a curve's requests lies.
function binReaching(curve, share) {
  let seen = 0;
  let reached = 0;
  curve.counts.forEach((n, i) => {
    if (seen < share * curve.count && n > 0) reached = i;
    seen += n;
  });
  return reached;
}

// The first and last bin that are drawn, and where the axis ends. On a logarithmic axis the slowest half percent is left out, or a
// few requests would squeeze the rest. A linear one shows the bins to their end, the greatest 99.9th percentile; if the body would
// fill less than a quarter of it, it ends at four times the greatest median, and an inset goes on from there.
function drawnBins(curves, bins, log) {
  const final = bins.edges.length - 2;
  const first = Math.max(0, Math.min(...curves.map((c) => c.counts.findIndex((n) => n > 0))) - 1);
  if (log) {
    const last = Math.min(final, Math.max(...curves.map((c) => binReaching(c, 0.995))) + 1);
    return [first, last, last];
  }
  const median = Math.max(...curves.map((c) => bins.edges[binReaching(c, 0.5) + 1]));
  let cut = first;
  while (cut < final && bins.edges[cut + 1] < 4 * median) cut++;
  return [first, final, cut];
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
  const [first, last, cut] = drawnBins(all, bins, log);
  const x = middles(bins).slice(first, cut + 1);
  const heights = new Map(all.map((curve) => [curve, density(curve, bins, log)]));
  const ys = new Map(all.map((curve) => [curve, heights.get(curve).slice(first, cut + 1)]));
  const top = Math.max(...all.map((curve) => Math.max(...ys.get(curve)))) * 1.06;
  const unit = log ? "share per factor e" : "share per µs";
  panels(holder, items, (item, body) => {
    plot(body, {
      scales: { x: { time: false, distr: log ? 3 : 1, range: (u, min, max) => [log ? min : Math.min(min, 0), max] }, y: { range: [0, top] } },
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
    }, [x, ...item.curves.map((curve) => ys.get(curve))]);
    if (cut < last) tailInset(body, item, bins, heights, [cut + 1, last], top, colour, dash);
  });
  const outside = all.map((curve) => [curve, shareOutside(curve, first, last)]).filter(([, share]) => share > 0);
  const most = outside.reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
  holder.append(el("p", { class: "note" },
    "Heights are shares of requests per " + (log ? "factor e (2.72) of latency" : "microsecond of latency") + ", so that equal areas are equal shares. Bins are " + (Math.expm1(Math.log(bins.edges[1] / bins.edges[0])) * 100).toFixed(1) + " % wide, the same for every curve; drawn "
    + format.time(log ? bins.edges[first] : 0) + " to " + format.time(bins.edges[last + 1]) + ". "
    + (most[0] ? "Outside lie at most " + format.percent(most[1]) + " of a curve's requests (" + data.label(most[0].target) + ", "
      + format.size(most[0].payloadBytes) + "); see the tail and the time series for them." : "No request lies outside.")));
}

// The tail on an axis of its own, in the empty corner of a linear panel.
function tailInset(body, item, bins, heights, [from, to], top, colour, dash) {
  const part = (list) => list.slice(from, to + 1);
  const highest = Math.max(...[...heights.values()].map((list) => Math.max(...part(list))));
  if (!(highest > 0) || body.clientWidth < 250) return;
  const box = el("div", { class: "inset", "aria-hidden": "true" }, el("b", null, "tail to " + format.time(bins.edges[to + 1]) + ", " + trim(Math.round(top / 1.06 / highest)) + " × as high"));
  body.append(box);
  const chart = new uPlot({
    width: Math.round(body.clientWidth * 0.46), height: 96, legend: { show: false }, padding: [4, 14, 0, 6],
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: [0, highest * 1.1] } },
    axes: [{ ...timeAxis("", false, false), label: null, size: 22, font: "10px system-ui, sans-serif", space: 56 }, { show: false }],
    series: [{}, ...item.curves.map((c) => ({ stroke: colour(c), width: 1.5, dash: dash(c), points: { show: false } }))],
  }, [part(middles(bins)), ...item.curves.map((c) => part(heights.get(c)))], box);
  current.insets.push(chart);
}

// Peaks are named only where there is more than one and the bootstrap found each of them again.
function peakTable(name, measure) {
  const rows = data.cells.flatMap((c) => {
    const peaks = (measure === "log" ? c.logPeaks : c.endToEndPeaks) || [];
    return peaks.length > 1 ? peaks.map((p) => ({ target: c.target, payloadBytes: c.payloadBytes, ...p })) : [];
  });
  return rows.length === 0 ? null : tableDetails(name, "Distributions with more than one peak, each found again by the bootstrap", [
    ["size", "payloadBytes", format.size], ["target", "target"], ["peak at µs", "micros", format.micros], ["share of requests", "share", (v) => format.percent(v)]], rows, "Peaks");
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
    [marks([100, "Zhao: 100 µs", "100 µs"], [1000, "Zhao: 1000 µs", "1000 µs"])]));
  return figure({ id: "logging", heading: "How long logging takes", drawn: ["logging-density", "logging-density-linear"], reading:
    "One curve per message size, one panel per target, all with the same axes (after Fig. 2.14). The server measures from handing a record "
    + "to its log until it is durable as the target's way of forcing says: waiting, write and force. High and narrow is good, left is fast. Drag to zoom, double-click to go back." },
  [keyHolder, holder],
  summaryTable("logging-latency", "Logging latency in microseconds", "logMicros"), peakTable("logging-peaks", "log"));
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
    (c) => palette.target(c.target), (c) => data.label(c.target), (c) => palette.dash(c.target),
    [marks([100, "Zhao: 100 µs", "100 µs"], [10000, "Zhao: 10 ms", "10 ms"])]));
  const shifts = shiftHolder();
  return figure({ id: "e2e", heading: "End to end, with and without logging", drawn: ["end-to-end-density", "end-to-end-density-linear", "shift"], reading:
    "One panel per message size, one curve per target (after Fig. 2.16). The client measures from sending a request until its reply has arrived. "
    + "The distance between a coloured curve and the grey one is what logging costs." },
  [keyHolder, holder, ...(shifts || [el("p", { class: "note" }, data.results.overhead.length === 0
    ? "Without a target that is not logged there is nothing to compare with, so there is no shift function." : "No shift function was computed.")])],
  summaryTable("end-to-end-latency", "End-to-end latency in microseconds", "endToEndMicros"), peakTable("end-to-end-peaks", "e2e"));
}
