// What only the page of a run has: its first screen, the published claims, the conditions, the slowest requests, the
// comparison. Whatever is a finding is a sentence of the results already; here it gets its place.

const counted = () => results().cells.filter((cell) => cell.count > 0);
const targetLabel = (name) => data.dimensions.get("target").label(name);
const loggedTargets = () =>
  results().environment.targets.filter(
    ({ name, force, facts }) =>
      force !== "off" && facts.service !== "http" && counted().some((cell) => cell.target === name),
  );

BUILD.subtitle = () =>
  [
    moment(results().startedAt),
    `${shown(
      d3.sum(counted(), (cell) => cell.count),
      "count",
    )} counted requests in ${counted().length} ${counted().length === 1 ? "cell" : "cells"}`,
    ...(counted().length > 0 ? [data.dimensions.get("target").values.map(targetLabel).join(", ")] : []),
    ...conditionsOf("simulated"),
  ].join(" · ");

BUILD.oneTrial = () =>
  results().plan.trials > 1
    ? null
    : h(
        "p.note",
        null,
        "One trial: each interval tells how blocks of one server and one client process differ. It cannot know how " +
          "the next start of the same processes would differ.",
      );

/** Whether the results may be used at all. */
function validity() {
  const { partial, validity: checks } = results();
  const failed = checks.filter((check) => !check.ok);
  const words = (check) => (check.id.includes(":") ? check.id.split(":")[1] + ": " : "") + check.detail;
  const invalid = failed.filter((check) => check.severity === "invalid").map(words);
  const care = (
    partial.partial
      ? [
          page.documents.view?.run?.state === "under-way"
            ? "The run is under way: this is the part that is complete."
            : `The run ended early: ${partial.reason}.`,
        ]
      : []
  ).concat(
    failed.filter((check) => check.severity !== "invalid" && !(partial.partial && check.id === "complete")).map(words),
  );
  if (invalid.length + care.length === 0)
    return h(
      "p.validity.good",
      null,
      h("b", null, "✓ A valid run: "),
      checks.length === 0 ? "nothing was found against it." : `all ${checks.length} checks passed.`,
    );
  return h(
    "div.validity." + (invalid.length > 0 ? "bad" : "care"),
    { role: "note", "aria-label": "Validity" },
    reasons("✗ Not valid, do not use these values: ", invalid, 3),
    reasons(invalid.length > 0 ? "Besides: " : "! Valid, but read it with care: ", care, 1),
  );
}

const DISKS = {
  consistent: ["holds", "consistent with stable media"],
  "volatile-cache": ["fails", "a volatile cache is probably answering"],
  "cannot-tell": ["undecided", "cannot tell from here whether the disk lies about forces"],
};
const stableStorage = (target) => results().stableStorage.find((found) => found.target === target);

BUILD.firstScreen = () => {
  const invalid = results().validity.some((check) => !check.ok && check.severity === "invalid");
  const believe = h(
    "div.believe." + (invalid ? "below" : "beside"),
    null,
    validity(),
    BUILD.oneTrial(),
    loggedTargets()
      .map((target) => stableStorage(target.name))
      .filter(Boolean)
      .map((found) =>
        h(
          "p.disk",
          null,
          h("b", null, targetLabel(found.target)),
          " ",
          badge(...(DISKS[found.verdict] || ["undecided", found.verdict])),
        ),
      ),
  );
  const lead = h(
    "div.lead",
    null,
    results().cost.map(({ sentence }, i) => h(i === 0 ? "p.cost" : "p.also", null, sentence)),
  );
  const drawing = data.tables.has("rates") ? "max-rate" : "cost";
  const picture = counted().length > 0 ? h("div.picture", null, figureOf(drawing).slice(0, 2)) : null;
  return [
    h("div.first", null, invalid ? believe : null, lead, picture, invalid ? null : believe),
    loggedTargets().map(strip),
    loggedTargets().length > 0
      ? h("p.note", null, page.list.cards[results().overhead.length > 0 ? "overhead" : "none"])
      : null,
  ];
};

