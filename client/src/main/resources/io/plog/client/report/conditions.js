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
    "requests per cell": format.count(plan.iterations) + " counted after " + format.count(plan.warmup) + " for warming up",
    "order": plan.blocks + " randomised blocks", "seed": plan.seed, "sizes": plan.sizesBytes.map(format.size).join(", "),
    "started": data.results.startedAt, "plog": data.results.plogVersion,
  };
  const command = el("pre", null, el("code", null, plan.command));
  return el("section", { id: "conditions", class: "figure" },
    el("h2", null, "Conditions"),
    el("p", { class: "reading" }, "Figures mean something only with these beside them. This command repeats the run:"),
    command,
    el("div", { class: "factgrid" },
      facts("Plan", planned),
      ...environment.targets.map((t) => facts("Target " + t.name, t.force === "off" ? { "force": "off: not logged, to compare with" }
        : { "force": t.force, "stable storage": t.stableStorage ? "yes, if the device keeps its word" : "no", ...t.facts })),
      facts("Server", environment.server), facts("Client", environment.client)),
    el("h3", null, "Checks"),
    el("ul", { class: "checks" }, ...validity.map((check) => el("li", { class: check.ok ? "ok" : check.severity },
      el("b", null, check.ok ? "✓ " : "✗ "), el("span", { class: "id" }, check.id), " " + check.detail))));
}
