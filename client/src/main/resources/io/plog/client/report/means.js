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
  return figure("means", "Mean and standard deviation",
    "Dots are means, bars reach one standard deviation to either side (not an error of the mean), hollow diamonds are medians (after Fig. 2.15). "
    + "A few slow requests are enough to make the bar long; where mean minus deviation is below zero, the bar is cut at the edge.",
    keyHolder, holder,
    tableDetails("mean-sd", "Mean and standard deviation, microseconds", [
      ["size", "payloadBytes", format.size], ["target", "target"], ["requests", "count", format.count],
      ["logging mean", (c) => c.logMicros?.mean, format.micros], ["logging sd", (c) => c.logMicros?.sd, format.micros],
      ["end to end mean", (c) => c.endToEndMicros?.mean, format.micros], ["end to end sd", (c) => c.endToEndMicros?.sd, format.micros],
    ], data.cells));
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
  const { mean, sd, p50 } = point.d;
  const [high, low] = [y(mean + sd), y(mean - sd)];
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = palette.target(point.cell.target);
  ctx.lineWidth = 2 * ratio;
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

const PERCENTILES = [["min", "min"], ["5 %", "p5"], ["median", "p50"], ["95 %", "p95"], ["99 %", "p99"], ["99.9 %", "p999"], ["max", "max"]];

function summaryTable(name, caption, field) {
  return tableDetails(name, caption, [
    ["size", "payloadBytes", format.size], ["target", "target"], ["force", "force"], ["requests", "count", format.count],
    ["mean", (c) => c[field].mean, format.micros], ["sd", (c) => c[field].sd, format.micros],
    ...PERCENTILES.map(([heading, p]) => [heading, (c) => c[field][p], format.micros]),
  ], data.cells.filter((c) => c[field]));
}

// Percentiles as multiples of the median: the shape of a distribution without its scale.
function multiples() {
  const rows = data.cells.flatMap((c) => [["logging", c.logMicros, c.logTail], ["end to end", c.endToEndMicros, c.endToEndTail]]
    .filter(([, d]) => d).map(([measure, d, tail]) => ({ target: c.target, payloadBytes: c.payloadBytes, measure, d, tail, n: c.count })));
  const times = (p) => (row) => Math.round((row.d[p] / row.d.p50) * 1000) / 1000;
  const columns = [
    ["size", "payloadBytes", format.size], ["target", "target"], ["latency", "measure"], ["median µs", (r) => r.d.p50, format.micros],
    ["mean", times("mean"), format.ratio], ["95 %", times("p95"), format.ratio], ["99 %", times("p99"), format.ratio],
    ["99.9 %", times("p999"), (v, r) => format.ratio(v) + (r.d.p999HasUpperBound ? "" : "*")], ["max", times("max"), format.ratio],
    ["> 2×", (r) => r.tail.over2, format.count], ["> 10×", (r) => r.tail.over10, format.count], ["> 100×", (r) => r.tail.over100, format.count],
  ];
  const table = tableDetails("multiples", "Percentiles as multiples of the median, and how many requests took longer than 2, 10 and 100 medians", columns, rows);
  table.open = true;
  return figure("multiples", "The tail, in medians",
    "Each percentile divided by the median of its row: 2 means twice as slow as a usual request. This is what a user of the service waits for now and then.",
    table,
    rows.some((r) => !r.d.p999HasUpperBound)
      ? el("p", { class: "note" }, "* Fewer than 3,688 requests: the 99.9th percentile has no upper bound yet and is little more than the slowest request.") : null);
}
