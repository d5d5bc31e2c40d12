// Figure after 2.15: means with standard deviations, and the tables of percentiles.
function means() {
  const holder = el("div", { id: "plots-means" });
  const keyHolder = el("div");
  charts.register(keyHolder, (h) => h.append(targetKey(shown.targets())));
  charts.register(holder, (h) => {
    const sizes = shown.sizes();
    const items = [["Logging", "logMicros", shown.logged()], ["End to end", "endToEndMicros", shown.targets()]]
      .map(([heading, field, targets]) => ({ heading, field, targets,
        cells: data.cells.filter((c) => c[field] && sizes.includes(c.payloadBytes) && targets.includes(c.target)),
        label: heading + ": mean and standard deviation for each size and target, in microseconds" }))
      .filter((item) => item.cells.length > 0);
    const log = state.axis === "log";
    const all = items.flatMap((item) => item.cells.map((c) => c[item.field]));
    if (all.length === 0) return panels(h, [], null);
    const top = Math.max(...all.map((d) => d.mean + d.sd));
    const bottom = log ? Math.min(...all.map((d) => Math.min(d.p5, d.mean - d.sd > 0 ? d.mean - d.sd : d.p5))) * 0.8 : 0;
    panels(h, items, (item, body) => meansPlot(body, item, sizes, [bottom, log ? top * 1.25 : top * 1.05], log));
  });
  const intervals = data.cells.some((c) => c.endToEndMicros?.meanInterval);
  return figure({ id: "means", heading: "Means, their intervals and standard deviations", drawn: ["means"], reading:
    "Dots are means and hollow diamonds medians (after Fig. 2.15). Thin bars reach one standard deviation to either side: how much single requests differ. "
    + (intervals ? "Thick bars are the 95 % interval of the mean: how well the mean itself is known. " : "The interval of the mean was not computed in this run. ")
    + "A few slow requests are enough to make the thin bar long; where mean minus deviation is below zero, it is cut at the edge." },
  [keyHolder, holder],
  tableDetails("mean-sd", "Mean and standard deviation, microseconds", [
    ["size", "payloadBytes", format.size], ["target", "target"], ["requests", "count", format.count],
    ["logging mean", (c) => c.logMicros?.mean, format.micros], ["95 % interval", (c) => span(c.logMicros?.meanInterval)], ["logging sd", (c) => c.logMicros?.sd, format.micros],
    ["end to end mean", (c) => c.endToEndMicros?.mean, format.micros], ["95 % interval", (c) => span(c.endToEndMicros?.meanInterval)], ["end to end sd", (c) => c.endToEndMicros?.sd, format.micros],
  ], data.cells));
}

// An interval in brackets; an end that the samples do not bound is left open.
function span(interval) {
  if (!interval || (interval.low == null && interval.high == null)) return null;
  return (interval.low == null ? "(…" : "[" + format.micros(interval.low)) + ", " + (interval.high == null ? "…)" : format.micros(interval.high) + "]");
}

