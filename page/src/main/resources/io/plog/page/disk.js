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

/** Of each directory, what appends of the smallest size take, and how many there are a second. */
BUILD.smallest = () => {
  const { rows } = data.tables.get("disk-appends") || { rows: [] };
  const smallest = d3.min(rows, ({ size: bytes }) => bytes);
  return rows
    .filter((row) => row.size === smallest)
    .map((row) => ({
      ...row,
      rates: Object.fromEntries(
        results()
          .cells.filter(
            ({ target, force, payloadBytes, dimensions, logMicros }) =>
              logMicros &&
              target === row.directory &&
              force === row.force &&
              payloadBytes === smallest &&
              dimensions.file === page.documents.words.file &&
              dimensions.neighbour === "none",
          )
          .map(({ dimensions: { appends }, logMicros: { mean } }) => [
            appends,
            Number(((appends * 1e6) / mean).toPrecision(3)),
          ]),
      ),
    }));
};

BUILD.rates = (rows) =>
  d3
    .sort(new Set(rows.flatMap(({ rates }) => Object.keys(rates).map(Number))))
    .map((appends) => [appends === 1 ? "alone, /s" : `by ${appends}, /s`, "rates." + appends, "count"]);

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
