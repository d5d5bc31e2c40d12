// The list of runs of plog view, and its pages that only say something.

const chosen = new Set(); // names of runs to be compared; a list that is fetched again keeps them
const STATES = {
  finished: ["holds", "finished"],
  "not-valid": ["fails", "not valid"],
  partial: ["undecided", "ended early"],
  "under-way": ["undecided", "under way"],
  interrupted: ["undecided", "interrupted"],
  unreadable: ["fails", "unreadable"],
};

BUILD.subtitle = () => page.documents.subtitle;

BUILD.note = () => {
  const { note, view } = page.documents;
  return note
    ? [
        h("p.empty", null, note),
        view.a ? h("p", null, h("a", { href: location.search + "&anyway" }, "Compare them anyway")) : null,
      ]
    : null;
};

BUILD.runs = () => {
  const { lines, trends, published } = page.documents;
  if (lines.length === 0) return null;
  for (const name of chosen) if (!lines.some((line) => line.name === name)) chosen.delete(name);
  const compare = h("button", { type: "button", id: "compare" });
  const hint = h("span.note", { role: "status" });
  const shownChoice = () => {
    compare.disabled = chosen.size !== 2;
    compare.textContent = "Compare";
    const [a, b] = pair(lines);
    hint.textContent =
      chosen.size === 2
        ? `${b.name} with ${a.name}, the older one`
        : chosen.size > 2
          ? "Two at a time, please."
          : "Choose two runs to compare them.";
  };
  compare.addEventListener("click", () => {
    const [a, b] = pair(lines);
    location.assign("/compare?" + new URLSearchParams({ a: a.name, b: b.name }));
  });
  shownChoice();
  return [
    trends.length > 0 ? h("div.trends", null, h("h2", null, "Over time"), h("ul", null, trends.map(trendOf))) : null,
    lines.length > 1 && !published ? h("p.actions", null, compare, hint) : null,
    h(
      "ul.runs",
      null,
      lines.map((line, i) => runOf(line, i, shownChoice)),
    ),
  ];
};

/** Runs that did the same work: a link to the page with all of them. */
const trendOf = ({ of, about, runs }, i) =>
  h(
    "li",
    null,
    h(
      "a",
      { href: page.documents.published ? `trend-${i + 1}.html` : "/trend?" + new URLSearchParams({ of }) },
      `${runs} runs`,
    ),
    ", " + about,
  );

/** The chosen runs, oldest first. */
const pair = (lines) =>
  lines.filter(({ name }) => chosen.has(name)).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));

function runOf(line, i, changed) {
  const { name, kind, startedAt, state, text, command } = line;
  const box = h("input", { type: "checkbox", id: "choose-" + i, "aria-label": "Choose " + name });
  box.checked = chosen.has(name);
  box.addEventListener("change", () => {
    box.checked ? chosen.add(name) : chosen.delete(name);
    changed();
  });
  const comparable = !page.documents.published && ["finished", "not-valid", "partial"].includes(state);
  return h(
    "li",
    null,
    h("span.box", null, comparable ? box : null),
    h(
      "div",
      null,
      h("h2", null, h("a", { href: hrefOf(name) }, name), " ", badge(...STATES[state])),
      h("p.sub", null, [kind, startedAt && moment(startedAt)].filter(Boolean).join(" · ")),
      state === "under-way" ? progressOf(line) : text ? paragraph(text) : null,
      command ? h("p.command", null, h("code", null, command)) : null,
    ),
  );
}
