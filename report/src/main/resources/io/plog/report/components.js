// Where the mean end-to-end latency goes: one bar per cell, its parts as shares that add up to the whole.
function components() {
  const holder = el("div", { id: "plots-components" });
  charts.register(holder, (h) => {
    const cells = data.results.components.filter((c) => shown.sizes().includes(c.payloadBytes) && shown.targets().includes(c.target));
    if (cells.length === 0) return panels(h, [], null);
    h.append(el("ul", { class: "key blocks" }, ...[...new Set(cells.flatMap((c) => c.parts.map((p) => p.name)))].map((name) =>
      el("li", null, el("i", { style: { background: palette.part(name) } }), name))));
    for (const target of shown.targets()) {
      const rows = cells.filter((c) => c.target === target);
      if (rows.length > 0) h.append(el("h3", { class: "row" }, data.label(target)), ...rows.map(componentBar));
    }
  });
  const names = [...new Set(data.results.components.flatMap((c) => c.parts.map((p) => p.name)))];
  const part = (name) => (c) => c.parts.find((p) => p.name === name)?.micros;
  const several = data.results.components.some((c) => c.atMedian.length > 0 || c.atP99.length > 0);
  return figure({ id: "components", heading: "Where the time goes", drawn: ["components"], reading:
    "Each bar is the end-to-end latency of a cell, divided into what it was spent on. The execution of a logged request runs while its record is forced, "
    + "so it takes no share of its own; network and client is what the server did not see." + (several ? "" : " Only the means were computed in this run.") },
  [several ? choice("Requests", "at", [["parts", "all, at the mean"], ["atMedian", "around the median"], ["atP99", "around the 99th percentile"]]) : null, holder].filter(Boolean),
  tableDetails("components-mean", "Mean of each part in microseconds; the parts add up to end to end. Execution in brackets overlaps the force.", [
    ["size", "payloadBytes", format.size], ["target", "target"], ["end to end", "endToEndMicros", format.micros],
    ...names.map((name) => [name, part(name), (v) => format.micros(v)]),
    ["(execution)", "executionMicros", format.micros]], data.results.components));
}

function componentBar(cell) {
  const parts = cell[state.at]?.length > 0 ? cell[state.at] : cell.parts;
  const total = parts.reduce((sum, p) => sum + p.micros, 0);
  return el("div", { class: "barrow" }, el("span", { class: "barname" }, format.size(cell.payloadBytes)), partsBar(parts, format.size(cell.payloadBytes)),
    el("span", { class: "bartotal" }, format.micros(total) + " µs"));
}

// Parts side by side, as wide as their shares.
function partsBar(parts, name) {
  const bar = el("div", { class: "bar", role: "img", "aria-label": name + ": "
    + parts.map((p) => p.name + " " + format.percent(Math.max(0, p.share))).join(", ") });
  for (const part of parts) {
    if (part.share <= 0) continue;
    const colour = palette.part(part.name);
    bar.append(el("span", { style: { width: part.share * 100 + "%", background: colour }, title: part.name + ": " + format.micros(part.micros) + " µs, " + format.percent(part.share) },
      part.share >= 0.09 ? el("em", { style: { color: inkOn(colour) } }, format.wholePercent(part.share)) : null));
  }
  return bar;
}

function inkOn(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => Math.pow(c, 2.2));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#101418" : "#ffffff";
}
