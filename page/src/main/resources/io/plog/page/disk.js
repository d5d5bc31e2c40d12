// What only the page of a disk has: the verdict on each directory, and the conditions.

const LOOKS = { consistent: "holds", "volatile-cache": "fails", "cannot-tell": "undecided" };
const directories = () => results().environment.targets;

BUILD.subtitle = () =>
  [
    moment(results().startedAt),
    directories()
      .map(({ name }) => name)
      .join(", "),
    ...conditionsOf("order"),
  ].join(" · ");

BUILD.verdict = () => {
  const { partial, stableStorage, cost, validity } = results();
  const gates = page.documents.comparison ? page.documents.comparison.gates : [];
  const wrong = validity.filter(({ ok }) => !ok);
  return [
    partial.partial ? h("div.validity.bad", { role: "note" }, paragraph(`✗ Partial, ${partial.reason}.`)) : null,
    wrong.length === 0
      ? null
      : h(
          "div.validity" + (wrong.some(({ severity }) => severity === "invalid") ? ".bad" : ""),
          { role: "note" },
          wrong.map(({ severity, detail }) =>
            paragraph(`${severity === "invalid" ? "✗ Not valid" : "! Warning"}: ${detail}`),
          ),
        ),
    h(
      "div.claims",
      null,
      gates.map(({ gate, cell, outcome, detail }) =>
        judged(gate, outcome, "gate " + outcome, `${cell}: ${detail}`, []),
      ),
      stableStorage.map((found) =>
        judged(
          found.target,
          LOOKS[found.verdict] || "undecided",
          found.sentence,
          cost
            .filter(({ target }) => target === found.target)
            .map(({ sentence }) => sentence)
            .join(" "),
          found.reasons,
        ),
      ),
    ),
  ];
};

/** Of each directory, what appends of the smallest size take. */
BUILD.smallest = () => {
  const { rows } = data.tables.get("disk-appends") || { rows: [] };
  return rows.filter((row) => row.size === d3.min(rows, ({ size: bytes }) => bytes));
};

BUILD.conditions = () =>
  h(
    "div.factgrid",
    null,
    directories().map(({ name, facts: known }) => facts(name, allFacts(known))),
    facts("Machine and plan", [
      ...allFacts(results().environment.client),
      ...results().conditions.map(({ name, text }) => [name, text]),
      ["command", results().command],
    ]),
  );