function meansPlot(body, item, sizes, range, log) {
  const slot = 0.62 / Math.max(1, item.targets.length);
  const points = item.cells.map((cell) => ({
    cell, d: cell[item.field],
    x: sizes.indexOf(cell.payloadBytes) + (item.targets.indexOf(cell.target) - (item.targets.length - 1) / 2) * slot,
  })).sort((a, b) => a.x - b.x);
  plot(body, {
    height: 300,
    scales: { x: { time: false, range: () => [-0.5, sizes.length - 0.5] }, y: { distr: log ? 3 : 1, range: () => range } },
    axes: [
      axis("message size", (u, v) => v.map((i) => format.size(sizes[i])), { splits: () => sizes.map((_, i) => i), grid: { show: false }, size: 30 }),
      timeAxis("latency", log, true),
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    series: [{}, { stroke: "transparent", points: { show: false }, paths: () => null }],
    plugins: [{ hooks: { draw: (u) => points.forEach((p) => whisker(u, p)) } }],
    tip: (u, i) => ({
      heading: format.size(points[i].cell.payloadBytes) + ", " + data.label(points[i].cell.target),
      lines: [["transparent", "mean", format.micros(points[i].d.mean) + " µs"], ["transparent", "sd", format.micros(points[i].d.sd) + " µs"],
        ...(points[i].d.meanInterval ? [["transparent", "95 % interval of the mean", span(points[i].d.meanInterval) + " µs"]] : []),
        ["transparent", "median", format.micros(points[i].d.p50) + " µs"]],
    }),
  }, [points.map((p) => p.x), points.map((p) => p.d.mean)]);
}

function whisker(u, point) {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const x = u.valToPos(point.x, "x", true);
  const bottom = bbox.top + bbox.height;
  const y = (v) => (v > 0 || u.scales.y.distr !== 3 ? Math.min(bottom, Math.max(bbox.top, u.valToPos(v, "y", true))) : bottom);
  const { mean, sd, p50, meanInterval } = point.d;
  const [high, low] = [y(mean + sd), y(mean - sd)];
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = palette.target(point.cell.target);
  ctx.lineWidth = 1.2 * ratio;
  ctx.beginPath();
  ctx.moveTo(x, high);
  ctx.lineTo(x, low);
  ctx.moveTo(x - 5 * ratio, high);
  ctx.lineTo(x + 5 * ratio, high);
  if (low < bottom) {
    ctx.moveTo(x - 5 * ratio, low);
    ctx.lineTo(x + 5 * ratio, low);
  }
  ctx.stroke();
  if (meanInterval?.low != null && meanInterval.high != null) {
    ctx.lineWidth = 6 * ratio;
    ctx.beginPath();
    ctx.moveTo(x, y(meanInterval.low));
    ctx.lineTo(x, y(meanInterval.high));
    ctx.stroke();
  }
  ctx.beginPath();
  ctx.arc(x, y(mean), 4.5 * ratio, 0, 2 * Math.PI);
  ctx.fill();
  const size = 4.5 * ratio;
  const middle = y(p50);
  ctx.beginPath();
  ctx.moveTo(x, middle - size);
  ctx.lineTo(x + size, middle);
  ctx.lineTo(x, middle + size);
  ctx.lineTo(x - size, middle);
  ctx.closePath();
  ctx.fillStyle = palette.css("--paper");
  ctx.lineWidth = 1.5 * ratio;
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

const PERCENTILES = [["min", "min"], ["5 %", "p5"], ["median", "p50", 0.5], ["95 %", "p95", 0.95], ["99 %", "p99", 0.99], ["99.9 %", "p999", 0.999], ["max", "max"]];

// A percentile with its interval below it; grey if the samples do not bound it from above.
function percentileCell(value, d, q) {
  const found = d.quantiles?.find((one) => Math.abs(one.q - q) < 1e-9);
  const open = q != null && (found ? found.interval.high == null : q === 0.999 && !d.p999HasUpperBound);
  const range = found ? span(found.interval) : null;
  return el("span", { class: open ? "unbounded" : "", title: open ? "too few requests for a 95 % upper bound: little more than the slowest request" : null },
    format.micros(value) + (open && !range ? "*" : ""), range ? el("small", null, range) : null);
}

function summaryTable(name, caption, field) {
  const cells = data.cells.filter((c) => c[field]);
  return tableDetails(name, caption + "; brackets are 95 % intervals, grey has no upper bound: too few requests", [
    ["size", "payloadBytes", format.size], ["target", "target"], ["force", "force"], ["requests", "count", format.count],
    ["mean", (c) => c[field].mean, format.micros], ["sd", (c) => c[field].sd, format.micros],
    ...PERCENTILES.map(([heading, p, q]) => [heading, (c) => c[field][p], (v, c) => percentileCell(v, c[field], q)]),
  ], cells, "Table of percentiles");
}

// Percentiles as multiples of the median: the shape of a distribution without its scale.
function multiples() {
  const rows = data.cells.flatMap((c) => [["logging", c.logMicros, c.logTail], ["end to end", c.endToEndMicros, c.endToEndTail]]
    .filter(([, d]) => d).map(([measure, d, tail]) => ({ target: c.target, payloadBytes: c.payloadBytes, measure, d, tail, n: c.count })));
  const times = (p) => (row) => Math.round((row.d[p] / row.d.p50) * 1000) / 1000;
  const columns = [
    ["size", "payloadBytes", format.size], ["target", "target"], ["latency", "measure"], ["median µs", (r) => r.d.p50, format.micros],
    ["mean", times("mean"), format.ratio], ["95 %", times("p95"), format.ratio], ["99 %", times("p99"), format.ratio],
    ["99.9 %", times("p999"), (v, r) => el("span", { class: r.d.p999HasUpperBound ? "" : "unbounded" }, format.ratio(v) + (r.d.p999HasUpperBound ? "" : "*"))], ["max", times("max"), format.ratio],
    ["> 2×", (r) => r.tail.over2, format.count], ["> 10×", (r) => r.tail.over10, format.count], ["> 100×", (r) => r.tail.over100, format.count],
  ];
  const many = tableDetails("multiples", "Percentiles as multiples of the median, and how many requests took longer than 2, 10 and 100 medians", columns, rows);
  many.open = true;
  return figure({ id: "multiples", heading: "The tail, in medians", reading:
    "Each percentile divided by the median of its row: 2 means twice as slow as a usual request. This is what a user of the service waits for now and then." },
  [], many,
  rows.some((r) => !r.d.p999HasUpperBound)
    ? el("p", { class: "note" }, "* Fewer than 3,688 requests: the 99.9th percentile has no upper bound yet and is little more than the slowest request.") : null);
}
