// Takes figures along: as SVG and PNG from the still drawing, all sizes and targets in it, and as CSV. Where the clipboard is
// missing, as in a file opened from a disk in some browsers, or where it refuses, the file is saved instead.
function exports(names) {
  return el("details", { class: "table exports" }, el("summary", null, "Copy or save"),
    ...names.map((name) => {
      const svg = () => svgText(name);
      const csv = csvOf[name];
      return el("p", { class: "actions" }, el("span", null, stillTitle(name)),
        copyButton("Copy SVG", svg, name + ".svg"), pngButton(name), csv ? copyButton("Copy CSV", csv, name + ".csv") : null,
        saveButton("Save SVG", () => saveText(name + ".svg", svg(), "image/svg+xml")),
        saveButton("Save PNG", async () => save(name + ".png", await pngOf(name))),
        csv ? saveButton("Save CSV", () => saveText(name + ".csv", csv(), "text/csv")) : null);
    }));
}

// The still drawings by name, wherever they stand by now.
const stills = new Map([...document.querySelectorAll("figure.still")].map((one) => [one.id.slice("still-".length), one]));
const still = (name) => stills.get(name)?.querySelector("svg");
const stillTitle = (name) => still(name).querySelector("title").textContent;
const svgText = (name) => '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(still(name)) + "\n";

async function pngOf(name) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(name));
  await image.decode();
  const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function save(name, blob) {
  const link = el("a", { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const saveText = (name, text, type) => save(name, new Blob([text], { type }));
const saveButton = (label, action) => el("button", { type: "button", onclick: action }, label);

// Says for a moment what became of it.
function told(button, label, word) {
  button.textContent = word;
  announce(word);
  setTimeout(() => { button.textContent = label; }, 1800);
}

function copyButton(label, text, fileName) {
  const button = el("button", { type: "button", async onclick() {
    const copied = await navigator.clipboard?.writeText(text()).then(() => true, () => false) || copiedTheOldWay(text());
    if (!copied) saveText(fileName, text(), "text/plain");
    told(button, label, copied ? "Copied" : "Saved instead");
  } }, label);
  return button;
}

function copiedTheOldWay(text) {
  const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

function pngButton(name) {
  const button = el("button", { type: "button", async onclick() {
    const blob = await pngOf(name);
    let copied = false;
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      copied = true;
    } catch {
      save(name + ".png", blob);
    }
    told(button, "Copy PNG", copied ? "Copied" : "Saved instead");
  } }, "Copy PNG");
  return button;
}

// For who listens instead of looking.
function announce(text) {
  let region = document.getElementById("announced");
  if (!region) {
    region = el("div", { id: "announced", class: "offscreen", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = text;
}
