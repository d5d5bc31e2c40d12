// The page: its sections with their figures and tables, in the order of its list, and what a reader can do with it:
// read values, zoom, filter, choose axes, change the theme, save. What the reader chose stands in the address after
// "#", so that a view can be linked.

const root = document.documentElement;
const state = { one: {}, hidden: {}, zoom: {} };
const BUILD = {}; // what only one kind of page has, by the name that its list gives it
let page; // what Java handed over: kind, title, source, documents, tables, list
let data;
const drawn = new Map(); // by name: the figure's element, its panels and its full box
const served = { head: () => null, first: () => [], follow: () => {} }; // what a page that a server shows has more

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return JSON.parse(
    await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text(),
  );
}

/** Rows as objects by column; a table comes by the values of its key columns, and then column by column. */
function expanded(table) {
  const names = table.columns.map((column) => column.name);
  const rows = table.groups.flatMap(({ key, values }) =>
    Array.from({ length: values.length > 0 ? values[0].length : 1 }, (_, i) =>
      Object.fromEntries(
        names.map((name, column) => [name, column < key.length ? key[column] : values[column - key.length][i]]),
      ),
    ),
  );
  return { ...table, rows, units: Object.fromEntries(table.columns.map(({ name, unit }) => [name, unit])) };
}

/** The values of each dimension in their order, and what they are called. */
function dimensions(tables) {
  const found = new Map();
  for (const [name, about] of Object.entries(page.list.dimensions)) {
    const given = about.labels ? at(page.documents, about.labels.rows) || [] : [];
    const labels = new Map(given.map((row) => [row[about.labels.value], row[about.labels.label]]));
    const values = [
      ...new Set(
        [...tables.values()].flatMap((table) =>
          table.columns.some((column) => column.name === name) ? table.rows.map((row) => row[name]) : [],
        ),
      ),
    ].filter((value) => value != null);
    const order = about.values || [...labels.keys()];
    values.sort((a, b) =>
      typeof a === "number" && typeof b === "number"
        ? a - b
        : (order.indexOf(a) + 1 || 1e9) - (order.indexOf(b) + 1 || 1e9),
    );
    const reference = new Set(
      given
        .filter(
          (row) =>
            about.labels.reference &&
            Object.entries(about.labels.reference).every(([key, value]) => row[key] === value),
        )
        .map((row) => row[about.labels.value]),
    );
    found.set(name, {
      ...about,
      values,
      reference,
      label: (value) =>
        labels.get(value) ??
        (about.names && about.names[value]) ??
        (about.unit ? shown(value, about.unit) : String(value ?? NONE)),
    });
  }
  return found;
}

// ---- what the reader chose, in the address

const choices = () => ({ theme: { label: "Theme", values: ["auto", "light", "dark"] }, ...page.list.choices });
const filters = () =>
  Object.entries(page.list.dimensions)
    .filter(([, about]) => about.filter)
    .map(([name, about]) => ({ name, ...about, ...data.dimensions.get(name) }));

function readHash() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const [name, { values }] of Object.entries(choices()))
    state.one[name] = values.includes(chosen.get(name)) ? chosen.get(name) : values[0];
  for (const { name, filter, values } of filters()) {
    const kept = values.filter((value) =>
      chosen
        .getAll(filter.toLowerCase())
        .some((text) => text === String(value) || text.split(",").includes(String(value))),
    );
    state.hidden[name] = new Set(kept.length === 0 ? [] : values.filter((value) => !kept.includes(value)));
  }
  state.zoom = {};
  for (const [name, ...box] of chosen.getAll("zoom").map((text) => text.split(","))) {
    if (box.length === 4 && box.every((n) => Number.isFinite(Number(n))) && box[2] > 0 && box[3] > 0)
      state.zoom[name] = box.map(Number);
  }
}

function writeHash() {
  const chosen = new URLSearchParams();
  for (const [name, { values }] of Object.entries(choices()))
    if (state.one[name] !== values[0]) chosen.set(name, state.one[name]);
  for (const { name, filter, values } of filters())
    if (state.hidden[name].size > 0)
      values
        .filter((value) => !state.hidden[name].has(value))
        .forEach((value) => chosen.append(filter.toLowerCase(), value));
  for (const [name, box] of Object.entries(state.zoom))
    chosen.append("zoom", [name, ...box.map((n) => Math.round(n * 10) / 10)].join(","));
  history.replaceState(null, "", chosen.size > 0 ? "#" + chosen : location.pathname + location.search);
}

