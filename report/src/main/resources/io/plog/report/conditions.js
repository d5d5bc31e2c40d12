// Under which conditions it was measured, and what was checked.
function conditions() {
  const { environment, plan, validity } = data.results;
  const facts = (heading, map) => {
    const entries = Object.entries(map);
    return el("div", { class: "facts" }, el("h3", null, heading),
      entries.length === 0 ? el("p", { class: "empty" }, "Nothing is known.")
        : el("dl", null, ...entries.flatMap(([name, value]) => [el("dt", null, words(name)), el("dd", null, readable(name, String(value)) || "–")])));
  };
  const words = (name) => name.replace(/Bytes$/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  // Amounts of memory and space come as bare bytes, or as the kernel's kB, which are of 1,024 bytes.
  const readable = (name, value) => {
    const kernel = /^(\d+) kB$/.exec(value);
    if (kernel) return format.memory(kernel[1] * 1024);
    return /(Bytes|^cgroupMemory)$/.test(name) && /^\d+$/.test(value) ? format.memory(Number(value)) : value;
  };
  const planned = {
    "load": plan.loadModel + " loop, " + plan.connections + (plan.connections === 1 ? " connection" : " connections") + " with one request outstanding each"
      + (plan.ratePerSecond > 0 ? ", " + plan.ratePerSecond + " requests/s" : ""),
    "requests per cell": format.count(plan.iterations) + " counted after " + (plan.warmupByEvidence ? "at most " : "") + format.count(plan.warmup) + " for warming up" + (plan.warmupByEvidence ? ", fewer if all cells were steady before" : ""),
    "order": (plan.trials > 1 ? plan.trials + " trials of " : "") + plan.blocks + " randomised blocks", "seed": plan.seed, "sizes": plan.sizesBytes.map(format.size).join(", "),
    "started": data.results.startedAt, "plog": data.results.plogVersion,
  };
  const command = el("pre", null, el("code", null, plan.command));
  const brief = (t) => facts("Target " + data.label(t.name), Object.fromEntries([
    ["force", t.force === "off" ? "off: not logged, to compare with" : t.force],
    ...(t.force === "off" ? [] : [["stable storage", t.stableStorage ? "yes, if the device keeps its word" : "no"]]),
    ...["fileSystem", "device", "model", "rotational", "writeCache"].filter((name) => t.facts[name]).map((name) => [name, t.facts[name]]),
  ]));
  return el("section", { id: "conditions", class: "figure" },
    el("h2", null, "Conditions"),
    el("p", { class: "reading" }, "Figures mean something only with these beside them. This command repeats the run:"),
    command,
    el("div", { class: "factgrid" }, facts("Plan", planned), ...environment.targets.filter((t) => t.force !== "off").map(brief)),
    el("details", { class: "table" }, el("summary", null, "Everything that is known about targets, server and client"),
      el("div", { class: "factgrid" }, ...environment.targets.map((t) => facts("Target " + data.label(t.name), t.facts)), facts("Server", environment.server), facts("Client", environment.client))),
    el("details", { class: "table" }, el("summary", null, validity.length + " checks, " + validity.filter((c) => c.ok).length + " passed"),
      el("ul", { class: "checks" }, ...validity.map((check) => el("li", { class: check.ok ? "ok" : check.severity },
        el("b", null, check.ok ? "✓ " : "✗ "), el("span", { class: "id" }, check.id), " " + check.detail)))));
}
