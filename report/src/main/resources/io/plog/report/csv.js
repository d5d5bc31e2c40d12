// What each figure draws, as the files of plog report --figures have it: by figure name, made when asked for.
const csvOf = {
  "logging-density": () => densityCsv("log", data.figures.logging),
  "logging-density-linear": () => densityCsv("log", data.figures.logging),
  "end-to-end-density": () => densityCsv("e2e", data.figures.endToEnd),
  "end-to-end-density-linear": () => densityCsv("e2e", data.figures.endToEnd),
  "means": meansCsv,
  "shift": shiftCsv,
  "ecdf-logging": () => ecdfCsv("log"),
  "ecdf-end-to-end": () => ecdfCsv("e2e"),
  "tail-logging": () => tailCsv("log"),
  "tail-end-to-end": () => tailCsv("e2e"),
  "series": seriesCsv,
  "components": componentsCsv,
  "comparison": comparisonCsv,
};

function csvText(columns, rows) {
  return [columns, ...rows].map((line) => line.map(csvField).join(",")).join("\n") + "\n";
}

function csvField(value) {
  if (value == null) return "";
  if (typeof value === "number") return plain(value);
  const text = String(value);
  return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

// No exponents: not every program reads them.
function plain(number) {
  const text = String(number);
  return text.includes("e") ? number.toFixed(20).replace(/\.?0+$/, "") : text;
}

const significant = (x, digits) => Number(x.toPrecision(digits));

function densityCsv(measure, bins) {
  const rows = data.curves(measure).flatMap((c) => c.counts.map((n, i) => {
    const [from, to] = [bins.edges[i], bins.edges[i + 1]];
    const share = n / c.count;
    return [c.target, c.payloadBytes, from, to, n, significant(share, 6), significant(share / Math.log(to / from), 6), significant(share / (to - from), 6)];
  }));
  return csvText(["target", "payload bytes", "from µs", "to µs", "requests", "share", "share per factor e", "share per µs"], rows);
}

function meansCsv() {
  const rows = data.cells.flatMap((c) => [["logging", c.logMicros], ["end to end", c.endToEndMicros]].filter(([, d]) => d)
    .map(([measure, d]) => [c.target, c.payloadBytes, measure, c.count, d.mean, d.sd, d.meanInterval?.low, d.meanInterval?.high, d.p50]));
  return csvText(["target", "payload bytes", "measure", "requests", "mean µs", "sd µs", "mean low µs", "mean high µs", "median µs"], rows);
}

function shiftCsv() {
  const rows = data.results.overhead.flatMap((o) => o.shift.map((s) => [o.target, o.payloadBytes, s.q, s.micros, s.interval.low, s.interval.high]));
  return csvText(["target", "payload bytes", "quantile", "difference µs", "low µs", "high µs"], rows);
}

// Half the width of the 95 % band of Dvoretzky, Kiefer, Wolfowitz and Massart.
const bandOf = (curve) => Math.sqrt(Math.log(2 / (1 - 0.95)) / (2 * curve.count));

function ecdfCsv(measure) {
  const rows = data.curves(measure).flatMap((c) => c.ecdf[0].map((ns, i) => {
    const share = c.ecdf[1][i] / c.count;
    return [c.target, c.payloadBytes, ns / 1000, significant(share, 8),
      significant(Math.max(0, share - bandOf(c)), 6), significant(Math.min(1, share + bandOf(c)), 6)];
  }));
  return csvText(["target", "payload bytes", "latency µs", "share at most", "band low", "band high"], rows);
}

function tailCsv(measure) {
  const rows = data.curves(measure).flatMap((c) => c.ecdf[0].map((ns, i) => {
    const slower = c.count - c.ecdf[1][i];
    return [c.target, c.payloadBytes, ns / 1000, slower, significant(slower / c.count, 8)];
  }));
  return csvText(["target", "payload bytes", "latency µs", "requests slower", "share slower"], rows);
}

function seriesCsv() {
  const rows = data.figures.curves.flatMap((c) => {
    const { start, end } = data.curve("e2e", c.target, c.payloadBytes).series;
    return c.series.first.map((first, i) => [c.target, c.payloadBytes, c.measure === "log" ? "logging" : "end to end", first + 1,
      start[i], end[i], c.series.min[i] / 1000, c.series.median[i] / 1000, c.series.max[i] / 1000]);
  });
  return csvText(["target", "payload bytes", "measure", "first request", "start ms", "end ms", "min µs", "median µs", "max µs"], rows);
}

function componentsCsv() {
  const order = (c) => data.targets.indexOf(c.target) * 1e9 + c.payloadBytes;
  const rows = [...data.results.components].sort((a, b) => order(a) - order(b)).flatMap((c) =>
    [["mean", c.parts], ["median", c.atMedian], ["p99", c.atP99]].flatMap(([at, parts]) =>
      parts.map((p) => [c.target, c.payloadBytes, at, p.name, p.micros, p.share])));
  return csvText(["target", "payload bytes", "at", "part", "µs", "share"], rows);
}

function comparisonCsv() {
  const rows = data.comparison.cells.flatMap((c) => c.figures.map((f) => [c.payloadBytes, c.targetA, c.targetB, c.measure === "log" ? "logging" : "end to end", f.figure,
    f.aMicros, f.bMicros, f.ratio.value, f.ratio.low, f.ratio.high, f.jointRatio.low, f.jointRatio.high, f.verdict]));
  return csvText(["payload bytes", "target A", "target B", "measure", "figure", "A µs", "B µs", "B by A", "low", "high", "joint low", "joint high", "verdict"], rows);
}
