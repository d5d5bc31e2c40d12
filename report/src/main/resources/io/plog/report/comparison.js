// The comparison with another run, or of two targets, and what came of the gates. Without one, half a sentence says how to get it.
function comparison() {
  const found = data.comparison;
  if (!found) {
    return el("section", { id: "comparison", class: "figure" },
      el("h2", null, "Comparison"),
      el("p", { class: "reading" }, "This report is of one run; ", el("code", null, "plog report RUN OTHER-RUN"), " sets two side by side."));
  }
  if (!found.a) return el("section", { id: "comparison", class: "figure" }, el("h2", null, "Comparison"), ...gated(found));
  const holder = el("div", { id: "plots-comparison" });
  charts.register(holder, forests);
  return figure({ id: "comparison", heading: "Comparison", drawn: ["comparison"], reading:
    "B by A, a row for each size: 1 is no difference, to the right of the line B takes longer. Thick bars are 95 % intervals; the thin ones hold together with 95 %, however many there are, and decide: "
    + "a full dot is a difference, a ring none that can be seen, a diamond too few samples to tell." },
  [holder], ...compared(found), ...gated(found));
}

const forestColour = () => palette.hues[palette.theme()][0];

function forests(holder) {
  const cells = data.comparison.cells;
  const reach = forestReach(cells);
  const items = [["e2e", "End to end"], ["log", "Logging"]].flatMap(([measure, heading]) => {
    const own = cells.filter((c) => c.measure === measure);
    const several = new Set(own.map((c) => c.targetB)).size > 1;
    const names = own.map((c) => format.size(c.payloadBytes) + (several ? ", " + c.targetB : ""));
    return own.length === 0 ? [] : own[0].figures.map((f, k) => ({
      names, heading: heading + ", " + FIGURES[f.figure], label: heading + ", " + FIGURES[f.figure] + ": ratio of B by A with intervals",
      rows: own.map((c) => c.figures[k]),
    }));
  });
  panels(holder, items, (item, body) => forestPlot(body, item, reach));
}

const FIGURES = { mean: "mean", p50: "median", p99: "99th percentile" };

// As far to the left of 1 as to the right, the same for all panels.
function forestReach(cells) {
  const ends = cells.flatMap((c) => c.figures.flatMap((f) => [f.ratio, f.jointRatio].flatMap((r) => [r.value, r.low ?? r.value, r.high ?? r.value])));
  const farthest = Math.max(1, ...ends.filter((r) => r > 0).map((r) => Math.max(r, 1 / r)));
  return Math.min(1000, Math.max(1.05, farthest * Math.sqrt(Math.min(farthest, 1.1))));
}

