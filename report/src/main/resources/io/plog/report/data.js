// The data inside this file: the content of results.json, and what the figures draw beyond it, in differences to save space; as JSON,
// deflated, in base64.
const data = readData();

function readData() {
  const { results, figures, comparison } = JSON.parse(embedded());
  figures.curves.forEach(unpack);
  figures.lanes = (figures.lanes || []).map(unpackLane);
  const cells = results.cells.filter((c) => c.count > 0);
  const targets = results.environment.targets.filter((t) => cells.some((c) => c.target === t.name));
  return {
    results, figures, cells, comparison,
    sizes: [...new Set(cells.map((c) => c.payloadBytes))],
    targets: targets.map((t) => t.name),
    logged: targets.filter((t) => t.force !== "off").map((t) => t.name),
    target: (name) => results.environment.targets.find((t) => t.name === name),
    label(name) {
      const force = this.target(name)?.force ?? "";
      return force === "off" ? "without logging" : name === force ? name : name + " (" + force + ")";
    },
    cell: (target, bytes) => cells.find((c) => c.target === target && c.payloadBytes === bytes),
    curves: (measure) => figures.curves.filter((c) => c.measure === measure),
    curve: (measure, target, bytes) => figures.curves.find((c) => c.measure === measure && c.target === target && c.payloadBytes === bytes),
  };
}

function embedded() {
  const deflated = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
  return new TextDecoder().decode(inflate(deflated));
}

function unpack(curve) {
  curve.ecdf = curve.ecdf.map(summed);
  const { first, min, median, max, start, length } = curve.series;
  const medians = median.map((above, i) => above + min[i]);
  const starts = summed(start);
  curve.series = { first: summed(first), min, median: medians, max: max.map((above, i) => above + medians[i]),
    start: starts, end: starts.map((from, i) => from + length[i]) };
}

function unpackLane({ side, kind, start, length }) {
  return { side, kind, start: summed(start).map((t) => t / 10), length: length.map((t) => t / 10) };
}

function summed(steps) {
  let at = 0;
  return steps.map((step) => (at += step));
}