function changed() {
  writeHash();
  apply();
}

const rowIsHidden = (about) =>
  Object.entries(state.hidden).some(
    ([name, values]) =>
      values.size > 0 && about[name] != null && [...values].some((value) => String(value) === about[name]),
  );

function apply() {
  for (const [name, value] of Object.entries(state.one)) root.dataset[name] = value;
  for (const button of document.querySelectorAll("[data-one]"))
    button.setAttribute("aria-pressed", state.one[button.dataset.one] === button.value);
  for (const button of document.querySelectorAll("[data-any]"))
    button.setAttribute(
      "aria-pressed",
      ![...state.hidden[button.dataset.any]].some((value) => String(value) === button.value),
    );
  for (const row of document.querySelectorAll("[data-row]")) row.hidden = rowIsHidden(JSON.parse(row.dataset.row));
  data = { ...data, hidden: state.hidden, choices: state.one };
  drawAll();
}

/**
 * All widths are asked for before anything is drawn: each question after a change would lay out the whole page
 * again.
 */
function drawAll() {
  const widthOf = new Map([...drawn].map(([name, figure]) => [name, widthFor(figure)]));
  for (const [name, width] of widthOf) draw(name, width);
}

const oneOf = (name, { label, values, names = {} }) =>
  h(
    "span.choice",
    { role: "group", "aria-label": label },
    h("span", null, label),
    values.map((value) => {
      const button = h("button", { type: "button", value, "data-one": name }, names[value] || value);
      button.addEventListener("click", () => {
        state.one[name] = value;
        changed();
      });
      return button;
    }),
  );

/** A click hides or shows a value, a double click shows it alone. */
const anyOf = ({ name, filter, values, label }) =>
  h(
    "span.choice.chips",
    { role: "group", "aria-label": filter },
    h("span", null, filter),
    values.map((value) => {
      const button = h(
        "button",
        { type: "button", value, "data-any": name },
        h("i", { style: "background:" + colour(styleOf(data.dimensions.get(name), value).ink) }),
        label(value),
      );
      const hide = (others) => {
        state.hidden[name] = new Set(others.length < values.length ? others : []);
        changed();
      };
      button.addEventListener("click", () =>
        hide(
          state.hidden[name].has(value)
            ? [...state.hidden[name]].filter((one) => one !== value)
            : [...state.hidden[name], value],
        ),
      );
      button.addEventListener("dblclick", () => hide(values.filter((one) => one !== value)));
      return button;
    }),
  );

// ---- figures

/** A figure's mapping as the reader's choices have it. */
function chosenSpec(name, one = state.one) {
  const { variants, ...spec } = page.list.figures[name];
  const found = Object.entries(variants || {}).reduce(
    (all, [choice, values]) => ({ ...all, ...values[one[choice]] }),
    spec,
  );
  return {
    ...found,
    plots: found.plots && found.plots.map((plot) => (plot.figure ? page.list.figures[plot.figure] : plot)),
  };
}

const widthFor = (figure) => Math.min(1080, figure.element.clientWidth || 720);

function draw(name, width = widthFor(drawn.get(name))) {
  const figure = drawn.get(name);
  let found = null;
  try {
    const spec = chosenSpec(name);
    found = drawFigure(spec, spec.always ? { ...data, hidden: {} } : data, width);
  } catch (failure) {
    root.dataset.failed = `${name}: ${failure.message}`;
  }
  figure.svg.replaceWith(
    found
      ? found.svg
      : (found = {
          svg: h("p.empty", null, "There is nothing to draw of what is shown."),
          panels: [],
          full: [0, 0, 1, 1],
        }).svg,
  );
  Object.assign(figure, found, { width, stop: null });
  if (figure.svg.tagName !== "svg") return;
  if (state.zoom[name]) figure.svg.setAttribute("viewBox", state.zoom[name].join(" "));
  figure.cursor = d3.select(figure.svg).append("path").attr("class", "cursor").node();
  listen(name, figure);
}

