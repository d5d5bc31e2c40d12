// Where the mean end-to-end latency goes: one bar per cell, its parts as shares that add up to the whole.
function components() {
  const holder = el("div", { id: "plots-components" });
  charts.register(holder, (h) => {
    const cells = data.results.components.filter((c) => shown.sizes().includes(c.payloadBytes) && shown.targets().includes(c.target));
    if (cells.length === 0) return panels(h, [], null);
    h.append(el("ul", { class: "key blocks" }, ...cells[0].parts.map((part, i) =>
      el("li", null, el("i", { style: { background: palette.part(i) } }), part.name))));
    for (const target of shown.targets()) {
      const rows = cells.filter((c) => c.target === target);
      if (rows.length > 0) h.append(el("h3", { class: "row" }, data.label(target)), ...rows.map(componentBar));
    }
  });
  const names = data.results.components[0]?.parts.map((p) => p.name) || [];
  return figure("components", "Where the time goes",
    "Each bar is the mean end-to-end latency of a cell, divided into what it was spent on. The execution of a logged request runs while its record is forced, "
    + "so it takes no share of its own; network and client is what the server did not see.",
    holder,
    tableDetails("components", "Mean of each part in microseconds; the parts add up to end to end. Execution in brackets overlaps the force.", [
      ["size", "payloadBytes", format.size], ["target", "target"], ["end to end", "endToEndMicros", format.micros],
      ...names.map((name, i) => [name, (c) => c.parts[i].micros, (v) => format.micros(v)]),
      ["(execution)", "executionMicros", format.micros]], data.results.components));
}

function componentBar(cell) {
  const bar = el("div", { class: "bar", role: "img", "aria-label": format.size(cell.payloadBytes) + ": "
    + cell.parts.map((p) => p.name + " " + format.percent(Math.max(0, p.share))).join(", ") });
  cell.parts.forEach((part, i) => {
    if (part.share <= 0) return;
    const share = format.percent(part.share);
    bar.append(el("span", { style: { width: part.share * 100 + "%", background: palette.part(i) },
      title: part.name + ": " + format.micros(part.micros) + " µs, " + share },
    part.share >= 0.09 ? el("em", { style: { color: inkOn(palette.part(i)) } }, Math.round(part.share * 100) + " %") : null));
  });
  return el("div", { class: "barrow" }, el("span", { class: "barname" }, format.size(cell.payloadBytes)), bar,
    el("span", { class: "bartotal" }, format.micros(cell.endToEndMicros) + " µs"));
}

function inkOn(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => Math.pow(c, 2.2));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#101418" : "#ffffff";
}
