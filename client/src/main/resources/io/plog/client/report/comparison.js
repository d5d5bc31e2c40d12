// The comparison with another run, or of two targets, and what came of the gates. Without one, half a sentence says how to get it.
function comparison() {
  const found = data.comparison;
  if (!found) {
    return el("section", { id: "comparison", class: "figure" },
      el("h2", null, "Comparison"),
      el("p", { class: "reading" }, "This report is of one run; ", el("code", null, "plog report RUN OTHER-RUN"), " sets two side by side."));
  }
  return el("section", { id: "comparison", class: "figure" },
    el("h2", null, "Comparison"),
    ...compared(found), ...gated(found));
}

function compared(found) {
  if (!found.a) return [];
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
