// The place of a comparison with another run. Without one, half a sentence says how to get it.
function comparison() {
  return el("section", { id: "comparison", class: "figure" },
    el("h2", null, "Comparison"),
    el("p", { class: "reading" }, "This report is of one run; ", el("code", null, "plog report RUN OTHER-RUN"), " sets two side by side."));
}
