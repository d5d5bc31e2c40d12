// What a page can do beyond being read: read values from its drawings, zoom, filter, change the theme, save. All that it says is in
// the markup already. What the reader chose stands in the address after "#", so that a view can be linked.
const root = document.documentElement;
const drawings = [...document.querySelectorAll(".drawing")];
const nameOf = (drawing) => drawing.id.slice("figure-".length);
const svgOf = (drawing) => drawing.querySelector("svg");
const frameOf = (panel) => panel.dataset.frame.split(" ").map(Number);
const ones = [...document.querySelectorAll("[data-one]")];
const anys = [...document.querySelectorAll("[data-any]")];
const buttons = (group) => [...group.querySelectorAll("button")];
const state = { one: {}, hidden: {}, zoom: {} };

function readHash() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const group of ones) {
    const values = buttons(group).map((b) => b.value);
    state.one[group.dataset.one] = values.includes(chosen.get(group.dataset.one)) ? chosen.get(group.dataset.one) : values[0];
  }
  for (const group of anys) {
    const values = buttons(group).map((b) => b.value);
    const kept = chosen.getAll(group.dataset.any).flatMap((text) => (values.includes(text) ? [text] : text.split(","))).filter((v) => values.includes(v));
    state.hidden[group.dataset.any] = new Set(kept.length === 0 ? [] : values.filter((v) => !kept.includes(v)));
  }
  state.zoom = {};
  for (const [name, ...box] of chosen.getAll("zoom").map((text) => text.split(","))) {
    if (box.length === 4 && box.every((n) => Number.isFinite(Number(n))) && box[2] > 0 && box[3] > 0) state.zoom[name] = box.map(Number);
  }
}

function writeHash() {
  const chosen = new URLSearchParams();
  for (const group of ones) {
    const value = state.one[group.dataset.one];
    if (value !== buttons(group)[0].value) chosen.set(group.dataset.one, value);
  }
  for (const group of anys) {
    const hidden = state.hidden[group.dataset.any];
    if (hidden.size > 0) buttons(group).filter((b) => !hidden.has(b.value)).forEach((b) => chosen.append(group.dataset.any, b.value));
  }
  for (const [name, box] of Object.entries(state.zoom)) chosen.append("zoom", [name, ...box.map((n) => Number(n.toFixed(1)))].join(","));
  history.replaceState(null, "", chosen.toString() ? "#" + chosen.toString().replaceAll("%2C", ",") : location.pathname + location.search);
}

function apply() {
  Object.assign(root.dataset, state.one);
  ones.forEach((group) => buttons(group).forEach((b) => b.setAttribute("aria-pressed", String(state.one[group.dataset.one] === b.value))));
  const selectors = [];
  for (const group of anys) {
    for (const b of buttons(group)) {
      const hidden = state.hidden[group.dataset.any].has(b.value);
      b.setAttribute("aria-pressed", String(!hidden));
      if (hidden) selectors.push(b.dataset.selector);
    }
  }
  faded.selector = selectors.join(", ");
  faded.textContent = selectors.length === 0 ? "" : `.drawing :is(${faded.selector}) { opacity: .07; } tr:is(${faded.selector}) { display: none; }`;
  drawings.forEach((drawing) => svgOf(drawing).setAttribute("viewBox", (state.zoom[nameOf(drawing)] || drawing.full).join(" ")));
}

function changed() {
  writeHash();
  apply();
}

// Any of several: the last one that is left cannot be taken away.
function toggle(group, value) {
  const hidden = state.hidden[group.dataset.any];
  if (!hidden.delete(value) && hidden.size < buttons(group).length - 1) hidden.add(value);
  changed();
}

function alone(group, value) {
  state.hidden[group.dataset.any] = new Set(buttons(group).map((b) => b.value).filter((v) => v !== value));
  changed();
}

// Values of a drawing. An axis says "SCALE min max label"; a curve's height at a place is found by halving its length, for its points ascend.
function axis(text) {
  const [scale, min, max, ...label] = text.split(" ");
  const along = { LOG: [Math.log, Math.exp], ARSINH: [(v) => Math.asinh(v / 10), (v) => 10 * Math.sinh(v)], LINEAR: [(v) => v, (v) => v] }[scale];
  const [from, to] = [along[0](Number(min)), along[0](Number(max))];
  return { label: label.join(" "), at: (place) => along[1](from + place * (to - from)) };
}