/** A target's cards and the verdict on its disk, with both as text. */
function strip(target) {
  const rows = results().overhead.filter((row) => row.target === target.name);
  const verdicts = new Set(rows.map((row) => row.verdict));
  const same = verdicts.size === 1 ? rows[0].verdict : null;
  const cards =
    results().overhead.length > 0
      ? rows.map((row) => overheadCard(row, same === null))
      : counted()
          .filter((cell) => cell.target === target.name && cell.logMicros)
          .map((cell) =>
            card(
              size(cell.payloadBytes),
              shown(cell.logMicros.mean, "micros"),
              "µs",
              paragraph("mean logging latency"),
            ),
          );
  const disk = stableStorage(target.name);
  return h(
    "div.strip",
    null,
    h(
      "h3.row",
      null,
      targetLabel(target.name),
      target.stableStorage ? null : h("small", null, ": not stable storage"),
      same ? [" ", under10(same)] : null,
    ),
    h("div.cards", null, cards),
    disk && disk.reasons.length > 0
      ? details("The disk: " + disk.reasons[0], disk.reasons.slice(1).map(paragraph))
      : null,
  );
}

const card = (heading, big, small, ...rest) =>
  h("div.card", null, h("h4", null, heading), h("p.big", null, big, h("small", null, " " + small)), rest);

/** Whether logging costs less than a tenth, as the book says. */
const under10 = (verdict) =>
  badge(
    verdict,
    { holds: "holds: under 10 %", fails: "fails: over 10 %", "not-judged": "not judged: not valid" }[verdict] ||
      verdict.replace("-", " "),
  );

function overheadCard(row, withVerdict) {
  const { ratioOfMeans: ratio, seen, atMostMicros } = row;
  const added = row.meanMicros - row.offMeanMicros;
  const none = seen === "no-difference",
    unclear = seen === "unclear",
    most = atMostMicros == null ? "" : `at most ${shown(atMostMicros, "micros")} µs`;
  return card(
    size(row.payloadBytes),
    unclear ? "unclear" : none ? "no cost" : (added < 0 ? "−" : "+") + shown(Math.abs(added), "micros"),
    unclear ? "" : none ? "seen" : "µs",
    unclear
      ? paragraph(most ? most + ", more than a request takes without logging" : "the samples do not bound it")
      : none
        ? paragraph("no difference; " + most)
        : null,
    h(
      "p",
      null,
      shown(ratio.ratio, "times"),
      h("small", null, " " + interval(ratio, ratio.low != null && ratio.high != null ? "hundredths" : "number")),
    ),
    withVerdict ? under10(row.verdict) : null,
  );
}
FORMATS.hundredths = (value) => fixed(value, 2);

/** The value that decided a claim, if it was one. */
const decisive = ({ estimate, unit }) => (estimate ? shown(estimate.value, unit) + (unit === "B/s" ? " B/s" : "") : "");

/** The published claims: a row each, a column for each target, verdict and figure in the cell, the rest on a click. */
BUILD.claims = () => {
  const { claims } = results();
  if (claims.length === 0) return null;
  const targets = data.dimensions
    .get("target")
    .values.filter((target) => claims.some((claim) => claim.target === target));
  const finding = (claim, where) =>
    h(
      "details",
      null,
      h(
        "summary",
        null,
        badge(claim.verdict, claim.verdict.replace("-", " ")),
        " ",
        h("span.found", null, where + decisive(claim)),
      ),
      paragraph(
        claim.detail +
          (claim.estimate
            ? ` The value that decided: ${digits(claim.estimate.value)} ` +
              `${interval(claim.estimate, "number") || "(…, …)"}.`
            : ""),
      ),
    );
  const row = (id) => {
    const same = claims.filter((claim) => claim.id === id);
    const ofTheRun = same.some((claim) => !targets.includes(claim.target));
    return h(
      "tr.claim",
      null,
      h("th", { scope: "row" }, h("span.id", null, id), same[0].claim),
      h("td", { "data-head": "the book's figure" }, same[0].published),
      ofTheRun
        ? h(
            "td",
            { colspan: Math.max(1, targets.length) },
            same.map((claim) => finding(claim, claim.target == null ? "" : targetLabel(claim.target) + ": ")),
          )
        : targets.map((target) => {
            const own = same.filter((claim) => claim.target === target);
            return own.length === 0
              ? h("td.none", null, NONE)
              : h(
                  "td",
                  { "data-head": targetLabel(target) },
                  own.map((claim) => finding(claim, "")),
                );
          }),
    );
  };
  return h(
    "section.claims#claims",
    null,
    h("h3", null, "The published claims, on this machine"),
    h(
      "table.verdicts",
      null,
      h("caption", null, "Open a cell for its numbers and its rule."),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["claim", "the book's figure", ...(targets.length > 0 ? targets.map(targetLabel) : ["here"])].map((head) =>
            h("th", { scope: "col" }, head),
          ),
        ),
      ),
      h("tbody", null, [...new Set(claims.map((claim) => claim.id))].map(row)),
    ),
    details("What the book says, and what it does not", paragraph(page.list.book)),
  );
};

