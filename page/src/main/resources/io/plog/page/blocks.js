// Blocks that several kinds of page have: badges, reasons, facts, checks.

const results = () => page.documents.results;

/** What was to be run, of these names. */
const conditionsOf = (...names) =>
  results()
    .conditions.filter(({ name }) => names.includes(name))
    .map(({ name, text }) => name + ": " + text);
const SIGNS = { holds: "✓", fails: "✗", undecided: "?", "not-testable": NONE, "not-judged": NONE };
const badge = (style, words, sign = SIGNS[style]) =>
  h("span.badge." + style, null, h("b", { "aria-hidden": "true" }, sign), " ", words);
const moment = (startedAt) => startedAt.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
const paragraph = (text) => h("p", null, text);

/** Where the page of another run is; null on a page that knows of no others. */
const hrefOf = (name) =>
  page.documents.published
    ? name.split("/").map(encodeURIComponent).join("/") + "/report.html"
    : page.documents.view
      ? "/run?" + new URLSearchParams({ name })
      : null;

const words = (name) =>
  name
    .replace(/Bytes$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
function readable(name, value) {
  const kernel = /^(\d{1,15}) kB$/.exec(value);
  if (kernel) return memory(Number(kernel[1]) * 1024);
  return (name.endsWith("Bytes") || name === "cgroupMemory") && /^\d{1,15}$/.test(value)
    ? memory(Number(value))
    : value || NONE;
}
const facts = (heading, pairs) =>
  h(
    "div.facts",
    null,
    h("h3", null, heading),
    pairs.length === 0
      ? h("p.empty", null, "Nothing is known.")
      : h(
          "dl",
          null,
          pairs.map(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
        ),
  );
const allFacts = (known) => Object.entries(known).map(([name, value]) => [words(name), readable(name, value)]);
const checksList = (checks) =>
  h(
    "ul.checks",
    null,
    checks.map(({ ok, severity, id, detail }) =>
      h("li." + (ok ? "ok" : severity), null, h("b", null, ok ? "✓ " : "✗ "), h("span.id", null, id), " ", detail),
    ),
  );

/** What was judged, its verdict, a sentence, and the reasons on request. */
const judged = (heading, style, words, sentence, reasons) =>
  h(
    "div.claim",
    null,
    h("h3", null, heading),
    h("p.finding", null, badge(style, words), " ", h("span", null, sentence)),
    reasons.length > 0 ? details("Why", reasons.map(paragraph)) : null,
  );

/** The first few of some reasons; the others on request. */
function reasons(heading, texts, most) {
  if (texts.length === 0) return null;
  const others = texts.slice(most);
  return [
    h("p", null, h("b", null, heading), texts[0]),
    texts.slice(1, most).map(paragraph),
    others.length > 0
      ? h(
          "details",
          null,
          h("summary", null, others.length === 1 ? "1 more reason" : others.length + " more reasons"),
          others.map(paragraph),
        )
      : null,
  ];
}

const many = (items) => (items.length > 20 ? details("Cell by cell", h("ul", null, items)) : h("ul", null, items));

/** Every figure of a comparison; none if there are gates alone. */
BUILD.compared = () => (data.tables.get("comparison") || { rows: [] }).rows;

/** The comparison with another run, or of two targets, and gates. */
BUILD.comparison = () => {
  const found = page.documents.comparison;
  if (!found)
    return h(
      "p.reading",
      null,
      "This report is of one run; ",
      h("code", null, "plog report RUN OTHER-RUN"),
      " sets two side by side.",
    );
  const { a, b } = found;
  return [
    a
      ? [
          h(
            "p.reading",
            null,
            `A, the baseline: ${a.path} of ${moment(a.startedAt)}. B: ${b.path} of ${moment(b.startedAt)}. ` +
              (found.paired
                ? "Blocks that ran side by side are paired."
                : "The runs were separate, so whatever changed between them is in here."),
          ),
          found.anyway ? paragraph("Compared although it should not be, because that was asked for.") : null,
          h(
            "ul",
            null,
            found.differences.map((one) =>
              h("li", null, `${one.forbids ? "Not comparable" : "Differs"}, ${one.what}: ${one.a} in A, ${one.b} in B`),
            ),
          ),
          h("p", null, h("strong", null, found.sentence)),
          many(
            found.cells.map((cell) =>
              h(
                "li",
                null,
                `${size(cell.payloadBytes)}, ${cell.name}, ` +
                  `${{ endToEnd: "end to end", log: "logging" }[cell.measure]}: ${cell.sentence}`,
              ),
            ),
          ),
        ]
      : null,
    found.gates.length === 0
      ? null
      : table(
          "Gates",
          ["outcome", "gate", "cell", "found"],
          found.gates.map((gate) => ({ cells: [gate.outcome, gate.gate, gate.cell, gate.detail] })),
        ),
  ];
};
