// The slowest requests of the run, what they consist of and what went on meanwhile.
const SLOWEST = 20;

function slowest() {
  const all = data.cells.flatMap((c) => c.slowest.map((s) => ({ ...s, target: c.target, payloadBytes: c.payloadBytes }))).sort((a, b) => b.endToEndMicros - a.endToEndMicros);
  if (all.length === 0) return null;
  const parts = all.some((s) => s.parts.length > 0);
  const overlaps = all.some((s) => s.overlaps.length > 0);
  const trials = new Set(all.map((s) => s.trial)).size > 1;
  const holder = el("div", { id: "plots-slowest" });
  const spent = (s) => (s.logMicros == null || data.target(s.target).force === "off" ? "–" : s.logMicros > s.endToEndMicros / 2 ? "logging" : "elsewhere");
  const columns = [
    ["end to end µs", "endToEndMicros", format.micros], ["size", "payloadBytes", format.size], ["target", "target", (t) => data.label(t)],
    ...(trials ? [["trial", (s) => s.trial + 1]] : []),
    ["request", "request", format.count], ["at s", "atSeconds", (v) => v.toFixed(3)],
    ["logging µs", "logMicros", format.micros], ["write µs", "writeMicros", format.micros], ["force µs", "forceMicros", format.micros],
    ...(parts ? [["parts", (s) => s.parts.map((p) => p.name + " " + format.micros(p.micros)).join("; "), (v, s) => (s.parts.length > 0 ? partsBar(s.parts, "Request " + s.request) : "–")]] : [["mostly in", spent]]),
    ...(overlaps ? [["meanwhile", (s) => s.overlaps.map(overlapWords).join("; "), (v) => v || "nothing that was recorded"]] : []),
  ];
  charts.register(holder, (h) => h.append(table("The " + SLOWEST + " slowest requests of what is selected above", columns, all.filter((s) => shown.cell(s)).slice(0, SLOWEST))));
  return figure({ id: "slowest", heading: "The slowest requests", reading:
    "A slow request is a finding, not an outlier to be removed: here is where its time went"
    + (overlaps ? " and what else went on while it ran." : ". What else went on meanwhile was not recorded in this run, or nothing overlapped them.") },
  [holder], tableDetails("slowest", "The slowest requests of the run and of each cell; results.json has more", columns, all, "All " + all.length));
}

const overlapWords = (o) => o.side + " " + o.kind + " " + format.time(o.micros) + (o.detail ? " (" + o.detail + ")" : "");