// ---- conditions

BUILD.conditions = () => {
  const { environment, command, conditions, validity: checks } = results();
  const brief = (target) => [
    ["force", target.force],
    ["stable storage", target.stableStorage ? "yes, unless the device lies about forces" : "no"],
    ...page.list.brief.filter((name) => target.facts[name]).map((name) => [words(name), target.facts[name]]),
  ];
  return [
    h("pre", null, h("code", null, command)),
    h(
      "div.factgrid",
      null,
      facts(
        "Plan",
        conditions.map(({ name, text }) => [name, text]),
      ),
      environment.targets
        .filter((target) => target.force !== "off")
        .map((target) => facts("Target " + targetLabel(target.name), brief(target))),
    ),
    details(
      "Everything that is known about targets, server and client",
      h(
        "div.factgrid",
        null,
        environment.targets.map((target) => facts("Target " + targetLabel(target.name), allFacts(target.facts))),
        facts("Server", allFacts(environment.server)),
        facts("Client", allFacts(environment.client)),
      ),
    ),
    details(`${checks.length} checks, ${checks.filter((check) => check.ok).length} passed`, checksList(checks)),
  ];
};

// ---- tables of which the rows are made

/** A target, with a mark where its cell was not steady while it was counted. */
BUILD.marked = (cell) => (isUnsteady(cell) ? h("span", { title: cell.steady.detail }, cell.target + "~") : cell.target);
BUILD.unsteady = () =>
  counted().some(isUnsteady)
    ? h("p.note", null, "~ not steady while it was counted: it became slower, or faster, in most trials.")
    : null;
const isUnsteady = ({ steady }) => steady != null && !steady.reached;

/** Peaks are named only where there is more than one and the bootstrap found each of them again. */
const peaksOf = (field) => () =>
  counted()
    .filter((cell) => cell[field].length > 1)
    .flatMap((cell) => cell[field].map((peak) => ({ ...cell, peak })));
BUILD.loggingPeaks = peaksOf("logPeaks");
BUILD.endToEndPeaks = peaksOf("endToEndPeaks");

/**
 * Percentiles as multiples of the median: the shape of a distribution without its scale. Of less than a
 * microsecond they say nothing.
 */
BUILD.multiples = () =>
  counted().flatMap((cell) =>
    [
      ["logging", cell.logMicros, cell.logTail],
      ["end to end", cell.endToEndMicros, cell.endToEndTail],
    ]
      .filter(([, found, tail]) => found && tail && found.p50 >= 1)
      .map(([measure, found, tail]) => ({
        ...cell,
        measure,
        found,
        tail,
        times: Object.fromEntries(["mean", "p95", "p99", "p999", "max"].map((name) => [name, found[name] / found.p50])),
      })),
  );
const unbounded = ({ found }) => found.quantiles.some(({ q, interval }) => q === 0.999 && interval.high == null);
BUILD.p999 = (row) => shown(row.times.p999, "times") + (unbounded(row) ? "*" : "");
BUILD.fewRequests = () =>
  BUILD.multiples().some(unbounded)
    ? h("p.note", null, "* Too few requests, or too unlike each other, to bound the 99.9th percentile from above.")
    : null;

/** Bytes a microsecond are 10^6 bytes a second. */
BUILD.megabytes = ({ payloadBytes, logMicros: found }) => {
  if (!found || !(found.mean > 0)) return NONE;
  const { low, high } = found.meanInterval || {};
  const bounds = low > 0 && high != null ? interval({ low: payloadBytes / high, high: payloadBytes / low }) : "";
  return h("span", null, shown(payloadBytes / found.mean, "micros"), bounds ? h("small", null, bounds) : null);
};

