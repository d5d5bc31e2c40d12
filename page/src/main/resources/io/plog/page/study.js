// What only the page of a load study has: its first screen, the claims, and the conditions.

BUILD.subtitle = () =>
  [
    moment(results().startedAt),
    `${results().plan.designs.length} designs`,
    `${results().cells.filter((cell) => cell.underLoad).length} cells`,
    ...conditionsOf("force", "simulated"),
  ].join(" · ");

/** What is wrong, without the list of the cells behind it if that is long: the picture is to be seen as well. */
const brief = (reason) =>
  reason.length > 200 && reason.includes(": ") ? reason.slice(0, reason.indexOf(": ")) + "." : reason;

const invalidates = ({ ok, severity }) => !ok && severity === "invalid";

function validity() {
  const { partial, validity: checks } = results();
  const invalid = checks.filter(invalidates);
  const bad = [
    ...(partial.partial ? ["The study ended before its plan was done: " + partial.reason] : []),
    ...invalid.concat(checks.filter((check) => !check.ok && !invalidates(check))).map(({ detail }) => detail),
  ];
  if (bad.length === 0)
    return h(
      "p.validity.good",
      null,
      h("b", null, "✓ A valid study: "),
      checks.length === 0 ? "nothing was checked." : `all ${checks.length} checks passed.`,
    );
  const cut = brief(bad[0]) !== bad[0];
  return h(
    "div.validity." + (invalid.length > 0 ? "bad" : "care"),
    { role: "note", "aria-label": "Validity" },
    reasons(
      invalid.length > 0 ? "✗ Not valid, do not use these figures: " : "! Valid, but to be read with care: ",
      [brief(bad[0]), ...(cut ? bad : bad.slice(1))],
      1,
    ),
  );
}

BUILD.firstScreen = () => {
  const {
    validity: checks,
    cost,
    plan: { trials },
  } = results();
  const invalid = checks.some(invalidates);
  const believe = h(
    "div.believe." + (invalid ? "below" : "beside"),
    null,
    validity(),
    trials > 1
      ? null
      : h(
          "p.note",
          null,
          "One trial: its intervals know how the parts of one run differ, not how the next start of the same " +
            "processes would. So no finding is decided; --trials 5 decides.",
        ),
  );
  const picture = figureOf("summary");
  return h(
    "div.first",
    null,
    invalid ? believe : null,
    h(
      "div.lead",
      null,
      cost.map(({ sentence }, i) => h(i === 0 ? "p.cost" : "p.also", null, sentence)),
    ),
    picture ? h("div.picture", null, picture.slice(0, 2)) : null,
    invalid ? null : believe,
  );
};

BUILD.claims = () => {
  const { claims, partial } = results();
  if (claims.length === 0)
    return h("p.empty", null, "No claim was judged" + (partial.partial ? ", because the study ended early." : "."));
  return h(
    "div.claims",
    null,
    claims.map(({ id, claim, verdict, detail }) =>
      judged([h("span.id", null, id), claim], verdict, verdict.replace("-", " "), detail, []),
    ),
  );
};

BUILD.conditions = () => {
  const { command, conditions, environment, validity: checks } = results();
  const directory = environment.targets.find(({ force }) => force !== "off") || { facts: {} };
  return [
    h("pre", null, h("code", null, command)),
    h(
      "div.factgrid",
      null,
      facts(
        "Plan",
        conditions.map(({ name, text }) => [name, text]),
      ),
      facts("Server", allFacts(environment.server)),
      facts("Client", allFacts(environment.client)),
      facts("Log directory", allFacts(directory.facts)),
    ),
    checks.length === 0
      ? h("p.empty", null, "Nothing was checked.")
      : details(`${checks.length} checks`, checksList(checks)),
  ];
};

/** All designs at the same rates, rate by rate. */
BUILD.atOneRate = () =>
  d3.sort(
    (data.tables.get("loads") || { rows: [] }).rows.filter(({ kind }) => kind === "absolute"),
    (row) => row["offered/s"],
  );

/** What the comparisons of designs found, in sentences. */
BUILD.comparisons = () =>
  h(
    "ul",
    null,
    results()
      .overhead.filter(({ sentence }) => sentence)
      .map(({ sentence }) => h("li", null, sentence)),
  );

const workloads = () => results().cells.filter(({ underLoad }) => underLoad && underLoad.workload);
const within = ({ quantiles }, q) => quantiles.find((one) => Math.abs(one.q - q) < 1e-9).micros;

/** A row for each component of a workload's requests. */
BUILD.workloadParts = () =>
  workloads().flatMap(({ target, dimensions, underLoad: { workload } }) =>
    workload.parts.map((part) => ({
      ...part,
      design: target,
      workload: dimensions.workload,
      p95: within(part.micros, 0.95),
      p999: within(part.micros, 0.999),
    })),
  );
BUILD.workloadPeaks = ({ peaks }) =>
  peaks.map(({ micros, share }) => `${micros < 0.01 ? "none" : time(micros)} (${percent(share)})`).join(" and ") ||
  "no peak";
BUILD.workloadNotes = () =>
  workloads().flatMap(({ underLoad: { workload } }) => workload.notes.map((note) => h("p.note", null, note)));
