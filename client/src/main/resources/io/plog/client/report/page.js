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

// A table in a <details>, with its rows as CSV. Columns are [heading, key or function, show].
function tableDetails(name, caption, columns, rows) {
  const value = (column, row) => (typeof column[1] === "function" ? column[1](row) : row[column[1]]);
  const show = (column, row) => {
    const v = value(column, row);
    return v == null ? "–" : column[2] ? column[2](v, row) : String(v);
  };
  const numeric = (column) => rows.some((row) => typeof value(column, row) === "number");
  const head = el("tr", null, ...columns.map((c) => el("th", { scope: "col", class: numeric(c) ? "number" : "" }, c[0])));
  const body = rows.map((row) =>
    el("tr", null, ...columns.map((c) => el("td", { class: numeric(c) ? "number" : "" }, show(c, row)))));
  const csv = () =>
    [columns.map((c) => c[0]), ...rows.map((row) => columns.map((c) => value(c, row) ?? ""))]
      .map((line) => line.map(csvField).join(",")).join("\n") + "\n";
  return el("details", { class: "table" },
    el("summary", null, "Table"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", null, el("caption", null, caption), el("thead", null, head), el("tbody", null, ...body))),
    el("p", { class: "actions" }, copyButton(csv), downloadButton(name + ".csv", csv)));
}

function csvField(value) {
  const text = String(value);
  return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function copyButton(text) {
  const button = el("button", { type: "button" }, "Copy CSV");
  button.addEventListener("click", () => {
    // The clipboard interface is missing in a file opened from a disk in some browsers.
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text();
    document.body.append(area);
    area.select();
    button.textContent = document.execCommand("copy") ? "Copied" : "Could not copy";
    area.remove();
    setTimeout(() => { button.textContent = "Copy CSV"; }, 1500);
  });
  return button;
}

function downloadButton(name, text, label) {
  return el("button", { type: "button", onclick() {
    const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text()], { type: "text/csv" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } }, label || "Download CSV");
}

// A figure: heading, how to read it, the drawing, notes, its table.
function figure(id, heading, reading, ...content) {
  return el("section", { class: "figure", id },
    el("h2", null, heading),
    el("p", { class: "reading" }, reading),
    ...content);
}
