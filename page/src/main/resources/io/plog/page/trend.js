// What only the page of a trend has: what changed, its runs, and those near by that are not in it.

const runs = () => page.documents.runs;

BUILD.subtitle = () => {
  const all = page.documents.published ? [h("a", { href: "index.html" }, "All runs"), " · "] : [];
  return all.concat(page.source);
};
BUILD.changes = () => h("ul", null, page.documents.findings.map((text) => h("li", null, text)));
BUILD.place = (run) => String(runs().indexOf(run) + 1);
BUILD.began = ({ startedAt }) => moment(startedAt);
BUILD.linked = ({ path }) => {
  const href = hrefOf(path);
  return href ? h("a", { href }, path) : path;
};
BUILD.validity = ({ valid }) => (valid ? badge("holds", "valid") : badge("fails", "not valid"));
BUILD.leftOut = () => {
  const { leftOut } = page.documents;
  return leftOut.length > 0 ? details(`Left out: ${leftOut.length}`, leftOut.map(paragraph)) : null;
};