/** The element of a figure with its text and its table; drawn once it stands in the page. Null if it has no data. */
function figureOf(name) {
  const spec = chosenSpec(name);
  if (rowsOf({ ...data, hidden: {} }, spec.table, spec.where).length === 0) return null;
  const [svg, saveSvg, saveCsv] = [
    h("p", null, ""),
    h("button", { type: "button", "data-save": name }, "Save SVG"),
    h("button", { type: "button", "data-csv": name }, "Save CSV"),
  ];
  const element = h(
    "figure.drawing",
    { id: "figure-" + name, tabindex: 0, role: "group", "aria-label": spec.title },
    svg,
    h("figcaption.actions", null, saveSvg, saveCsv),
  );
  const figure = { element, svg, panels: [], full: [0, 0, 1, 1] };
  drawn.set(name, figure);
  saveSvg.addEventListener("click", () => save(name + suffix(name) + ".svg", "image/svg+xml", svgText(name)));
  saveCsv.addEventListener("click", () =>
    tablesOf(spec).forEach((table) => save(table + ".csv", "text/csv", csvText(table))),
  );
  element.addEventListener("blur", () => tell(null));
  element.addEventListener("keydown", (event) => {
    const action = {
      ArrowLeft: () => step(figure, -1),
      ArrowRight: () => step(figure, 1),
      "+": () => zoomBy(name, 1 / 1.6),
      "-": () => zoomBy(name, 1.6),
      0: () => zoom(name, null),
    }[event.key];
    if (!action || event.target !== element) return;
    action();
    event.preventDefault();
  });
  return [element, details("In words", h("p", null, inWords(spec))), tableLater(spec)];
}

const tablesOf = (spec) =>
  [...new Set((spec.plots || [spec]).map((plot) => plot.table || spec.table))].filter((name) => data.tables.has(name));
const suffix = (name) => chosenSpec(name).suffix || "";

/** What a figure shows, in sentences. */
function inWords(spec) {
  const said = spec.say;
  const list = !said
    ? ""
    : " " +
      said.heading +
      " " +
      rowsOf(data, said.table, said.where)
        .filter((row) => row[said.value] != null)
        .map(
          (row) =>
            labelOf(data, row, said.by) +
            ": " +
            shown(row[said.value], said.format || data.tables.get(said.table).units[said.value]),
        )
        .join("; ") +
      ".";
  return `${spec.words}${list} ${(spec.notes || []).join(" ")}`;
}

const LONG = 400;

/** A figure's table, made when it is opened; a long one is for a program. */
function tableLater(spec) {
  const { rows, columns } = data.tables.get(spec.table);
  const mine = rows.filter((row) => Object.entries(spec.where || {}).every(([column, value]) => row[column] === value));
  const opened = details("Table");
  opened.addEventListener("toggle", () => {
    if (opened.childNodes.length === 1)
      opened.append(
        mine.length > LONG
          ? h("p", null, `Its ${mine.length} rows are in ${spec.table}.csv, which the button saves.`)
          : table(
              spec.title,
              columns.map(heading),
              mine.map((row) => ({
                cells: columns.map(({ name }) =>
                  isNumber(row[name]) ? digits(row[name], 4) : String(row[name] ?? NONE),
                ),
              })),
            ),
      );
  });
  return opened;
}

const heading = ({ name, unit }) => (/^(µs|ms|s|bytes)$/.test(unit) ? `${name} ${unit}` : name);

/** As RFC 4180 has it, the same text that plog report --figures writes. */
function csvText(name) {
  const { columns, rows } = data.tables.get(name);
  const field = (value) =>
    value == null
      ? ""
      : typeof value === "number"
        ? plain(value)
        : /[",\n\r]/.test(value)
          ? `"${value.replaceAll('"', '""')}"`
          : value;
  return [columns.map(heading), ...rows.map((row) => columns.map((column) => row[column.name]))]
    .map((fields) => fields.map(field).join(",") + "\n")
    .join("");
}

/** All digits, without an exponent. */
function plain(value) {
  const [, sign, whole, part = "", power] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) || [];
  if (!power) return String(value);
  const [all, point] = [whole + part, whole.length + Number(power)];
  return (
    sign +
    (point <= 0
      ? "0." + "0".repeat(-point) + all
      : all.length <= point
        ? all.padEnd(point, "0")
        : all.slice(0, point) + "." + all.slice(point))
  );
}

