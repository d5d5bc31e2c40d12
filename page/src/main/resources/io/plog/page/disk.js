// What only the page of a disk has: the verdict on each directory and on the gates, and the conditions.

const results = () => page.documents.results;
const LOOKS = { "consistent": "holds", "volatile-cache": "fails", "cannot-tell": "undecided" };

BUILD.subtitle = () => [moment(results().startedAt), results().directories.map(({ path }) => path).join(", "), `${results().plan.blocksDone} of ${results().plan.blocks} randomised blocks`].join(" · ");

BUILD.verdict = () => {
  const { partial, directories } = results();
  const { gates, costs, busy } = page.documents;
  return [partial.partial ? h("div.validity.bad", { role: "note" }, paragraph(`✗ Partial, ${partial.reason}.`)) : null,
    busy ? h("div.validity", { role: "note" }, paragraph("! " + busy)) : null,
    h("div.claims", null, gates.map(({ gate, outcome, sentence }) => judged(gate, { failed: "fails", undecided: "undecided" }[outcome] || "holds", "gate " + outcome, sentence, [])),
      directories.map(({ path, stableStorage: found }, i) => judged(path, LOOKS[found.verdict] || "undecided", found.sentence, costs[i], found.reasons)))];
};

/** Of each directory, what appends of the smallest size take. */
BUILD.smallest = () => { const { rows } = data.tables.get("disk-appends") || { rows: [] }; return rows.filter((row) => row.size === d3.min(rows, ({ size: bytes }) => bytes)); };

BUILD.pair = () => { const { pair } = page.documents; const cells = table(pair.caption, pair.columns, pair.rows.map((row) => ({ cells: row }))); return [h("p.reading", null, pair.sentence), pair.rows.length > 20 ? details("Cell by cell", cells) : cells]; };

BUILD.conditions = () => h("div.factgrid", null,
  results().directories.map(({ path, facts: known, ways }) => facts(path, [...allFacts(known), ...ways.map((way) => [way.force, (way.available ? "" : "not available: ") + way.detail])])),
  facts("Machine and plan", [...allFacts(results().machine), ["seed", String(results().plan.seed)], ["time for each directory", shown(results().plan.secondsPerDirectory, "s")]]));
