// How it was measured, what the words mean, and what can be taken along.
function method() {
  const { plan, schemaVersion } = data.results;
  const trials = plan.trials > 1 ? format.count(plan.trials) + " trials, each in fresh processes" : "one trial: server and client were started once, so the intervals do not cover what differs from start to start";
  const points = [
    ["Order", "The run has " + trials + ". Within it, " + plan.blocks + " randomised blocks run every cell once, with the targets of a size next to each other, so that what drifts hits all alike."],
    ["Two latencies", "Logging is measured by the server from handing the record to the log until it is durable as the way of forcing says. End to end is measured by the client from sending the first byte until the last byte of the reply has arrived. Only differences of one clock are used."],
    ["Percentiles", "Exact, by nearest rank, never averaged. Their intervals suppose nothing about the distribution; where the samples are too few for an upper bound, the figure is grey."],
    ["Overhead", "Ratio of the means of a logged target and of none at the same size; the 95 % interval is Student's t over trials, or over blocks if there is one trial, both paired. \"Under 10 %\" holds only if the whole interval lies below 1.10."],
    ["Nothing is removed", "Every request after the warm-up that was answered counts, the slowest included."],
    ["What it does not say", "It describes this machine on this day. That an acknowledged record survives a power cut is shown by cutting the power and by plog audit, not by a latency."],
  ];
  return el("section", { id: "method", class: "figure" },
    el("h2", null, "Method"),
    el("dl", { class: "prose" }, ...points.flatMap(([word, text]) => [el("dt", null, word), el("dd", null, text)])),
    el("p", { class: "note" }, "Every definition and rule stands in docs/measurement.md of plog; the layout of results.json, version " + schemaVersion + ", in docs/results.schema.json."));
}

function glossary() {
  const words = [
    ["cell", "a target together with a message size"],
    ["target", "a log of the server, with its directory and its way of forcing; \"without logging\" answers at once"],
    ["force", "make the operating system and the device put on stable storage what was written: fdatasync, fsync, or writing with dsync or direct; \"write\" does not force"],
    ["block, turn", "a block runs every cell once; a turn is a cell's part of a block"],
    ["density", "how the requests are spread over the latencies: the area over a range is the share of requests in it"],
    ["percentile, quantile", "the latency that this share of the requests did not exceed; the median is the one of half of them"],
    ["standard deviation", "how far single requests lie from their mean, typically"],
    ["95 % interval", "a range made by a method that is right in 95 of 100 runs"],
    ["shift function", "how much later each quantile of one distribution is than that of another"],
    ["batch wait", "the time a record waits after the log has taken it up until its batch is written"],
    ["network and client", "end to end less the time in the server: what the server did not see"],
    ["hiccup", "a moment in which a program that only looks at the clock did not get to run"],
  ];
  return el("section", { id: "glossary", class: "figure" },
    el("h2", null, "Glossary"),
    el("dl", { class: "prose" }, ...words.flatMap(([word, text]) => [el("dt", null, word), el("dd", null, text)])));
}

function downloads() {
  const names = Object.keys(csvOf).filter((name) => still(name));
  return el("section", { id: "download", class: "figure" },
    el("h2", null, "Download"),
    el("p", { class: "reading" }, "Beside this file lie results.json, with every number of this page, and samples.plog, with every request. The data of each figure:"),
    el("p", { class: "actions" }, ...names.map((name) => saveButton(name + ".csv", () => saveText(name + ".csv", csvOf[name](), "text/csv")))));
}