function forestPlot(body, { names, rows }, reach) {
  const at = (i) => names.length - 1 - i;
  // Hover values follow the axis, so the points are in its order.
  const points = rows.map((row, i) => ({ row, i, x: Math.min(reach, Math.max(1 / reach, row.ratio.value)) })).sort((a, b) => a.x - b.x);
  plot(body, {
    height: 22 * names.length + 70,
    scales: { x: { time: false, distr: 3, range: () => [1 / reach, reach] }, y: { range: () => [-0.7, names.length - 0.3] } },
    axes: [
      axis("B by A", (u, v) => v.map((r) => trim(r)), { splits: (u) => forestTicks(reach, u.bbox.width / devicePixelRatio), filter: (u, splits) => splits, size: 30 }),
      axis(null, () => [...names].reverse(), { size: 20 + 7 * Math.max(...names.map((n) => n.length)), labelSize: 0, splits: () => names.map((_, i) => i), grid: { show: false } }),
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    series: [{}, { stroke: "transparent", points: { show: false }, paths: () => null }],
    plugins: [{ hooks: { draw: (u) => { one(u); points.forEach((p) => forestRow(u, p.row, p.x, at(p.i), reach)); } } }],
    tip: (u, i) => ({
      heading: names[points[i].i] + ": " + points[i].row.verdict.replaceAll("-", " "),
      lines: [["transparent", "B by A", comparedRatio(points[i].row.ratio.value)], ["transparent", "95 %", ratioSpan(points[i].row.ratio)],
        ["transparent", "joint 95 %", ratioSpan(points[i].row.jointRatio)]],
    }),
  }, [points.map((p) => p.x), points.map((p) => at(p.i))]);
}

const ratioSpan = (r) => comparedRatio(r.low) + " to " + comparedRatio(r.high);

// Round ratios with room for their labels, 1 first.
function forestTicks(reach, pixels) {
  const all = reach < 1.12 ? [1, 0.95, 1.05, 0.9, 1.1] : reach < 1.6 ? [1, 0.9, 1.1, 0.8, 1.25, 0.7, 1.5] : reach < 4 ? [1, 0.7, 1.5, 0.5, 2, 0.3, 3]
    : [1, 0.5, 2, 0.2, 5, 0.1, 10, 0.01, 100, 0.001, 1000];
  const place = (r) => (Math.log(r * reach) / (2 * Math.log(reach))) * pixels;
  const ticks = [];
  for (const r of all) {
    if (r >= 1 / reach && r <= reach && ticks.every((t) => Math.abs(place(t) - place(r)) > 34)) ticks.push(r);
  }
  return ticks.sort((a, b) => a - b);
}

function one(u) {
  const { ctx, bbox } = u;
  const x = u.valToPos(1, "x", true);
  ctx.save();
  ctx.strokeStyle = palette.css("--ink-soft");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function forestRow(u, row, ratio, at, reach) {
  const { ctx } = u;
  const px = devicePixelRatio;
  const y = u.valToPos(at, "y", true);
  const x = (r) => u.valToPos(Math.min(reach, Math.max(1 / reach, r)), "x", true);
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = forestColour();
  for (const [interval, width, cap] of [[row.jointRatio, 1.4, 4], [row.ratio, 4.5, 0]]) {
    const [from, to] = [x(interval.low ?? 0), x(interval.high ?? Infinity)];
    ctx.lineWidth = width * px;
    ctx.beginPath();
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    if (cap && interval.low != null) { ctx.moveTo(from, y - cap * px); ctx.lineTo(from, y + cap * px); }
    if (cap && interval.high != null) { ctx.moveTo(to, y - cap * px); ctx.lineTo(to, y + cap * px); }
    ctx.stroke();
  }
  ctx.lineWidth = 1.6 * px;
  ctx.beginPath();
  if (row.verdict === "too-few-samples") [[0, -5], [5, 0], [0, 5], [-5, 0]].forEach(([dx, dy]) => ctx.lineTo(x(ratio) + dx * px, y + dy * px));
  else ctx.arc(x(ratio), y, 4.5 * px, 0, 2 * Math.PI);
  ctx.closePath();
  ctx.fillStyle = ["longer", "shorter"].includes(row.verdict) ? forestColour() : palette.css("--paper");
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

function compared(found) {
  const rows = found.cells.flatMap((c) => c.figures.map((f) => ({ ...f, ...c, figure: f.figure })));
  const columns = [
    ["size", "payloadBytes", format.size], ["target", (r) => (r.targetA === r.targetB ? r.targetB : r.targetB + " by " + r.targetA)],
    ["figure", (r) => (r.measure === "log" ? "logging, " : "end to end, ") + r.figure],
    ["A µs", "aMicros", format.micros], ["B µs", "bMicros", format.micros],
    ["B − A µs", (r) => r.differenceMicros.value, (v) => (v > 0 ? "+" : "") + v.toFixed(Math.abs(v) >= 9.995 ? 1 : 2)],
    ["B by A", (r) => r.ratio.value, comparedRatio], ["from", (r) => r.jointRatio.low, comparedRatio], ["to", (r) => r.jointRatio.high, comparedRatio],
    ["", (r) => r.verdict.replaceAll("-", " ")],
  ];
  return [
    el("p", { class: "reading" }, "A, the baseline: " + found.a.path + " of " + found.a.startedAt + ". B: " + found.b.path + " of " + found.b.startedAt
      + ". The intervals hold together with 95 %. " + (found.paired ? "Blocks that ran side by side are paired." : "The runs were separate, so whatever changed between them is in here.")),
    found.anyway ? el("p", null, "Compared although it should not be, because that was asked for.") : null,
    found.differences.length ? el("ul", null, ...found.differences.map((d) => el("li", null, (d.forbids ? "Not comparable, " : "Differs, ") + d.what + ": " + d.a + " in A, " + d.b + " in B"))) : null,
    el("p", null, el("strong", null, found.sentence)),
    el("ul", null, ...found.cells.map((c) => el("li", null, format.size(c.payloadBytes) + ", " + c.targetB + ", " + (c.measure === "log" ? "logging" : "end to end") + ": " + c.sentence))),
    tableDetails("comparison", "B against A", columns, rows, "Every figure of the comparison"),
  ].filter((part) => part);
}

const comparedRatio = (x) => (x == null ? "?" : x.toFixed(Math.abs(x - 1) < 0.0995 ? 3 : 2));

function gated(found) {
  if (!found.gates.length) return [];
  return [table("Gates", [["", (g) => g.outcome], ["gate", (g) => g.gate], ["target", (g) => g.target], ["size", "payloadBytes", format.size], ["found", (g) => g.detail]], found.gates)];
}
