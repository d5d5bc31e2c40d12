// The time series of every cell: least, median and greatest of consecutive runs of requests, so that no extreme is lost.
function series() {
  const holder = el("div", { id: "plots-series" });
  charts.register(holder, (h) => {
    const curves = shown.curves("e2e");
    if (curves.length === 0) return panels(h, [], null);
    const both = [...curves, ...shown.curves("log")];
    const range = [Math.min(...both.map((c) => Math.min(...c.series.min))) / 1000, Math.max(...curves.map((c) => Math.max(...c.series.max))) / 1000];
    panels(h, curves.map((curve) => {
      const cell = data.cell(curve.target, curve.payloadBytes);
      const worst = cell.slowest[0] || { endToEndMicros: cell.endToEndMicros.max, request: 1 };
      return { curve, cell, heading: format.size(curve.payloadBytes) + ", " + data.label(curve.target),
        label: "End-to-end latency of every request in order; slowest: " + format.time(worst.endToEndMicros) + ", request " + worst.request };
    }), (item, body) => seriesWithLanes(body, item, [Math.max(0.001, range[0] * 0.8), range[1] * 3]));
  });
  const pauses = data.results.pauses || [];
  return figure({ id: "series", heading: "Every request in the order of time", drawn: ["series"], reading:
    "The band reaches from the fastest to the slowest request of each short run, the line is the run's median: end to end in the target's colour, logging in amber. "
    + "The slowest request of each cell is named. All panels share one logarithmic axis. "
    + (data.figures.lanes.length > 0 ? "The lanes below show what interrupted client, server and machine during these requests." : "What interrupted client, server and machine was not recorded in this run.") },
  [holder],
  pauses.length > 0 ? tableDetails("pauses", "What interrupted client, server and machine during the run", [
    ["side", "side"], ["kind", "kind"], ["how often", "count", format.count], ["total ms", (p) => p.totalMicros / 1000, (v) => trim(v)], ["longest ms", (p) => p.maxMicros / 1000, (v) => trim(v)]], pauses, "Table of interruptions") : null);
}

function seriesWithLanes(body, item, range) {
  seriesPlot(body, item, range);
  if (data.figures.lanes.length > 0) lanesPlot(body, item.curve);
}

function seriesPlot(body, { curve, cell }, range) {
  const logging = data.figures.curves.find((c) => c.measure === "log" && c.target === curve.target && c.payloadBytes === curve.payloadBytes);
  const us = (list) => list.map((ns) => Math.max(1, ns) / 1000);
  const s = curve.series;
  const ours = palette.target(curve.target);
  const amber = palette.css("--logging");
  const line = (stroke) => ({ stroke, width: 1.5, points: { show: false } });
  const hidden = { stroke: "transparent", width: 0, points: { show: false } };
  const values = [s.first.map((i) => i + 1), us(s.max), us(s.min), us(s.median)];
  if (logging) values.push(us(logging.series.max), us(logging.series.min), us(logging.series.median));
  const worst = cell.slowest[0];
  plot(body, {
    height: 205,
    cursor: { y: false, drag: { x: true, y: false }, sync: { key: "series" } },
    scales: { x: { time: false, range: (u, min, max) => [min, max] }, y: { distr: 3, range: () => range } },
    axes: [axis("request", (u, v) => v.map((i) => (i >= 1e3 && i % 1e3 === 0 ? i / 1e3 + "k" : format.count(i))), { space: 60, size: 30 }), timeAxis("latency", true, true)],
    series: [{}, hidden, hidden, line(ours), ...(logging ? [hidden, hidden, line(amber)] : [])],
    bands: [{ series: [1, 2], fill: ours + "70" }, ...(logging ? [{ series: [4, 5], fill: amber + "70" }] : [])],
    plugins: worst ? [extreme(worst.request, worst.endToEndMicros)] : [],
    tip: (u, i) => ({
      heading: "requests from " + format.count(values[0][i]),
      lines: [[ours, "end to end", format.time(values[2][i]) + " – " + format.time(values[1][i]) + ", median " + format.time(values[3][i])],
        ...(logging ? [[amber, "logging", format.time(values[5][i]) + " – " + format.time(values[4][i]) + ", median " + format.time(values[6][i])]] : [])],
    }),
  }, values);
}

// A ring around the slowest request, with its name.
function extreme(request, micros) {
  return { hooks: { draw(u) {
    const ratio = devicePixelRatio;
    const { left, width, top } = u.bbox;
    const x = Math.min(left + width, Math.max(left, u.valToPos(request, "x", true)));
    const y = u.valToPos(micros, "y", true);
    const text = format.time(micros) + ", no. " + format.count(request);
    u.ctx.save();
    u.ctx.strokeStyle = u.ctx.fillStyle = palette.css("--ink");
    u.ctx.lineWidth = 1.5 * ratio;
    u.ctx.beginPath();
    u.ctx.arc(x, y, 4 * ratio, 0, 2 * Math.PI);
    u.ctx.stroke();
    u.ctx.font = 11 * ratio + "px system-ui, sans-serif";
    const over = x + u.ctx.measureText(text).width + 10 * ratio > left + width;
    u.ctx.textAlign = over ? "right" : "left";
    u.ctx.fillText(text, x + (over ? -3 : 3) * ratio, Math.max(top + 10 * ratio, y - 9 * ratio));
    u.ctx.restore();
  } } };
}
