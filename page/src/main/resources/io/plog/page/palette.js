// One palette for all figures: hues that colour-blind readers tell apart (after Okabe and Ito), a ramp for what is
// ordered, and for each a second channel, for print in grey: a dash, a symbol or a hatch. A colour is named by its
// light value; --cRRGGBB follows the theme of the page.

const HUES = ["0072b2", "c9540a", "00855f", "a8487d", "7a6a00", "5b4bb5", "8a3b12", "2f7484"];
const RAMP = ["3b2f9e", "8a2f8f", "c43d6b", "d9622b", "b98200"];
const DASHES = ["", "8 3", "2 2.5", "9 3 2 3", "4 2 1.5 2", "12 3", "1.5 4", "6 2 1 2"];
const SHAPES = ["dot", "square", "triangle", "diamond", "ring", "cross", "dot", "square"];
const PARTS = {
  "schedule lag": ["e7c4cf"],
  "network and client": ["b9c2cc"],
  "unread or network": ["b9c2cc", "falling"],
  network: ["b9c2cc"],
  service: ["0072b2"],
  waiting: ["7a5ea8", "rising"],
  "batch wait": ["b892d6", "dots"],
  write: ["e69f00", "falling"],
  force: ["0072b2"],
  execution: ["00855f", "lying"],
  reply: ["8b949e", "rising"],
  "rest of the server": ["8b949e", "rising"],
  work: ["00855f"],
  wait: ["c8ced6", "rising"],
};
const SERIES = [
  ["3b2f9e"],
  ["a8487d", "rising"],
  ["d9622b"],
  ["e0b040", "dots"],
  ["7fb08a", "lying"],
  ["8b949e", "falling"],
];
const INK = "1b1f24";
const SOFT = "555e69";
const GRID = "e3e6ea";
const AMBER = "b9750a";
const REFERENCE = "666f7a";
const GREY = "8b949e";
const INKS = { amber: AMBER, grey: GREY, ink: INK };
const DARK = {
  fff: "14171b",
  "1b1f24": "e9ecf0",
  e3e6ea: "292f37",
  "555e69": "a3acb7",
  "666f7a": "a7b0bb",
  b9750a: "f0b44a",
  "0072b2": "4fa8e4",
  c9540a: "f08a45",
  "00855f": "2fc79a",
  a8487d: "e69ac4",
  "7a6a00": "d9cc55",
  "5b4bb5": "a79bf5",
  "8a3b12": "d98e63",
  "2f7484": "7cc4d8",
  "3b2f9e": "8f86ff",
  "8a2f8f": "d07be0",
  c43d6b: "f5829f",
  d9622b: "f9a35f",
  b98200: "f7dd72",
  e7c4cf: "8d5a6b",
  b9c2cc: "4b5663",
  "7a5ea8": "9d80cc",
  b892d6: "8a66a8",
  e69f00: "c98b14",
  "8b949e": "77818c",
  d5d9de: "5b6570",
};
const inked = new Set();

/** The variable of a colour. One without a dark counterpart of its own becomes as much lighter as dark paper needs. */
function colour(light) {
  if (!inked.has(light)) {
    inked.add(light);
    const dark = DARK[light] ? "#" + DARK[light] : d3.interpolateRgb("#" + light, "#fff")(0.4);
    document.documentElement.style.setProperty("--c" + light, `light-dark(#${light}, ${dark})`);
  }
  return `var(--c${light})`;
}

/** Colour, dash, symbol and hatch of a value of a dimension. */
function styleOf(dimension, value) {
  const { palette, values, reference } = dimension;
  if (palette === "parts")
    return {
      ink: (PARTS[value] || ["d5d9de", "dots"])[0],
      hatch: (PARTS[value] || ["d5d9de", "dots"])[1],
      dash: "",
      shape: "dot",
    };
  if (reference && reference.has(value)) return { ink: REFERENCE, dash: "5 4", shape: "dot" };
  const others = values.filter((one) => !(reference && reference.has(one)));
  const index = Math.max(0, others.indexOf(value));
  if (palette === "series") {
    const [ink, hatch] = SERIES[index % SERIES.length];
    return { ink, hatch, dash: "", shape: "dot" };
  }
  if (palette !== "ramp")
    return {
      ink: HUES[index % HUES.length],
      dash: DASHES[index % DASHES.length],
      shape: SHAPES[index % SHAPES.length],
    };
  const place = others.length < 2 ? 0 : (index / (others.length - 1)) * (RAMP.length - 1);
  const mixed = d3
    .rgb(d3.interpolateRgb("#" + RAMP[Math.floor(place)], "#" + RAMP[Math.ceil(place)])(place % 1))
    .formatHex();
  return { ink: mixed.slice(1), dash: DASHES[index % DASHES.length], shape: SHAPES[index % SHAPES.length] };
}