const digits = (x) => String(Number(x.toPrecision(3)));
const time = (us) => (Math.abs(us) >= 1e6 ? digits(us / 1e6) + " s" : Math.abs(us) >= 1000 ? digits(us / 1000) + " ms" : digits(us) + " µs");

function shown({ label, at }, place) {
  const value = at(place);
  if (/^(latency|difference)/.test(label) && !/ms/.test(label)) return time(value);
  return /^(cumulative share|share slower)/.test(label) ? digits(value * 100) + " %" : label === "request number" ? Math.round(value).toLocaleString("en-US") : digits(value);
}

function heightAt(path, x) {
  let [low, high] = [0, path.getTotalLength()];
  if (path.getPointAtLength(0).x > x + 1 || path.getPointAtLength(high).x < x - 1) return null;
  while (high - low > 0.1) {
    const middle = (low + high) / 2;
    if (path.getPointAtLength(middle).x < x) low = middle;
    else high = middle;
  }
  return path.getPointAtLength(high).y;
}

const inside = (selector, panel) => [...panel.querySelectorAll(selector)].filter((one) => one.closest(".panel") === panel);

// A heading, and for each curve its name, colour and value.
function reading(panel, x) {
  const [left, top, width, height] = frameOf(panel);
  const lines = [];
  for (const path of inside("path.line[data-name]", panel)) {
    const y = faded.selector && path.closest(`:is(${faded.selector})`) ? null : heightAt(path, x);
    if (y != null && y <= top + height + 0.5) lines.push([path.getAttribute("stroke"), path.dataset.name, shown(axis(panel.dataset.y), (top + height - y) / height)]);
  }
  const across = axis(panel.dataset.x);
  return lines.length === 0 ? null : { heading: [across.label, shown(across, (x - left) / width)].join(" "), lines };
}

function tell(found, point) {
  tip.hidden = !found;
  if (!found) return;
  tip.replaceChildren(...(found.heading ? [make("b", found.heading)] : []), ...found.lines.map(([colour, name, value]) => {
    const line = make("div", name + " ");
    if (colour) line.prepend(Object.assign(document.createElement("i"), { style: "background:" + colour }));
    line.append(make("span", value));
    return line;
  }));
  const right = point.x > innerWidth / 2;
  Object.assign(tip.style, { top: Math.max(4, point.y - tip.offsetHeight - 12) + "px", left: right ? "auto" : point.x + 14 + "px", right: right ? innerWidth - point.x + 14 + "px" : "auto" });
}

const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const toUser = (svg, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
const words = (mark) => ({ lines: [["", mark.getAttribute("aria-label"), ""]] });

function point(drawing, event) {
  const { x, y } = toUser(svgOf(drawing), event);
  const panel = [...drawing.querySelectorAll(".panel")].filter((one) => {
    const [left, top, width, height] = frameOf(one);
    return x >= left && x <= left + width && y >= top && y <= top + height;
  }).pop();
  drawing.cursor.setAttribute("d", panel && !event.target.matches(".reading") ? `M${x} ${frameOf(panel)[1]}v${frameOf(panel)[3]}` : "");
  tell(event.target.matches(".reading") ? words(event.target) : panel ? reading(panel, x) : null, { x: event.clientX, y: event.clientY });
}

// With the arrow keys the reading moves from place to place.
function step(drawing, by) {
  const svg = svgOf(drawing);
  const stops = [...drawing.querySelectorAll(".panel")].flatMap((panel) => {
    const [left, top, width, height] = frameOf(panel);
    const marks = inside(".reading", panel).map((mark) => [words(mark), Number(mark.getAttribute("x")), Number(mark.getAttribute("y"))]);
    return marks.length > 0 ? marks : inside("path.line[data-name]", panel).length === 0 ? []
      : Array.from({ length: 41 }, (_, i) => [panel, left + (width * i) / 40, top + height / 2]);
  });
  if (stops.length === 0) return;
  drawing.stop = Math.min(stops.length - 1, Math.max(0, drawing.stop == null ? 0 : drawing.stop + by));
  const [where, x, y] = stops[drawing.stop];
  drawing.cursor.setAttribute("d", where.lines ? "" : `M${x} ${frameOf(where)[1]}v${frameOf(where)[3]}`);
  tell(where.lines ? where : reading(where, x), new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()));
}

