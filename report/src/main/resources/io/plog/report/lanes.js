// What interrupted client, server and machine, under the time series: each event at the requests that it fell on.
function lanesPlot(body, curve) {
  const lanes = data.figures.lanes;
  const spans = lanes.map((lane) => laneSpans(lane, curve.series, curve.count));
  const holder = el("div", { class: "lanes" });
  body.append(holder);
  const names = lanes.map((lane) => lane.side + " " + lane.kind);
  plot(holder, {
    height: 13 * lanes.length + 8,
    width: Math.max(240, body.clientWidth),
    padding: [2, 22, 2, 0],
    cursor: { y: false, drag: { x: true, y: false }, sync: { key: "series" }, points: { show: false } },
    scales: { x: { time: false, range: (u, min, max) => [min, max] }, y: { range: [-0.6, lanes.length - 0.4] } },
    axes: [{ show: false }, axis(null, () => names.map(short).reverse(), { size: 84, labelSize: 0, font: "10px system-ui, sans-serif", splits: () => lanes.map((_, i) => i), grid: { show: false } })],
    series: [{}, { stroke: "transparent", points: { show: false }, paths: () => null }],
    plugins: [{ hooks: { draw: (u) => spans.forEach((list, i) => strokes(u, list, lanes.length - 1 - i)) } }],
  }, [[1, curve.count], [null, null]]);
}

const short = (name) => (name.length > 15 ? name.slice(0, 14) + "…" : name);

function strokes(u, spans, row) {
  const { ctx, bbox } = u;
  const middle = u.valToPos(row, "y", true);
  const half = 4 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = palette.css("--ink");
  for (const [from, to] of spans) {
    const x = u.valToPos(from, "x", true);
    ctx.fillRect(x, middle - half, Math.max(devicePixelRatio, u.valToPos(to, "x", true) - x), 2 * half);
  }
  ctx.restore();
}

// From which to which request of a cell each event lasted. Between the cell's turns other cells run: their events are left out.
function laneSpans(lane, series, count) {
  const spans = [];
  let begin = 0;
  lane.start.forEach((from, event) => {
    const to = from + lane.length[event];
    while (begin < series.first.length && series.end[begin] + 1 < from) begin++;
    for (let run = begin; run < series.first.length && series.start[run] <= to; run++) {
      const first = series.first[run] + 1;
      const next = run + 1 < series.first.length ? series.first[run + 1] + 1 : count;
      const length = Math.max(1, series.end[run] + 1 - series.start[run]);
      const place = (t) => first + Math.max(0, Math.min(1, (t - series.start[run]) / length)) * (next - first);
      spans.push([place(from), place(to)]);
    }
  });
  return spans;
}