/** A figure as a file of its own, which stands alone: light, with its source. */
function svgText(name, one = state.one) {
  const found = drawFigure(
    chosenSpec(name, one),
    {
      ...data,
      source: (name === "comparison" && page.documents.comparisonSource) || page.source,
      choices: { ...one, book: "on" },
    },
    720,
  );
  if (!found) return null;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    new XMLSerializer().serializeToString(found.svg).replace(/var\(--c([0-9a-f]+)\)/g, "#$1") +
    "\n"
  );
}

/** Every figure with every choice of its axes, by the names of their files. */
function allSvgs() {
  const found = {};
  for (const [name, spec] of Object.entries(page.list.figures)) {
    const [choice] = Object.keys(spec.variants || {});
    for (const value of choice ? choices()[choice].values : [""]) {
      const svg = svgText(name, { ...state.one, [choice]: value });
      if (svg) found[name + (chosenSpec(name, { ...state.one, [choice]: value }).suffix || "")] = svg;
    }
  }
  return found;
}

function save(file, type, text) {
  const link = h("a", { download: file, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- reading values and zooming

const tip = h("div.tip", { "aria-live": "polite" });
const toUser = (svg, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());

function tell(found, point) {
  tip.hidden = !found;
  if (!found) return;
  tip.replaceChildren(
    ...(found.heading ? [h("b", null, found.heading)] : []),
    ...found.lines.map(([ink, name, value]) =>
      h("div", null, ink ? h("i", { style: "background:" + colour(ink) }) : null, name + " ", h("span", null, value)),
    ),
  );
  const right = point.x > innerWidth / 2;
  Object.assign(tip.style, {
    top: Math.max(4, point.y - tip.offsetHeight - 12) + "px",
    left: right ? "auto" : point.x + 14 + "px",
    right: right ? innerWidth - point.x + 14 + "px" : "auto",
  });
}

/** The curves of a panel at a place: a heading, and for each its name, colour and value. */
function reading(panel, x) {
  const { plot } = panel;
  const lines = panel.curves
    .map((curve) => [curve, along(curve, x)])
    .filter(([, y]) => y != null && y <= panel.height + 0.5)
    .map(([curve, y]) => [curve.ink, curve.label, shown(panel.y.at(y), plot.y.format || plot.y.unit)]);
  return lines.length === 0 || !panel.x.at
    ? null
    : { heading: [plot.x.label || "", shown(panel.x.at(x), plot.x.format || plot.x.unit)].join(" "), lines };
}

const panelAt = (figure, { x, y }) =>
  figure.panels.find(
    ({ box: [left, top, width, height] }) => x >= left && x <= left + width && y >= top && y <= top + height,
  );

function nearest(panel, x, y) {
  const near = panel.stops
    .map((stop) => [stop, Math.hypot(Math.max(0, Math.abs(stop.x - x) - (stop.half || 0)), stop.y - y)])
    .sort((a, b) => a[1] - b[1])[0];
  return near && near[1] < 16 ? near[0] : null;
}

function point(figure, event) {
  const place = toUser(figure.svg, event);
  const panel = panelAt(figure, place);
  const [x, y] = panel ? [place.x - panel.box[0], place.y - panel.box[1]] : [];
  const stop = panel && nearest(panel, x, y);
  figure.cursor.setAttribute(
    "d",
    panel && !stop && panel.curves.length > 0 ? `M${place.x} ${panel.box[1]}v${panel.height}` : "",
  );
  tell(panel ? stop || reading(panel, x) : null, { x: event.clientX, y: event.clientY });
}

/** With the arrow keys the reading moves from place to place. */
function step(figure, by) {
  const stops = figure.panels.flatMap((panel) =>
    panel.stops.length > 0
      ? panel.stops.map((stop) => [panel, stop, stop.x, stop.y])
      : panel.curves.length === 0
        ? []
        : Array.from({ length: 41 }, (_, i) => [panel, null, (panel.width * i) / 40, panel.height / 2]),
  );
  if (stops.length === 0) return;
  figure.stop = Math.min(stops.length - 1, Math.max(0, figure.stop == null ? 0 : figure.stop + by));
  const [panel, stop, x, y] = stops[figure.stop];
  figure.cursor.setAttribute("d", stop ? "" : `M${panel.box[0] + x} ${panel.box[1]}v${panel.height}`);
  tell(
    stop || reading(panel, x),
    new DOMPoint(panel.box[0] + x, panel.box[1] + y).matrixTransform(figure.svg.getScreenCTM()),
  );
}

function zoom(name, box) {
  const [x, y, width, height] = drawn.get(name).full;
  const kept = box &&
    box[2] < width && [
      Math.max(x, Math.min(box[0], x + width - box[2])),
      Math.max(y, Math.min(box[1], y + height - box[3])),
      box[2],
      box[3],
    ];
  if (kept) state.zoom[name] = kept;
  else delete state.zoom[name];
  writeHash();
  draw(name);
}

function zoomBy(name, factor) {
  const [x, y, width, height] = state.zoom[name] || drawn.get(name).full;
  zoom(name, [x + (width * (1 - factor)) / 2, y + (height * (1 - factor)) / 2, width * factor, height * factor]);
}

function drag(name, figure, begin) {
  const from = toUser(figure.svg, begin);
  const box = (event) => {
    const to = toUser(figure.svg, event);
    return [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  };
  const move = (event) => {
    const [x, y, w, height] = box(event);
    figure.cursor.setAttribute("d", `M${x} ${y}h${w}v${height}h${-w}z`);
  };
  addEventListener("pointermove", move);
  addEventListener(
    "pointerup",
    (event) => {
      removeEventListener("pointermove", move);
      figure.cursor.setAttribute("d", "");
      if (box(event)[2] > 12 && box(event)[3] > 8) zoom(name, box(event));
    },
    { once: true },
  );
}

function listen(name, figure) {
  figure.svg.addEventListener("pointermove", (event) => point(figure, event));
  figure.svg.addEventListener("pointerleave", () => {
    tell(null);
    figure.cursor.setAttribute("d", "");
  });
  figure.svg.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0) drag(name, figure, event);
  });
  figure.svg.addEventListener("dblclick", () => zoom(name, null));
}

// ---- sections

/** A cell of a table by its mapping: what stands in a field, written in a format, with its interval below it. */
function cellOf(row, [, path, format, more = {}]) {
  const value = path.startsWith("?") ? BUILD[path.slice(1)](row) : at(row, path);
  if (value instanceof Node) return value;
  const found = more.ends
    ? { low: at(row, more.ends[0]), high: at(row, more.ends[1]) }
    : more.interval && at(row, more.interval);
  const bounds =
    more.quantile != null &&
    ((at(row, more.of + ".quantiles") || []).find(({ q }) => Math.abs(q - more.quantile) < 1e-9) || {}).interval;
  const open = more.ends ? found.high == null : more.quantile != null && bounds && bounds.high == null;
  const words = shown(value, format) + (open && !interval(bounds || found) ? "*" : "");
  if (!bounds && !found) return words;
  return h(
    open ? "span.unbounded" : "span",
    open ? { title: "too few requests, or too unlike each other, for a 95 % upper bound" } : null,
    words,
    interval(bounds || found, more.format || format)
      ? h("small", null, interval(bounds || found, more.format || format))
      : null,
  );
}

/**
 * A table that a section's list describes: its rows are an array of the results, or made by a function of this
 * kind of page.
 */
function tableOf(item) {
  const rows = (
    item.rows.startsWith("?")
      ? BUILD[item.rows.slice(1)]()
      : data.tables.has(item.rows)
        ? rowsOf({ ...data, hidden: {} }, item.rows, item.where)
        : at(page.documents, item.rows) || []
  ).filter((row) => !item.having || [].concat(item.having).every((path) => at(row, path) != null));
  if (rows.length === 0) return null;
  const columns = item.columns
    .flatMap((column) => (typeof column === "string" ? BUILD[column](rows) : [column]))
    .filter(([, path, , more]) => !more || more.lone !== "quiet" || new Set(rows.map((row) => at(row, path))).size > 1);
  const made = table(
    item.caption,
    columns.map(([head]) => head),
    rows.map((row) => ({
      about: item.about
        ? {
            "data-row": JSON.stringify(
              Object.fromEntries(Object.entries(item.about).map(([name, path]) => [name, String(at(row, path))])),
            ),
          }
        : {},
      cells: columns.map((column) => cellOf(row, column)),
    })),
  );
  return item.summary
    ? details(
        item.summary,
        (item.notes || []).map((note) => BUILD[note]()),
        made,
      )
    : made;
}

function itemOf(item) {
  if (typeof item === "string") return BUILD[item]();
  if (item.beside)
    return h(
      "div.first.even",
      null,
      item.beside.map((each) => h("div", null, itemOf(each))),
    );
  if (item.figure || item.rows)
    return (
      (item.figure ? figureOf(item.figure) : tableOf(item)) || (item.absent ? h("p.empty", null, item.absent) : null)
    );
  if (item.terms)
    return h(
      "dl.prose",
      null,
      item.terms.map(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
    );
  return h("p." + (item.style || "reading"), null, item.text);
}

function sectionOf({ id, heading, needs, document: source, reading: words, items, absent }) {
  if (source && !page.documents[source]) return null;
  if (needs && !rowsOf({ ...data, hidden: {} }, needs.table, needs.where).length)
    return absent ? h("section.figure", { id }, h("h2", null, heading), h("p.empty", null, absent)) : null;
  return h(
    "section.figure",
    { id },
    h("h2", null, heading),
    words ? h("p.reading", null, words) : null,
    items.map(itemOf),
  );
}

function build() {
  document.title = page.title;
  const sections = d3
    .sort(page.list.sections, ({ id }) => !served.first().includes(id))
    .map((section) => [section, sectionOf(section)])
    .filter(([, made]) => made);
  const bar = h(
    "nav.filters",
    { "aria-label": "What the page shows" },
    filters().map(anyOf),
    Object.entries(page.list.choices).map(([name, choice]) => oneOf(name, choice)),
  );
  const contents = h(
    "nav.contents",
    { "aria-label": "Contents" },
    sections.map(([{ id, heading, short }]) => h("a", { href: "#" + id }, short || heading)),
  );
  contents.addEventListener("click", (event) => {
    // the address keeps what the reader chose
    const section = event.target.hash && document.getElementById(event.target.hash.slice(1));
    if (!section) return;
    event.preventDefault();
    section.scrollIntoView();
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
  });
  document
    .querySelector("main")
    .replaceChildren(
      h(
        "header",
        null,
        h("p.brand", null, "plog"),
        served.head(),
        h("h1", null, page.list.heading),
        h("p.sub", null, BUILD.subtitle()),
        oneOf("theme", choices().theme),
      ),
      contents,
      ...sections.flatMap(([{ filters: first }, made]) => (first && data.tables.size > 0 ? [bar, made] : [made])),
    );
  document.body.append(tip);
}

/** The list with what is known of these results, "{name}" in its texts. */
function filled(part) {
  if (typeof part === "string") return part.replace(/\{(\w+)\}/g, (_, name) => (page.documents.words || {})[name]);
  if (Array.isArray(part)) return part.map(filled);
  return part && typeof part === "object"
    ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, filled(value)]))
    : part;
}

