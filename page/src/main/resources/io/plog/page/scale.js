// Axes: where a value lies on the paper, and where its axis is divided. An axis has a unit, and that makes its labels.

const spaced = (ticks, places, room) => {
  // from the first on, those that leave room keep their labels
  const kept = [];
  return ticks.map((tick, i) => {
    if (tick.label && kept.some((place) => Math.abs(place - places[i]) < room(tick.label)))
      return { ...tick, label: "" };
    if (tick.label) kept.push(places[i]);
    return tick;
  });
};

/** Divisions at 1 to 9 of every decade, with labels where there is room. */
function logTicks([min, max], pixels, label) {
  const decade = pixels / Math.max(0.1, Math.log10(max / min));
  const labelled = decade > 150 ? [1, 2, 5] : decade > 88 ? [1, 3] : [1];
  const every = Math.max(1, Math.ceil(34 / decade));
  const ticks = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power++) {
    for (let digit = 1; digit <= (decade < 20 ? 1 : 9); digit++) {
      const value = Number(digit + "e" + power);
      if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9))
        ticks.push({ value, label: labelled.includes(digit) && power % every === 0 ? label(value) : "" });
    }
  }
  return ticks;
}

/** 0 and the powers of ten on both sides of it. */
function bothSidesTicks([min, max], label) {
  const ticks = [{ value: 0, label: label(0) }];
  for (let power = 1; power <= 9; power++)
    for (const value of [10 ** power, -(10 ** power)])
      if (value >= min && value <= max) ticks.push({ value, label: label(value) });
  return ticks.filter((tick) => tick.value >= min && tick.value <= max);
}

/** Ratios around 1, the nearest to it first. */
function ratioTicks([min, max], label) {
  const sets = [
    [1.12, [1, 0.95, 1.05, 0.9, 1.1]],
    [1.6, [1, 0.9, 1.1, 0.8, 1.25, 0.7, 1.5]],
    [4, [1, 0.7, 1.5, 0.5, 2, 0.3, 3]],
    [Infinity, [1, 0.5, 2, 0.2, 5, 0.1, 10, 0.01, 100, 0.001, 1000]],
  ];
  return sets
    .find(([most]) => max < most)[1]
    .filter((value) => value >= min && value <= max)
    .map((value) => ({ value, label: label(value) }));
}

/**
 * An axis as it is drawn: place(value) in pixels from its beginning, at(pixels) back, and ticks. The range may run
 * backwards, as the vertical one does.
 */
function makeScale(axis, domain, range) {
  const length = Math.abs(range[1] - range[0]);
  const label = axis.labels || ((value) => shown(value, axis.format || axis.unit));
  if (axis.scale === "ordinal") {
    const step = (range[1] - range[0]) / Math.max(1, domain.length);
    const place = (value) => range[0] + (domain.indexOf(value) + 0.5) * step;
    const ticks = domain.map((value) => ({ value, label: label(value) }));
    return {
      axis,
      domain,
      step,
      place,
      at: null,
      ticks: axis.row ? ticks : spaced(ticks, domain.map(place), (text) => textWidth(text) + 4),
    };
  }
  const scale = (
    axis.scale === "log" || axis.scale === "ratio"
      ? d3.scaleLog()
      : axis.scale === "both"
        ? d3.scaleSymlog().constant(10)
        : d3.scaleLinear()
  )
    .domain(domain)
    .range(range);
  const room = (text) => (range[1] < range[0] ? 14 : textWidth(text) + 10);
  const most = range[1] < range[0] ? length / 32 : length / 62;
  const ticks = axis.ticks
    ? axis.ticks.map((value) => ({ value, label: label(value) }))
    : axis.scale === "log"
      ? logTicks(domain, range[1] < range[0] ? 1.6 * length : length, label)
      : axis.scale === "both"
        ? bothSidesTicks(domain, label)
        : axis.scale === "ratio"
          ? ratioTicks(domain, label)
          : d3
              .ticks(domain[0], domain[1], Math.max(2, most))
              .filter((value) => axis.unit !== "count" || Number.isInteger(value))
              .map((value) => ({ value, label: label(value) }));
  return {
    axis,
    domain,
    step: 0,
    place: (value) => scale(value),
    at: (place) => scale.invert(place),
    ticks: spaced(
      ticks,
      ticks.map((tick) => scale(tick.value)),
      room,
    ),
  };
}

const pen = document.createElement("canvas").getContext("2d");
pen.font = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";
const widths = new Map();
function textWidth(text) {
  if (!widths.has(text)) widths.set(text, pen.measureText(text).width);
  return widths.get(text);
}

/** A word with its middle left out where it is too long for a line. */
function shortened(word, width) {
  let kept = word.length;
  while (kept > 4 && textWidth(word) * (kept / word.length) > width) kept -= 2;
  return kept < word.length ? word.slice(0, kept / 2) + "…" + word.slice(word.length - kept / 2 + 1) : word;
}

/** A text over as many lines as it needs. */
function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ").map((one) => shortened(one, width))) {
    const longer = lines[lines.length - 1] + (lines[lines.length - 1] ? " " : "") + word;
    if (textWidth(longer) <= width || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