BUILD.partColumns = (rows) =>
  [...new Set(rows.flatMap((cell) => cell.parts.map((part) => part.name)))].map((name) => {
    BUILD["part:" + name] = partOf(name);
    return [name, "?part:" + name];
  });
const partOf = (name) => (cell) => {
  const part = cell.parts.find((one) => one.name === name);
  return part ? shown(part.micros, "micros") : NONE;
};

/** Parts of a latency side by side, as wide as their shares. */
const bar = (parts) =>
  h(
    "div.bar",
    null,
    parts
      .filter((part) => part.share > 0)
      .map((part) =>
        h(
          "span",
          {
            style:
              `width:${(part.share * 100).toFixed(1)}%;background:` +
              colour(styleOf(data.dimensions.get("part"), part.name).ink),
            title: `${part.name}: ${shown(part.micros, "micros")} µs, ${percent(part.share)}`,
          },
          part.share >= 0.16 ? h("em", null, part.name) : null,
        ),
      ),
  );

/** Slow requests of all cells, slowest first, as rows of a table. */
const slowRows = (of) => {
  const all = counted()
    .flatMap((cell) => of(cell).map((slow, place) => ({ cell, slow, place })))
    .sort((a, b) => b.slow.endToEndMicros - a.slow.endToEndMicros);
  const trials = new Set(all.map(({ slow }) => slow.trial)).size > 1;
  const met = all.some(({ slow }) => slow.overlaps.length > 0);
  const heads = [
    "size",
    "target",
    "end to end µs",
    ...(trials ? ["trial"] : []),
    "request",
    "at s",
    "logging µs",
    "write µs",
    "force µs",
    "parts",
    ...(met ? ["meanwhile"] : []),
  ];
  const row =
    (bars) =>
    ({ cell, slow }) => ({
      about: { "data-row": JSON.stringify({ payload: String(cell.payloadBytes), target: cell.target }) },
      cells: [
        size(cell.payloadBytes),
        cell.target,
        shown(slow.endToEndMicros, "micros"),
        ...(trials ? [String(slow.trial + 1)] : []),
        shown(slow.request, "count"),
        fixed(slow.atSeconds, 3),
        ...["logMicros", "writeMicros", "forceMicros"].map((name) => shown(slow[name], "micros")),
        slow.parts.length === 0
          ? NONE
          : bars
            ? bar(slow.parts)
            : slow.parts.map((part) => `${part.name} ${shown(part.micros, "micros")}`).join("; "),
        ...(met
          ? [
              h(
                "span.wrapped",
                null,
                slow.overlaps
                  .map((one) => `${one.side} ${one.kind} ${time(one.micros)}${one.detail ? ` (${one.detail})` : ""}`)
                  .join("; ") || "nothing that was recorded",
              ),
            ]
          : []),
      ],
    });
  return { all, met, heads, row };
};

BUILD.worst = () => {
  const { all, heads, row } = slowRows((cell) => (cell.overTime ? cell.overTime.worst : []));
  if (results().plan.keepSamples === false)
    return h("p.reading", null, "No single request is shown: only bins of at most 1 % were kept of this load.");
  if (all.length === 0) return null;
  return table("The slowest request of each of the ten worst moments", heads, all.slice(0, 10).map(row(true)));
};

BUILD.slowest = () => {
  const { all, met, heads, row } = slowRows((cell) => cell.slowest);
  if (all.length === 0) return null;
  const limit = all[Math.min(all.length, 20) - 1].slow.endToEndMicros;
  return [
    h(
      "p.reading",
      null,
      "A slow request is a finding, not an outlier to be removed: here is where its time went" +
        (met
          ? " and what happened on the machines meanwhile."
          : ". This run recorded no events of the machines, or none overlapped these requests."),
    ),
    table("The slowest requests of the run", heads, all.slice(0, 20).map(row(true))),
    details(
      "The slowest of each cell, too",
      table(
        "The slowest requests of the run and of each cell; results.json has more",
        heads,
        all.filter(({ slow, place }) => slow.endToEndMicros >= limit || place < 5).map(row(false)),
      ),
    ),
  ];
};