/** Reads what Java handed over. */
async function take(packed) {
  page = await unpacked(packed);
  page.list = filled(page.list);
  drawn.clear();
  const tables = new Map(page.tables.map((one) => [one.name, expanded(one)]));
  data = { tables, dimensions: dimensions(tables), hidden: {}, choices: {} };
  readHash();
  data = { ...data, hidden: state.hidden, choices: state.one };
}

async function start() {
  await take(document.getElementById("data").textContent);
  if (location.hash === "#export") {
    document.body.dataset.figures = btoa(
      Array.from(new TextEncoder().encode(JSON.stringify(allSvgs())), (byte) => String.fromCharCode(byte)).join(""),
    );
    return;
  }
  build();
  tip.hidden = true;
  apply();
  addEventListener("hashchange", () => {
    readHash();
    apply();
  });
  new ResizeObserver(() => {
    if ([...drawn.values()].some((figure) => widthFor(figure) !== figure.width)) drawAll();
  }).observe(document.querySelector("main"));
  root.dataset.drawn = "yes";
  served.follow();
}

start().catch((failure) => {
  root.classList.remove("scripted"); // shows what is there without a script
  root.dataset.failed = failure.message;
  document
    .querySelector("main")
    .prepend(
      h(
        "p.validity.bad",
        null,
        `This page could not be drawn: ${failure.message}. The results beside it have the same numbers.`,
      ),
    );
});
