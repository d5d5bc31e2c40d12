// Small helpers to build the page; text is always set as text, never as markup.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// A table in a <details>, with its rows as CSV. Columns are [heading, key or function, show]; show gives text or an element.
function tableDetails(name, caption, columns, rows, title) {
  const csv = () => csvText(columns.map((c) => c[0]), rows.map((row) => columns.map((c) => valueOf(c, row))));
  return el("details", { class: "table" },
    el("summary", null, title || "Table"),
    table(caption, columns, rows),
    el("p", { class: "actions" }, copyButton("Copy CSV", csv, name + ".csv"), saveButton("Save CSV", () => saveText(name + ".csv", csv(), "text/csv"))));
}

const valueOf = (column, row) => (typeof column[1] === "function" ? column[1](row) : row[column[1]]);

function table(caption, columns, rows) {
  const show = (column, row) => {
    const v = valueOf(column, row);
    return v == null ? "–" : column[2] ? column[2](v, row) : String(v);
  };
  const numeric = (column) => rows.some((row) => typeof valueOf(column, row) === "number");
  const head = el("tr", null, ...columns.map((c) => el("th", { scope: "col", class: numeric(c) ? "number" : "" }, c[0])));
  const body = rows.map((row) =>
    el("tr", null, ...columns.map((c) => el("td", { class: numeric(c) ? "number" : "" }, show(c, row)))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", null, el("caption", null, caption), el("thead", null, head), el("tbody", null, ...body)));
}

// A figure: heading, how to read it, the live drawing for screens and the still one for paper, ways to take it along, the same in
// words, its tables. The names are those of its still drawings.
function figure({ id, heading, reading, drawn }, live, ...rest) {
  const drawings = (drawn || []).map((name) => stills.get(name)).filter(Boolean);
  const words = drawings.map((still) => still.querySelector("figcaption").textContent);
  return el("section", { class: "figure", id },
    el("div", { class: "keep" },
      el("h2", null, heading),
      el("p", { class: "reading" }, reading),
      el("div", { class: "live" }, ...live),
      ...drawings.slice(0, 1)),
    ...drawings.slice(1),
    ...rest.filter(Boolean),
    words.length > 0 ? el("details", { class: "table words" }, el("summary", null, "In words"), ...words.map((text) => el("p", null, text))) : null,
    drawings.length > 0 ? exports(drawings.map((still) => still.id.slice("still-".length))) : null);
}
