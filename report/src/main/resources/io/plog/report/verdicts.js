// The top of the page: what to worry about, what logging costs in plain words, and the published claims one by one.
const WORDS = { holds: ["✓", "holds"], fails: ["✗", "fails"], undecided: ["?", "undecided"], "not-testable": ["–", "not testable"] };

function badge(verdict, instead) {
  const [sign, word] = [WORDS[verdict][0], instead || WORDS[verdict][1]];
  return el("span", { class: "badge " + verdict }, el("b", { "aria-hidden": "true" }, sign), " " + word);
}

// The 95 % interval of a figure; an end that the samples do not bound is left open.
const ends = ({ low, high }) => (low == null ? "(…" : "[" + trim(low)) + ", " + (high == null ? "…)" : trim(high) + "]");

// Whether the figures may be used at all, the reason first.
function validityBox() {
  const bad = data.results.validity.filter((check) => !check.ok);
  const partial = data.results.partial;
  const words = (check) => (check.id.includes(":") ? check.id.split(":")[1] + ": " : "") + check.detail;
  const invalid = bad.filter((check) => check.severity === "invalid").map(words);
  const care = [
    ...(partial.partial ? ["The run ended early: " + partial.reason + "."] : []),
    ...bad.filter((check) => check.severity !== "invalid" && !(partial.partial && check.id === "complete")).map(words),
  ];
  const checks = data.results.validity.length;
  if (invalid.length === 0 && care.length === 0) {
    return el("p", { class: "validity good" }, el("b", null, "✓ A valid run: "), checks === 0 ? "nothing was found against it." : "all " + checks + " checks passed.");
  }
  return el("div", { class: "validity " + (invalid.length > 0 ? "bad" : "care"), role: "note", "aria-label": "Validity" },
    ...(invalid.length > 0 ? reasons("✗ Not valid, do not use these figures: ", invalid, 3) : []),
    ...(care.length > 0 ? reasons(invalid.length > 0 ? "Besides: " : "! Valid, but to be read with care: ", care, 1) : []));
}

const isInvalid = () => data.results.validity.some((check) => !check.ok && check.severity === "invalid");

// The first few; the others on request.
function reasons(heading, texts, most) {
  const [first, ...others] = texts;
  const visible = others.slice(0, most - 1);
  const hidden = others.slice(most - 1);
  return [el("p", null, el("b", null, heading), first), ...visible.map((text) => el("p", null, text)),
    hidden.length > 0 ? el("details", null, el("summary", null, hidden.length === 1 ? "1 more reason" : hidden.length + " more reasons"), ...hidden.map((text) => el("p", null, text))) : null];
}

function verdictStrip() {
  const overhead = data.results.overhead;
  const cards = overhead.length > 0 ? overhead.map(overheadCard) : data.cells.filter((c) => c.logMicros).map(loggingCard);
  const byTarget = data.logged.map((target) => el("div", { class: "strip" },
    el("h3", { class: "row" }, data.label(target), honestyBadge(target)),
    el("div", { class: "cards" }, ...cards.filter((card) => card.dataset.target === target)),
    inWords(overhead.filter((o) => o.target === target && o.sentence)), honestyReasons(target)));
  const lead = el("div", { class: "lead" }, ...headline(overhead));
  return el("section", { id: "verdict" },
    el("h2", null, "What logging costs here"),
    ...(isInvalid() ? [validityBox(), lead] : [lead, validityBox()]),
    ...byTarget,
    el("p", { class: "note" },
      (overhead.length > 0 ? "Cards: what logging adds to the mean end-to-end latency, and the ratio of the means with its 95 % interval, Student's t over "
      + (overhead.every((o) => o.paired) ? "paired trials, or paired blocks if there is one trial" : "runs of consecutive requests") + ". The published claim is less than 10 %: it holds if the whole interval lies below ×1.10, fails if it lies above, and is undecided in between. " : "")
      + (data.results.honesty.length === 0 && data.logged.length > 0 ? "Whether the disks keep their word was not judged in this run." : "")),
    claims());
}

const HONESTY = {
  "consistent": ["holds", "✓", "consistent with stable media"],
  "volatile-cache": ["fails", "!", "a volatile cache is probably answering"],
  "cannot-tell": ["undecided", "?", "cannot tell from here whether the disk keeps its word"],
};

