// The load study's page: theme, fading of designs, and what can be taken along. Everything else is text and drawings already.
const data = JSON.parse(new TextDecoder().decode(inflate(Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0)))));
const csvOf = Object.fromEntries(Object.entries(data.csv).map(([name, text]) => [name, () => text]));
const names = data.designs.map(([name]) => name);
const state = { theme: "auto", hidden: new Set(), printing: false };
const followers = [];

function readHash() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  state.theme = ["light", "dark"].includes(chosen.get("theme")) ? chosen.get("theme") : "auto";
  const kept = chosen.getAll("design").filter((name) => names.includes(name));
  state.hidden = new Set(kept.length === 0 ? [] : names.filter((name) => !kept.includes(name)));
}

function writeHash() {
  const chosen = new URLSearchParams();
  if (state.theme !== "auto") chosen.set("theme", state.theme);
  if (state.hidden.size > 0) names.filter((name) => !state.hidden.has(name)).forEach((name) => chosen.append("design", name));
  history.replaceState(null, "", chosen.toString() ? "#" + chosen : location.pathname + location.search);
}

function apply() {
  const dark = state.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : state.theme === "dark";
  document.documentElement.dataset.theme = dark && !state.printing ? "dark" : "light";
  // A design's lines and points are those in its colour.
  faded.textContent = data.designs.filter(([name]) => state.hidden.has(name))
    .map(([, colour]) => '.still[data-inks="designs"] svg [stroke="' + colour + '"] { opacity: .07; }').join("\n");
  followers.forEach((follow) => follow());
}

function changed() {
  writeHash();
  apply();
}

function button(words, pressed, action) {
  const made = el("button", { type: "button", onclick() { action(); changed(); } }, ...words);
  followers.push(() => made.setAttribute("aria-pressed", String(pressed())));
  return made;
}

function themes() {
  return el("div", { class: "choice", role: "group", "aria-label": "Theme" }, el("span", null, "Theme"),
    ...["auto", "light", "dark"].map((theme) => button([theme], () => state.theme === theme, () => { state.theme = theme; })));
}

// Any of the designs; the last one that is left cannot be faded.
function designs() {
  const toggle = (name) => { if (!state.hidden.delete(name) && state.hidden.size < names.length - 1) state.hidden.add(name); };
  const all = el("button", { type: "button", onclick() { state.hidden.clear(); changed(); } }, "all");
  followers.push(() => { all.hidden = state.hidden.size === 0; });
  return el("div", { class: "choice chips", role: "group", "aria-label": "Designs" }, el("span", null, "Designs"),
    ...data.designs.map(([name, colour]) => {
      const chip = button([el("i"), name], () => !state.hidden.has(name), () => toggle(name));
      chip.firstChild.style.background = colour;
      chip.title = "Double-click: this one alone";
      chip.addEventListener("dblclick", () => { state.hidden = new Set(names.filter((other) => other !== name)); changed(); });
      return chip;
    }), all);
}

const faded = el("style");
document.head.append(faded);
document.documentElement.classList.add("scripted");
document.querySelector("header").append(themes());
const choices = document.getElementById("choices");
if (names.length > 1) choices.append(designs());
else choices.remove();
for (const [name, figure] of stills) {
  let last = figure;
  while (last.nextElementSibling?.matches("details.table")) last = last.nextElementSibling;
  last.after(exports([name]));
}
document.getElementById("downloads").replaceChildren(
  ...Object.keys(csvOf).map((name) => saveButton(name + ".csv", () => saveText(name + ".csv", csvOf[name](), "text/csv"))));
readHash();
apply();
addEventListener("hashchange", () => { readHash(); apply(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
const printing = (on) => () => { state.printing = on; apply(); };
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
document.documentElement.dataset.drawn = "yes";
