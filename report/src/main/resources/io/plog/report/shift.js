// Below the end-to-end densities: how much later each quantile is with logging than without, with its interval.
function shiftHolder() {
  const overhead = data.results.overhead.filter((o) => o.shift?.length > 0);
  if (overhead.length === 0) return null;
  const quantiles = [...new Set(overhead.flatMap((o) => o.shift.map((s) => s.q)))].sort((a, b) => a - b);
  const holder = el("div", { id: "plots-shift" });
  charts.register(holder, (h) => {
    const rows = overhead.filter((o) => shown.cell(o));
    if (rows.length === 0) return panels(h, [], null);
    const ends = rows.flatMap((o) => o.shift.flatMap((s) => [s.micros, s.interval.low ?? s.micros, s.interval.high ?? s.micros]));
    const range = [Math.min(-3, Math.min(...ends) * 1.3), Math.max(3, Math.max(...ends) * 1.3)];
    if (Math.min(...ends) >= 0) range[0] = -3;
    panels(h, shown.sizes().map((size) => ({ heading: format.size(size) + ", shift", rows: rows.filter((o) => o.payloadBytes === size),
      label: "Difference of each quantile with and without logging for " + format.size(size) + " messages" })).filter((item) => item.rows.length > 0),
    (item, body) => shiftPlot(body, item.rows, quantiles, range));
  });
  return [el("h3", { class: "row" }, "Shift function: each quantile with logging less the same without, with 95 % intervals"), holder];
}

function shiftPlot(body, rows, quantiles, range) {
  const place = (row, q) => quantiles.indexOf(q) + (rows.indexOf(row) - (rows.length - 1) / 2) * (0.6 / rows.length);
  plot(body, {
    height: 190,
    scales: { x: { time: false, range: () => [-0.6, quantiles.length - 0.4] }, y: { distr: 4, asinh: 10, range: () => range } },
    axes: [
      axis("quantile, %", (u, v) => v.map((i) => ([0.2, 0.4, 0.6, 0.8, 0.95, 0.99].includes(quantiles[i]) ? "" : String(Number((quantiles[i] * 100).toPrecision(6))))),
        { splits: () => quantiles.map((_, i) => i), filter: (u, splits) => splits, grid: { show: false }, size: 30 }),
      axis("difference", (u, v) => v.map((us) => format.time(us)), { size: 62, filter: (u, splits) => splits,
        splits: (u) => shiftTicks(range, u.bbox.height / devicePixelRatio || 130) }),
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    series: [{}, { stroke: "transparent", points: { show: false }, paths: () => null }],
    plugins: [{ hooks: { draw: (u) => rows.forEach((row) => row.shift.forEach((s) => bar(u, place(row, s.q), s, palette.target(row.target), range))) } }],
    tip: (u, i) => ({
      heading: trim(quantiles[i] * 100) + " % of the requests",
      lines: rows.map((row) => [row, row.shift.find((s) => s.q === quantiles[i])]).filter(([, s]) => s)
        .map(([row, s]) => [palette.target(row.target), data.label(row.target), format.micros(s.micros) + " " + (span(s.interval) ?? "") + " µs"]),
    }),
  }, [quantiles.map((_, i) => i), quantiles.map(() => 0)]);
}

// 0 and powers of ten on both sides of it, without those whose labels would run into the one towards 0.
function shiftTicks(range, pixels) {
  const place = (v) => (Math.asinh(v / 10) - Math.asinh(range[0] / 10)) / (Math.asinh(range[1] / 10) - Math.asinh(range[0] / 10)) * pixels;
  const ticks = [0];
  for (const sign of [-1, 1]) {
    let last = place(0);
    for (let at = sign * 10; at >= range[0] && at <= range[1]; at *= 10) {
      if (Math.abs(place(at) - last) < 16) continue;
      last = place(at);
      ticks.push(at);
    }
  }
  return ticks.sort((a, b) => a - b);
}

// An end that the samples do not bound reaches to the edge.
function bar(u, at, shift, colour, range) {
  const { ctx } = u;
  const x = u.valToPos(at, "x", true);
  const y = (v) => u.valToPos(v, "y", true);
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, y(shift.interval.low ?? range[0]));
  ctx.lineTo(x, y(shift.interval.high ?? range[1]));
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, y(shift.micros), 3.2 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}