function honestyBadge(target) {
  const found = data.results.honesty.find((h) => h.target === target);
  if (!found) return null;
  const [look, sign, words] = HONESTY[found.verdict] || ["undecided", "?", found.verdict];
  return el("span", { class: "badge " + look }, el("b", { "aria-hidden": "true" }, sign), " " + words);
}

function inWords(rows) {
  if (rows.length === 0) return null;
  return el("details", { class: "table" }, el("summary", null, "In words"), ...rows.map((o) => el("p", null, el("b", null, format.size(o.payloadBytes) + ": "), o.sentence)));
}

function honestyReasons(target) {
  const found = data.results.honesty.find((h) => h.target === target);
  if (!found || found.reasons.length === 0) return null;
  return el("details", { class: "table" }, el("summary", null, "The disk: " + found.reasons[0]), ...found.reasons.slice(1).map((reason) => el("p", null, reason)));
}

// A sentence for each target that needs no statistics.
function headline(overhead) {
  if (overhead.length === 0) return [el("p", null, "This run has no target without logging, so it shows what logging takes, but not what it adds end to end.")];
  return data.logged.map((target) => {
    const rows = overhead.filter((o) => o.target === target);
    if (rows.length === 0) return null;
    const added = rows.map((o) => o.meanMicros - o.offMeanMicros);
    const ratios = rows.map((o) => o.ratioOfMeans.ratio);
    const words = { holds: "less than 10 %", fails: "more than 10 %", undecided: "perhaps more and perhaps less than 10 %" };
    const verdicts = [...new Set(rows.map((o) => o.verdict))];
    const range = (list, show) => (show(Math.min(...list)) === show(Math.max(...list)) ? show(list[0]) : show(Math.min(...list)) + " to " + show(Math.max(...list)));
    const signed = (us) => (us < 0 ? "−" : "") + format.micros(Math.abs(us));
    return el("p", null, "With ", el("b", null, data.label(target)), " a request takes ", el("b", null, range(added, signed) + " µs longer"), " than without logging, "
      + range(ratios, (r) => r.toFixed(r >= 9.95 ? 0 : r < 1.5 ? 2 : 1)) + " times as long: " + (verdicts.length === 1 ? words[verdicts[0]] + " at every size"
        : verdicts.map((v) => (words[v] || v) + " at " + rows.filter((o) => o.verdict === v).map((o) => format.size(o.payloadBytes)).join(", ")).join("; ")) + ".");
  }).filter(Boolean);
}

function overheadCard(o) {
  const r = o.ratioOfMeans;
  const delta = o.meanMicros - o.offMeanMicros;
  const card = el("div", { class: "card" },
    el("h4", null, format.size(o.payloadBytes)),
    el("p", { class: "big" }, (delta < 0 ? "−" : "+") + format.micros(Math.abs(delta)), el("small", null, " µs")),
    el("p", null, format.ratio(r.ratio), el("small", null, r.low == null || r.high == null ? " " + ends(r) : " [" + r.low.toFixed(2) + ", " + r.high.toFixed(2) + "]")),
    badge(o.verdict, { holds: "holds: under 10 %", fails: "fails: over 10 %" }[o.verdict]));
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
  return el("section", { class: "claims", id: "claims" },
    el("h3", null, "The published claims, on this machine"),
    el("p", { class: "reading" }, "Claims of Zhao, From Traditional Fault Tolerance to Blockchain (2021), section 2.3.1.3; open one for its figures. Read them critically: the text never says that the log was forced. "
      + "A disk at 7,200 rpm turns once in 8.33 ms, so 100 µs for a logged message on a magnetic disk is the figure of a cache. A rotational disk that agrees with the book is a warning, not a success."),
    ...groups.map((id) => {
      const same = rows.filter((c) => c.id === id);
      return el("div", { class: "claim" }, el("h4", null, el("span", { class: "id" }, id), same[0].claim),
        ...same.map((c) => el("details", null,
          el("summary", null, badge(c.verdict), c.target ? el("span", { class: "where" }, data.label(c.target)) : null, el("span", { class: "found" }, c.summary)),
          c.sentence ? el("p", null, c.sentence) : null,
          el("p", null, c.detail + (c.estimate ? " The figure that decided: " + trim(c.estimate.value) + " " + ends(c.estimate) + "." : "")))));
    }));
}
