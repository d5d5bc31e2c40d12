// Elements and numbers as text. Whatever comes from the data becomes text here, never markup.

/** An element: h("p.note#id", { title: "..." }, "text", child, [children], null). */
function h(name, attributes, ...children) {
  const [, tag, rest] = /^([a-z0-9]+)(.*)$/.exec(name);
  const element = document.createElement(tag);
  for (const [, kind, word] of rest.matchAll(/([.#])([\w-]+)/g))
    kind === "." ? element.classList.add(word) : (element.id = word);
  for (const [key, value] of Object.entries(attributes || {})) if (value != null) element.setAttribute(key, value);
  element.append(...children.flat(3).filter((child) => child != null && child !== ""));
  return element;
}

const details = (summary, ...children) => h("details.table", null, h("summary", null, summary), children);
const isNumber = (value) => typeof value === "number" && Math.abs(value) < 1e300;
const NONE = "–";

/** With commas between thousands. */
const writers = new Map(); // to make one takes longer than to draw a line
function written(value, key, options) {
  if (!writers.has(key)) writers.set(key, new Intl.NumberFormat("en-US", options));
  return writers.get(key).format(value);
}
const fixed = (value, digits) =>
  written(value, "f" + digits, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const digits = (value, most = 3) =>
  written(value, "s" + most, { maximumSignificantDigits: most, useGrouping: false }).replace("-", "−");

function time(micros) {
  const size = Math.abs(micros);
  return size >= 999.5e3
    ? digits(micros / 1e6) + " s"
    : size >= 999.5
      ? digits(micros / 1e3) + " ms"
      : digits(micros) + " µs";
}

function size(bytes) {
  for (const [unit, name] of [
    [1e6, "MB"],
    [1e3, "kB"],
    [1 << 20, "MiB"],
    [1 << 10, "KiB"],
  ])
    if (bytes >= unit && bytes % unit === 0) return bytes / unit + " " + name;
  return bytes + " B";
}

/** As per cent; a share just below all or above none is cut, not rounded: 100 % means all. */
function percent(share) {
  if (share === 1 || share === 0) return share * 100 + " %";
  const hundredths = Math.floor(share * 10000 + 1e-6);
  if (hundredths < 1) return "< 0.01 %";
  const two = hundredths > 9990 || hundredths < 10;
  return (two ? fixed(hundredths / 100, 2) : fixed(Math.floor(hundredths / 10) / 10, 1)) + " %";
}

function memory(bytes) {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  return (Number.isInteger(amount) ? amount : fixed(amount, 1)) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][power];
}

/** How a number is written, by its unit or by the name of a format. */
const FORMATS = {
  µs: time,
  ms: (value) => time(value * 1000),
  s: (value) => digits(value) + " s",
  share: percent,
  bytes: size,
  count: (value) => fixed(value, Number.isInteger(value) || Math.abs(value) >= 99.95 ? 0 : 1),
  micros: (value) => fixed(value, Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2),
  times: (value) => "×" + (value < 0.0995 ? digits(value, 2) : fixed(value, value >= 9.995 ? 1 : 2)),
  ratio: (value) => (value < 0.0995 ? digits(value, 2) : fixed(value, Math.abs(value - 1) < 0.0995 ? 3 : 2)),
  percentile: (value) => digits(value * 100, 6),
  quantile: (value) => digits(value * 100, 6) + " %",
  rate: (value) => digits(value, 4) + "/s",
  thousands: (value) => (value >= 1000 && value % 100 === 0 ? digits(value / 1000) + "k" : fixed(value, 0)),
  number: (value) => digits(value),
};
const shown = (value, format) =>
  value == null ? NONE : isNumber(value) ? (FORMATS[format] || FORMATS.number)(value) : String(value);

/** An interval in brackets; an end that the samples do not bound is left open. */
function interval(found, format = "micros") {
  if (!found || (found.low == null && found.high == null)) return "";
  return (
    (found.low == null ? "(…" : "[" + shown(found.low, format)) +
    ", " +
    (found.high == null ? "…)" : shown(found.high, format) + "]")
  );
}

/** The value at "a.b.c", or of a column with that name. */
const at = (object, path) =>
  object != null && Object.hasOwn(object, path)
    ? object[path]
    : path.split(".").reduce((found, name) => (found == null ? found : found[name]), object);

/** A table of texts and elements; columns of numbers stand to the right. */
function table(caption, heads, rows) {
  const texts = rows.map((row) => row.cells.map((cell) => (cell instanceof Node ? cell.textContent : String(cell))));
  const numeric = heads.map(
    (_, i) =>
      texts.some((row) => row[i].length > 1) && texts.every((row) => /^(–|[×+−<(]?[\d ×<,.…%*()[\]−-]*)$/.test(row[i])),
  );
  const style = (i) => (numeric[i] ? { class: "number" } : {});
  return h(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": caption },
    h(
      "table",
      null,
      h("caption", null, caption),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          heads.map((head, i) => h("th", { scope: "col", ...style(i) }, head)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            row.about,
            row.cells.map((cell, i) => h("td", style(i), cell)),
          ),
        ),
      ),
    ),
  );
}
