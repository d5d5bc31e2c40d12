// Colours. Sizes are ordered, so they run along one ramp whose lightness changes steadily; targets are names, so they have
// hues that stay apart for colour-blind readers (after Okabe and Ito) and a dash pattern each, for print.
const palette = {
  ramps: {
    light: ["#3b2f9e", "#8a2f8f", "#c43d6b", "#d9622b", "#b98200"],
    dark: ["#8f86ff", "#d07be0", "#f5829f", "#f9a35f", "#f7dd72"],
  },
  hues: {
    light: ["#0072b2", "#c9540a", "#00855f", "#a8487d", "#7a6a00"],
    dark: ["#5ab4ee", "#f08a45", "#2fc79a", "#e69ac4", "#d9cc55"],
  },
  unlogged: { light: "#666f7a", dark: "#a7b0bb" },
  // In the order of a request's way; the same names as in the results, in light and in dark.
  parts: {
    "schedule lag": ["#e7c4cf", "#8d5a6b"], "network and client": ["#b9c2cc", "#4b5663"], "waiting": ["#7a5ea8", "#9d80cc"], "batch wait": ["#b892d6", "#cfaee8"],
    "write": ["#e69f00", "#d99a1c"], "force": ["#0072b2", "#3c9ad8"], "execution": ["#00855f", "#2fa582"], "reply": ["#8b949e", "#77818c"], "rest of the server": ["#8b949e", "#77818c"],
  },
  dashes: [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2]],

  theme() {
    if (state.printing) return "light";
    if (state.theme !== "auto") return state.theme;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  },
  size(bytes) {
    const ramp = palette.ramps[palette.theme()];
    const at = data.sizes.length < 2 ? 0 : (data.sizes.indexOf(bytes) / (data.sizes.length - 1)) * (ramp.length - 1);
    return mix(ramp[Math.floor(at)], ramp[Math.ceil(at)], at % 1);
  },
  target(name) {
    const target = data.target(name);
    if (target.force === "off") return palette.unlogged[palette.theme()];
    const hues = palette.hues[palette.theme()];
    return hues[data.logged.indexOf(name) % hues.length];
  },
  dash(name) {
    if (data.target(name).force === "off") return [5, 4];
    return palette.dashes[data.logged.indexOf(name) % palette.dashes.length];
  },
  part: (name) => (palette.parts[name] || ["#d5d9de", "#5b6570"])[palette.theme() === "dark" ? 1 : 0],
  css: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
};

function mix(a, b, share) {
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "#" + [0, 1, 2].map((i) =>
    Math.round(channel(a, i) * (1 - share) + channel(b, i) * share).toString(16).padStart(2, "0")).join("");
}