function zoom(drawing, box) {
  const [x, y, width, height] = drawing.full;
  const kept = box && box[2] < width && [Math.max(x, Math.min(box[0], x + width - box[2])), Math.max(y, Math.min(box[1], y + height - box[3])), box[2], box[3]];
  if (kept) state.zoom[nameOf(drawing)] = kept;
  else delete state.zoom[nameOf(drawing)];
  changed();
}

function zoomBy(drawing, factor) {
  const [x, y, width, height] = state.zoom[nameOf(drawing)] || drawing.full;
  zoom(drawing, [x + (width * (1 - factor)) / 2, y + (height * (1 - factor)) / 2, width * factor, height * factor]);
}

function drag(drawing, begin) {
  const from = toUser(svgOf(drawing), begin);
  const box = (event) => {
    const to = toUser(svgOf(drawing), event);
    return [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  };
  const move = (event) => { const [x, y, w, h] = box(event); drawing.cursor.setAttribute("d", `M${x} ${y}h${w}v${h}h${-w}z`); };
  addEventListener("pointermove", move);
  addEventListener("pointerup", (event) => {
    removeEventListener("pointermove", move);
    drawing.cursor.setAttribute("d", "");
    if (box(event)[2] > 12 && box(event)[3] > 8) zoom(drawing, box(event));
  }, { once: true });
}

// A drawing as plog report --figures writes it, but for names and frames that only a page needs; from a phone, too, the wide one.
function svgText(drawing) {
  const svg = svgOf(drawing).cloneNode(true);
  svg.setAttribute("viewBox", drawing.full.join(" "));
  svg.querySelectorAll(".reading, .cursor").forEach((one) => one.remove());
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(svg).replace(/var\(--c([0-9a-f]+)\)/g, "#$1") + "\n";
}

function save(narrowOrWide) {
  const drawing = document.getElementById(narrowOrWide.id.replace(/-narrow$/, ""));
  const link = make("a", "");
  Object.assign(link, { download: nameOf(drawing) + ".svg", href: URL.createObjectURL(new Blob([svgText(drawing)], { type: "image/svg+xml" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const faded = document.head.appendChild(document.createElement("style"));
const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true, ariaLive: "polite" });
document.body.append(tip);
for (const drawing of drawings) {
  const svg = svgOf(drawing);
  drawing.full = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.style.aspectRatio = drawing.full[2] + " / " + drawing.full[3];
  drawing.cursor = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  drawing.cursor.setAttribute("class", "cursor");
  for (const title of svg.querySelectorAll(".reading > title")) {
    title.parentNode.setAttribute("aria-label", title.textContent); // without its title the browser shows no second tip
    title.remove();
  }
  svg.addEventListener("pointermove", (event) => point(drawing, event));
  svg.addEventListener("pointerleave", () => { tell(null); drawing.cursor.setAttribute("d", ""); });
  svg.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse" && event.button === 0) drag(drawing, event); });
  svg.addEventListener("dblclick", () => zoom(drawing, null));
  drawing.querySelector("[data-save]").addEventListener("click", () => save(drawing));
  drawing.addEventListener("blur", () => tell(null));
  drawing.addEventListener("keydown", (event) => {
    const action = { ArrowLeft: () => step(drawing, -1), ArrowRight: () => step(drawing, 1), "+": () => zoomBy(drawing, 1 / 1.6), "-": () => zoomBy(drawing, 1.6), 0: () => zoom(drawing, null) }[event.key];
    if (!action || event.target !== drawing) return;
    action();
    event.preventDefault();
  });
}
ones.forEach((group) => buttons(group).forEach((b) => b.addEventListener("click", () => { state.one[group.dataset.one] = b.value; changed(); })));
anys.forEach((group) => buttons(group).forEach((b) => {
  b.addEventListener("click", () => toggle(group, b.value));
  b.addEventListener("dblclick", () => alone(group, b.value));
}));
addEventListener("hashchange", () => { readHash(); apply(); });
root.classList.add("scripted");
readHash();
apply();
root.dataset.drawn = "yes";
