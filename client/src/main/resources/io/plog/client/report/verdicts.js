// The top of the page: what to worry about, what logging costs in plain words, and the published claims one by one.
const WORDS = { holds: ["✓", "holds"], fails: ["✗", "fails"], undecided: ["?", "undecided"], "not-testable": ["–", "not testable"] };

function badge(verdict, instead) {
  const [sign, word] = [WORDS[verdict][0], instead || WORDS[verdict][1]];
  return el("span", { class: "badge " + verdict }, el("b", { "aria-hidden": "true" }, sign), " " + word);
}

function warnings() {
  const bad = data.results.validity.filter((check) => !check.ok);
  const partial = data.results.partial;
  const items = [
    ...(partial.partial ? [["partial", "This run is partial: " + partial.reason + "."]] : []),
    ...bad.filter((check) => !(partial.partial && check.id === "complete"))
      .map((check) => [check.severity, (check.id.includes(":") ? check.id.split(":")[1] + ": " : "") + check.detail]),
  ];
  if (items.length === 0) return null;
  return el("section", { class: "warnings", role: "note", "aria-label": "Warnings" },
    ...items.map(([severity, text]) => el("p", { class: severity }, el("b", null, severity === "invalid" ? "✗ Not valid. " : severity === "partial" ? "! " : "! With care. "), text)));
}

function verdictStrip() {
  const overhead = data.results.overhead;
  const cards = overhead.length > 0 ? overhead.map(overheadCard) : data.cells.filter((c) => c.logMicros).map(loggingCard);
  const byTarget = data.logged.map((target) => el("div", { class: "strip" },
    data.logged.length > 1 ? el("h3", { class: "row" }, data.label(target)) : null,
    el("div", { class: "cards" }, ...cards.filter((card) => card.dataset.target === target))));
  return el("section", { id: "verdict" },
    el("h2", null, "What logging costs here"),
    el("p", { class: "lead" }, headline(overhead)),
    ...byTarget,
    overhead.length > 0 ? el("p", { class: "note" },
      "Cards compare mean end-to-end latencies; the range is a 95 % bootstrap interval over "
      + (overhead.every((o) => o.paired) ? "paired blocks" : "runs of consecutive requests") + ". The published claim is less than 10 %.") : null,
    claims());
}

function headline(overhead) {
  if (overhead.length === 0) return "This run has no target without logging, so it shows what logging takes, but not what it adds end to end.";
  return data.logged.map((target) => {
    const rows = overhead.filter((o) => o.target === target);
    if (rows.length === 0) return null;
    const added = rows.map((o) => o.meanMicros - o.offMeanMicros);
    const words = { holds: "less than 10 %", fails: "more than 10 %", undecided: "about 10 %, not decided" };
    const verdicts = [...new Set(rows.map((o) => o.verdict))];
    return data.label(target) + " adds " + format.micros(Math.max(0, Math.min(...added))) + " to " + format.micros(Math.max(...added)) + " µs to a request: "
      + (verdicts.length === 1 ? words[verdicts[0]] + " at every size" : verdicts.map((v) => words[v] + " at "
        + rows.filter((o) => o.verdict === v).map((o) => format.size(o.payloadBytes)).join(", ")).join("; ")) + ".";
  }).filter(Boolean).join(" ");
}

function overheadCard(o) {
  const r = o.ratioOfMeans;
  const delta = o.meanMicros - o.offMeanMicros;
  const card = el("div", { class: "card" },
    el("h4", null, format.size(o.payloadBytes)),
    el("p", { class: "big" }, (delta < 0 ? "−" : "+") + format.micros(Math.abs(delta)), el("small", null, " µs")),
    el("p", null, format.ratio(r.ratio), el("small", null, " [" + r.low.toFixed(2) + ", " + r.high.toFixed(2) + "]")),
    badge(o.verdict, { holds: "under 10 %", fails: "over 10 %" }[o.verdict]));
  card.dataset.target = o.target;
  return card;
}

function loggingCard(cell) {
  const card = el("div", { class: "card" }, el("h4", null, format.size(cell.payloadBytes)),
    el("p", { class: "big" }, format.micros(cell.logMicros.mean), el("small", null, " µs")), el("p", null, "mean logging latency"));
  card.dataset.target = cell.target;
  return card;
}

function claims() {
  const rows = data.results.claims;
  const groups = [...new Set(rows.map((c) => c.id))];
  return el("div", { class: "claims" },
    el("h3", null, "The published claims, on this machine"),
    el("p", { class: "reading" }, "Claims of Zhao, From Traditional Fault Tolerance to Blockchain (2021), section 2.3.1.3. Read them critically: the text never says that the log was forced. "
      + "A disk at 7,200 rpm turns once in 8.33 ms, so 100 µs for a logged message on a magnetic disk is the figure of a cache. A rotational disk that agrees with the book is a warning, not a success."),
    ...groups.map((id) => {
      const same = rows.filter((c) => c.id === id);
      return el("div", { class: "claim" }, el("h4", null, el("span", { class: "id" }, id), same[0].claim),
        ...same.map((c) => el("details", null,
          el("summary", null, badge(c.verdict), c.target ? el("span", { class: "where" }, data.label(c.target)) : null, el("span", { class: "found" }, c.summary)),
          el("p", null, c.detail))));
    }));
}
