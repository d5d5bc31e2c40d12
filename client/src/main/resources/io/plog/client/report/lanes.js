// What interrupted client, server and machine, under the time series: each event at the request that it fell on.
function lanesPlot(body, curve) {
  const names = data.lanes;
  const holder = el("div", { class: "lanes" });
  body.append(holder);
  plot(holder, {
    height: 13 * names.length + 8,
    width: Math.max(240, body.clientWidth),
    padding: [2, 22, 2, 0],
    cursor: { y: false, drag: { x: true, y: false }, sync: { key: "series" }, points: { show: false } },
    scales: { x: { time: false, range: (u, min, max) => [min, max] }, y: { range: [-0.6, names.length - 0.4] } },
    axes: [{ show: false }, axis(null, () => names.map(short).reverse(), { size: 84, labelSize: 0, font: "10px system-ui, sans-serif", splits: () => names.map((_, i) => i), grid: { show: false } })],
    series: [{}, { stroke: "transparent", points: { show: false }, paths: () => null }],
    plugins: [{ hooks: { draw: (u) => curve.lanes.forEach((lane) => strokes(u, lane, names.length - 1 - names.indexOf(laneName(lane)))) } }],
  }, [[1, curve.count], [null, null]]);
}

const short = (name) => (name.length > 15 ? name.slice(0, 14) + "…" : name);

function strokes(u, lane, row) {
  const { ctx, bbox } = u;
  const middle = u.valToPos(row, "y", true);
  const half = 4 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = palette.css("--ink");
  for (const request of lane.request) {
    const x = u.valToPos(request + 0.5, "x", true);
    ctx.fillRect(x, middle - half, Math.max(devicePixelRatio, u.valToPos(request + 1.5, "x", true) - x), 2 * half);
  }
  ctx.restore();
}
