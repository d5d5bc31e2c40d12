// A figure is a table and a mapping of its columns: figures.json says which column is x, y, low and high, by which
// the panels and the colours differ, on which scale, and with which marks. This file knows nothing of what the
// columns mean.

/**
 * What is drawn of a table: its rows with a value, one of some values, or the nearest to a number; without those
 * that the reader hid.
 */
function rowsOf(data, name, where = {}) {
  const found = data.tables.get(name);
  if (!found) return [];
  const wanted = Object.entries(where).map(([column, value]) => [
    column,
    new Set(
      value.nearest
        ? [
            d3.least(
              found.rows.map((row) => row[column]),
              (each) => Math.abs(each - value.nearest),
            ),
          ]
        : [].concat(value),
    ),
  ]);
  return found.rows.filter(
    (row) =>
      wanted.every(([column, values]) => !(column in row) || values.has(row[column])) &&
      Object.entries(data.hidden).every(([column, values]) => !(column in row) || !values.has(row[column])),
  );
}

/**
 * A value of a row: of a column, a number, or {"-": [a, b]}, {"+": [a, b]}, {"middle": [from, to]}, which depends
 * on the scale.
 */
function valueOf(row, what, axis) {
  if (typeof what === "string") return row[what];
  if (what == null || typeof what === "number") return what;
  const [[name, parts]] = Object.entries(what);
  const [a, b] = parts.map((part) => valueOf(row, part, axis));
  if (a == null || b == null) return null;
  return name === "-" ? a - b : name === "+" ? a + b : axis.scale === "log" ? Math.sqrt(a * b) : (a + b) / 2;
}

const dimensionOf = (data, column) => data.dimensions.get(column) || { values: [], label: String, palette: "hues" };
const keyOf = (row, columns) => columns.map((column) => row[column]).join("\u0000");
/** A dimension that is lone: "quiet" says nothing where it has one value. */
const labelOf = (data, row, columns) =>
  columns
    .map((column) => [dimensionOf(data, column), row[column]])
    .filter(([about]) => about.lone !== "quiet" || about.values.length > 1)
    .map(([about, value]) => about.label(value))
    .join(", ");

/** Rows by their values of some columns, in the order of the dimensions. */
function groupsBy(data, rows, columns) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row, columns);
    if (!groups.has(key))
      groups.set(key, {
        key,
        label: labelOf(data, row, columns),
        order: columns.map((column) => dimensionOf(data, column).values.indexOf(row[column])),
        rows: [],
      });
    groups.get(key).rows.push(row);
  }
  return [...groups.values()].sort(
    (a, b) => a.order.map((place, i) => place - b.order[i]).find((difference) => difference !== 0) || 0,
  );
}

const layerRows = (data, plot, layer, rows) => {
  const own = layer.table
    ? rowsOf(data, layer.table, { ...plot.where, ...layer.where })
    : layer.where
      ? rows.filter((row) => Object.entries(layer.where).every(([column, value]) => row[column] === value))
      : rows;
  return layer.table && rows.length > 0 && plot.facet.length > 0
    ? own.filter((row) => keyOf(row, plot.facet) === keyOf(rows[0], plot.facet))
    : own;
};
const placeOf = (plot, layer, side) => layer[side] ?? plot[side].of;

/** From which bin to which a curve over bins is drawn, and how much of it lies outside. */
function trim(data, plot, rows) {
  const { share, body } = plot.x.trim;
  let [first, last, middle, outside] = [Infinity, 0, 0, { share: 0, label: "" }];
  const curves = groupsBy(data, rows, plot.facet.concat(plot.colour));
  for (const { rows: bins } of curves) {
    let seen = 0;
    const full = bins.findIndex((bin) => bin.share > 0);
    if (full < 0) continue;
    first = Math.min(first, bins[Math.max(0, full - 1)].from);
    bins.forEach((bin, i) => {
      if (seen < 0.5) middle = Math.max(middle, seen + bin.share >= 0.5 ? bin.to : 0);
      if (seen < share && bin.share > 0) last = Math.max(last, bins[Math.min(i + 1, bins.length - 1)].to);
      seen += bin.share;
    });
  }
  const published = plot.x.scale === "log" ? (plot.rules || []).map((rule) => rule.x * 1.12) : [];
  for (const curve of curves) {
    const lost = Math.max(
      0,
      1 - d3.sum(curve.rows, (bin) => (bin.from >= first * (1 - 1e-9) && bin.to <= last * (1 + 1e-9) ? bin.share : 0)),
    );
    if (lost > outside.share + 1e-9) outside = { share: lost, label: curve.label };
  }
  const cut = body && middle > 0 && body * middle < last ? body * middle : last;
  return { from: plot.x.scale === "log" ? first : 0, to: Math.max(cut, ...published), cut, last, first, outside };
}

/** Where each curve of a density is highest, the highest first. */
const highestOf = (data, plot, rows) =>
  groupsBy(data, rows, [plot.colour])
    .map((curve) => ({ ...curve, peak: curve.rows[d3.maxIndex(curve.rows, (row) => row[plot.y.of])] }))
    .sort((a, b) => b.peak[plot.y.of] - a.peak[plot.y.of]);

/** The values that an axis has to hold. */
function domainOf(data, plot, side, facets, trimmed) {
  const axis = plot[side];
  if (axis.scale === "ordinal")
    return groupsBy(
      data,
      facets.flatMap((facet) => facet.rows),
      [].concat(axis.of),
    ).map((group) => group.key);
  if (trimmed && side === "x") return [trimmed.from, trimmed.to];
  const log = axis.scale === "log" || axis.scale === "ratio";
  const values = facets
    .flatMap((facet) =>
      plot.layers.flatMap((layer) =>
        layerRows(data, plot, layer, facet.rows)
          .filter(
            (row) =>
              !trimmed ||
              row.to == null ||
              (row.from >= trimmed.from * (1 - 1e-9) && row.to <= trimmed.to * (1 + 1e-9)),
          )
          .flatMap((row) => [
            layer.low && layer.along === side ? null : valueOf(row, placeOf(plot, layer, side), axis),
            ...(layer.low && (layer.along || "y") === side
              ? [valueOf(row, layer.low, axis), valueOf(row, layer.high, axis)]
              : []),
          ]),
      ),
    )
    .concat(axis.include || [])
    .filter((value) => isNumber(value) && (!log || value > 0) && !(value < axis.least));
  let [min, max] = [d3.min(values) ?? 1, d3.max(values) ?? 10];
  if (axis.cut) {
    const [first, second] = highestOf(
      data,
      plot,
      facets.flatMap((facet) => facet.rows),
    ).map(({ peak }) => peak[axis.of]);
    if (first > axis.cut * second) max = Math.min(max, axis.cut * second);
  }
  if (axis.scale === "ratio") {
    const reach = Math.min(
      1000,
      Math.max(1.05, Math.max(max, 1 / min) * Math.sqrt(Math.min(1.1, Math.max(max, 1 / min)))),
    );
    return [1 / reach, reach];
  }
  if (axis.scale === "both") return [min < 0 ? min * 1.3 : -3, max > 0 ? max * 1.3 : 3];
  const [below, above] = axis.room || (log ? [0.95, 1.05] : [1, 1.06]);
  [min, max] = [
    axis.zero ? 0 : log ? min * below : min,
    log ? Math.max(min * 2, max * above) : Math.max(max, axis.zero ? 0 : min) * above,
  ];
  return [axis.from ?? min, axis.to ?? (max > min ? max : min + 1)];
}

const symbol = (shape, at) => {
  const types = { square: d3.symbolSquare, triangle: d3.symbolTriangle, diamond: d3.symbolDiamond, cross: d3.symbolX };
  return d3.symbol(types[shape] || d3.symbolCircle, shape === "dot" || shape === "ring" ? 30 : 38)() || at;
};

function drawSymbol(g, x, y, shape, ink) {
  return g
    .append("path")
    .attr("transform", `translate(${x},${y})`)
    .attr("d", symbol(shape))
    .attr("fill", shape === "ring" || shape === "diamond" ? colour("fff") : colour(ink))
    .attr("stroke", colour(ink))
    .attr("stroke-width", shape === "cross" ? 2 : 1.3);
}

function drawText(g, x, y, text, { anchor = "start", ink = SOFT, weight = null, size: points = 11 } = {}) {
  return g
    .append("text")
    .attr("x", x)
    .attr("y", y)
    .attr("text-anchor", anchor)
    .attr("fill", colour(ink))
    .attr("font-size", points)
    .attr("font-weight", weight)
    .text(text);
}

/** A fill that prints in grey, too. */
function hatched(figure, ink, hatch) {
  if (!hatch) return colour(ink);
  const id = `hatch-${figure.id}-${ink}-${hatch}`;
  if (!figure.hatches.has(id)) {
    figure.hatches.add(id);
    const pattern = figure.defs
      .append("pattern")
      .attr("id", id)
      .attr("width", 6)
      .attr("height", 6)
      .attr("patternUnits", "userSpaceOnUse");
    pattern.append("rect").attr("width", 6).attr("height", 6).attr("fill", colour(ink));
    const lines = {
      rising: "M-1,1l2,-2M0,6l6,-6M5,7l2,-2",
      falling: "M-1,5l2,2M0,0l6,6M5,-1l2,2",
      lying: "M0,3h6",
      dots: "M2,2h1.6v1.6h-1.6z",
    };
    pattern
      .append("path")
      .attr("d", lines[hatch])
      .attr("stroke", colour("fff"))
      .attr("stroke-width", 1.1)
      .attr("fill", "none")
      .attr("opacity", 0.75);
  }
  return `url(#${id})`;
}

/** What marks share: where a row lies in its panel, its style and its words. */
function placing(panel, layer) {
  const { plot, data, x, y } = panel;
  const aside = (scale, row) => {
    if (!plot.dodge || scale.axis.scale !== "ordinal") return 0;
    const values = dimensionOf(data, plot.dodge).values.filter((value) => panel.dodged.has(value));
    return (values.indexOf(row[plot.dodge]) - (values.length - 1) / 2) * (0.66 / values.length) * scale.step;
  };
  const along = (scale, side) => (row) => {
    const what = placeOf(plot, layer, side);
    if (scale.axis.scale === "ordinal")
      return scale.place(keyOf(row, [].concat(what))) + aside(scale, row) + (layer.shift || 0) * scale.step;
    return bounded(scale, valueOf(row, what, scale.axis));
  };
  const ofColour = layer.colour === undefined ? plot.colour : layer.colour;
  return {
    x: along(x, "x"),
    y: along(y, "y"),
    style: (row) =>
      layer.ink
        ? { ink: INKS[layer.ink] || INK, dash: "", shape: "dot" }
        : ofColour
          ? styleOf(dimensionOf(data, ofColour), row[ofColour])
          : { ink: HUES[0], dash: "", shape: "dot" },
    label: (row) => layer.label || (ofColour ? dimensionOf(data, ofColour).label(row[ofColour]) : plot.title || ""),
  };
}

/** A place on the paper; what a scale has no place for lies beyond its edge. */
function bounded(scale, value) {
  if (value == null || typeof value !== "number") return null;
  const log = scale.axis.scale === "log" || scale.axis.scale === "ratio";
  const place = scale.place(log && value <= 0 ? scale.domain[0] / 100 : value);
  return Number.isFinite(place) ? Math.max(-1e5, Math.min(1e5, place)) : null;
}

const tellOf = (panel, layer, row, table) =>
  (layer.tell || [])
    .map((column) => {
      const [name, low, high] = [].concat(column);
      const unit = table.units[name];
      return (
        name +
        (name in row ? " " + shown(row[name], unit) : "") +
        (low && (row[low] != null || row[high] != null) ? " " + interval({ low: row[low], high: row[high] }, unit) : "")
      );
    })
    .join(", ");

/** How each kind of mark is drawn: (panel, layer, rows). */
const MARKS = {
  line(panel, layer, rows) {
    const place = placing(panel, layer);
    for (const { rows: series } of groupsBy(panel.data, rows, [].concat(layer.series || panel.plot.colour || []))) {
      const style = place.style(series[0]);
      const all = layer.to
        ? binned(panel, layer, series, place)
        : series.map((row) => [place.x(row), row[panel.plot.y.of] < layer.least ? null : place.y(row)]);
      const points = all.filter(([x, y]) => x != null && y != null);
      if (points.length === 0) continue;
      const steps = layer.curve === "steps";
      const [x0] = points[0];
      const first =
        layer.begin == null ? [] : [[layer.begin > 0 ? Math.min(0, x0) : x0, bounded(panel.y, layer.begin)]];
      points.unshift(...first);
      panel.g
        .append("path")
        .attr("class", "curve")
        .attr(
          "d",
          d3
            .line()
            .defined(([x, y]) => x != null && y != null)
            .curve(steps ? d3.curveStepAfter : d3.curveLinear)([
            ...first,
            ...(layer.least ? all : points.slice(first.length)),
          ]),
        )
        .attr("fill", "none")
        .attr("stroke", colour(style.ink))
        .attr("stroke-width", layer.width || 1.6)
        .attr("stroke-dasharray", layer.dash === false ? null : style.dash || null)
        .attr("stroke-linejoin", "round");
      panel.curves.push({
        label: place.label(series[0]),
        ink: style.ink,
        points,
        steps,
        key: keyOf(series[0], [].concat(panel.plot.colour || [])),
      });
    }
  },
  area(panel, layer, rows) {
    const place = placing(panel, layer);
    for (const { rows: series } of groupsBy(panel.data, rows, [].concat(layer.series || panel.plot.colour || []))) {
      const points = series
        .map((row) => [
          place.x(row),
          bounded(panel.y, valueOf(row, layer.low, panel.y.axis)),
          bounded(panel.y, valueOf(row, layer.high, panel.y.axis)),
        ])
        .filter((point) => point.every((value) => value != null));
      if (points.length === 0) continue;
      const last = points[points.length - 1];
      points.push([layer.last ? 1e5 : last[0], last[1], last[2]]); // the last step goes on to the end of the axis
      panel.g
        .append("path")
        .attr(
          "d",
          d3
            .area()
            .curve(layer.curve === "steps" ? d3.curveStepAfter : d3.curveLinear)
            .x((p) => p[0])
            .y0((p) => p[1])
            .y1((p) => p[2])(points),
        )
        .attr("fill", colour(place.style(series[0]).ink))
        .attr("fill-opacity", layer.opacity || 0.18);
    }
  },
  range(panel, layer, rows) {
    const place = placing(panel, layer);
    const lying = layer.along === "x";
    const scale = lying ? panel.x : panel.y;
    const ends = lying ? [-10, panel.width + 10] : [panel.height + 10, -10];
    for (const row of rows) {
      const middle = lying ? place.y(row) : place.x(row);
      const [low, high] = [layer.low, layer.high].map((what, i) => {
        const value = valueOf(row, what, scale.axis);
        return value == null ? (layer.open ? ends[i] : null) : bounded(scale, value);
      });
      if (
        middle == null ||
        low == null ||
        high == null ||
        (layer.open === "one" && valueOf(row, layer.low) == null && valueOf(row, layer.high) == null)
      )
        continue;
      const cap = layer.cap || 0;
      const [a, b] = lying
        ? [`M${low},${middle}H${high}`, [low, high].map((x) => `M${x},${middle - cap}v${2 * cap}`)]
        : [`M${middle},${low}V${high}`, [low, high].map((y) => `M${middle - cap},${y}h${2 * cap}`)];
      panel.g
        .append("path")
        .attr("d", a + (cap ? b.join("") : ""))
        .attr("stroke", colour(place.style(row).ink))
        .attr("stroke-width", layer.width || 1.2)
        .attr("fill", "none");
    }
  },
  point(panel, layer, rows) {
    const place = placing(panel, layer);
    for (const row of rows) {
      const [x, y] = [place.x(row), layer.on === "curve" ? heightOf(panel, row, place.x(row)) : place.y(row)];
      if (x == null || y == null) continue;
      const style = place.style(row);
      const shape =
        layer.shape && layer.shape.of
          ? layer.shape.of[row[layer.shape.column]] || "dot"
          : layer.open && layer.low && (row[layer.low] == null || row[layer.high] == null)
            ? "ring"
            : layer.shape === "style"
              ? style.shape
              : layer.shape || "dot";
      drawSymbol(panel.g, x, y, shape, style.ink);
      if (layer.tell)
        panel.stops.push({
          x,
          y,
          lines: [
            [
              style.ink,
              place.label(row),
              tellOf(panel, layer, row, panel.data.tables.get(layer.table || panel.plot.table)),
            ],
          ],
        });
      if (layer.text)
        panel.words.push({
          x,
          y,
          above: layer.above,
          text: (layer.prefix || "") + shown(valueOf(row, layer.text), layer.format || "µs"),
        });
    }
  },
  stack(panel, layer, rows) {
    const place = placing(panel, layer);
    const half = Math.min(9, Math.abs(panel.y.step) * 0.42);
    for (const { rows: parts } of groupsBy(panel.data, rows, [].concat(placeOf(panel.plot, layer, "y")))) {
      let from = 0;
      const y = place.y(parts[0]);
      for (const row of parts) {
        const share = Math.max(0, row[panel.plot.x.of] || 0);
        const [left, right] = [bounded(panel.x, from), bounded(panel.x, from + share)];
        from += share;
        if (left == null || right == null || right <= left) continue;
        const style = place.style(row);
        panel.g
          .append("rect")
          .attr("x", left)
          .attr("y", y - half)
          .attr("width", right - left)
          .attr("height", 2 * half)
          .attr("fill", hatched(panel.figure, style.ink, style.hatch))
          .attr("stroke", colour("fff"))
          .attr("stroke-width", 0.6);
        if (right - left > 34)
          panel.g
            .append("text")
            .attr("x", (left + right) / 2)
            .attr("y", y + 3.5)
            .attr("text-anchor", "middle")
            .attr("font-size", 10)
            .attr("font-weight", 600)
            .attr("fill", colour(INK))
            .attr("stroke", colour("fff"))
            .attr("stroke-width", 2.6)
            .attr("paint-order", "stroke")
            .text(Math.round(share * 100) + " %");
        panel.stops.push({
          x: (left + right) / 2,
          y,
          half: (right - left) / 2,
          lines: [[style.ink, place.label(row), tellOf(panel, layer, row, panel.data.tables.get(panel.plot.table))]],
        });
      }
      if (layer.total)
        drawText(
          panel.g,
          panel.x.place(Math.min(from, panel.x.domain[1])) + 5,
          y + 3.5,
          shown(
            d3.sum(parts, (row) => row[layer.total]),
            "µs",
          ),
          { ink: INK, size: 10.5 },
        );
    }
  },
  span(panel, layer, rows) {
    const place = placing(panel, layer);
    const half = Math.abs(panel.y.step) * 0.35;
    const path = rows
      .map((row) => {
        const [a, b] = [bounded(panel.x, row[layer.low]), bounded(panel.x, row[layer.high])];
        return a == null || b == null
          ? ""
          : `M${a},${place.y(row) - half}h${Math.max(0.6, b - a)}v${2 * half}h${-Math.max(0.6, b - a)}z`;
      })
      .join("");
    panel.g.append("path").attr("d", path).attr("fill", colour(INK)).attr("fill-opacity", 0.8);
  },
  box(panel, layer, rows) {
    const place = placing(panel, layer);
    const half = Math.abs(panel.y.step) * 0.42;
    for (const row of rows) {
      const [a, b] = [bounded(panel.x, row[layer.low]), bounded(panel.x, row[layer.high])];
      const { ink, hatch } = place.style(row);
      panel.g
        .append("rect")
        .attr("x", a)
        .attr("y", place.y(row) - half)
        .attr("width", Math.max(0.6, b - a))
        .attr("height", 2 * half)
        .attr("fill", hatched(panel.figure, ink, hatch))
        .attr("stroke", colour("fff"))
        .attr("stroke-width", 0.6);
      panel.stops.push({
        x: (a + b) / 2,
        y: place.y(row),
        half: (b - a) / 2,
        lines: [[ink, place.label(row), row[layer.text]]],
      });
      if (textWidth(row[layer.text]) < b - a)
        drawText(panel.g, (a + b) / 2, place.y(row) + 3.5, row[layer.text], {
          anchor: "middle",
          ink: INK,
          weight: 600,
          size: 10,
        })
          .attr("stroke", colour("fff"))
          .attr("stroke-width", 2.6)
          .attr("paint-order", "stroke");
    }
  },
  rule(panel, layer, rows) {
    for (const row of rows) {
      const y = bounded(panel.y, row[layer.y]);
      panel.g
        .append("path")
        .attr("class", "rule")
        .attr("d", `M0,${y}h${panel.width}`)
        .attr("stroke", colour(SOFT))
        .attr("stroke-width", 1)
        .attr("stroke-dasharray", "2 3");
      drawText(panel.g, 4, y - 4, row[layer.text], { size: 10 });
    }
  },
};

/** The corners of a curve over bins: where no bin lies, it is 0. */
function binned(panel, layer, bins, place) {
  const zero = bounded(panel.y, 0);
  return bins.flatMap((bin, i) => {
    const [end, next] = [bounded(panel.x, bin[layer.to]), bins[i + 1]];
    return [
      [place.x(bin), place.y(bin)],
      ...(next && next[panel.plot.x.of] <= bin[layer.to] * (1 + 1e-9) ? [] : [[end, zero]]),
    ];
  });
}

/** How high the curve of a row's series is at a place. */
function heightOf(panel, row, x) {
  const curve = panel.curves.find((one) => one.key === keyOf(row, [].concat(panel.plot.colour || [])));
  return curve && x != null ? along(curve, x) : null;
}

function along({ points, steps }, x) {
  const next = d3.bisector((point) => point[0]).right(points, x);
  const [before, after] = [points[next - 1], points[next]];
  if (!before || (!after && x > before[0] + 0.5)) return null;
  if (!after || steps) return before[1];
  return before[1] + ((after[1] - before[1]) * (x - before[0])) / Math.max(1e-9, after[0] - before[0]);
}

/** The middle of a label that reaches no further beyond its panel than leaves room for the one next to it. */
const withinPanel = (place, length, width) => Math.max(length / 2 - 5, Math.min(width + 5 - length / 2, place));

function drawAxes(panel, withX, withY) {
  const { frame, x, y, width, height, plot } = panel;
  const lines = frame.append("g").attr("stroke", colour(GRID));
  for (const tick of x.ticks)
    if (x.axis.scale !== "ordinal")
      lines
        .append("path")
        .attr("d", `M${x.place(tick.value)},0v${height}`)
        .attr("stroke-width", tick.label ? 1 : 0.5);
  for (const tick of y.ticks)
    lines
      .append("path")
      .attr("d", `M0,${y.place(tick.value)}h${width}`)
      .attr("stroke-width", tick.label ? 1 : 0.5);
  if (withX)
    for (const tick of x.ticks)
      if (tick.label)
        drawText(frame, withinPanel(x.place(tick.value), textWidth(tick.label), width), height + 13, tick.label, {
          anchor: "middle",
        });
  if (withX && plot.x.label) drawText(frame, width / 2, height + 28, plot.x.label, { anchor: "middle" });
  if (withY)
    for (const tick of y.ticks)
      if (tick.label) drawText(frame, -6, y.place(tick.value) + 3.7, tick.label, { anchor: "end" });
  frame
    .append("path")
    .attr("d", `M0,0V${height}H${width}`)
    .attr("fill", "none")
    .attr("stroke", colour("8a929c"))
    .attr("stroke-width", 1);
}

/** Words that are read on top of curves. */
const outlined = (text) => text.attr("stroke", colour("fff")).attr("stroke-width", 3).attr("paint-order", "stroke");

/** Words at marks or above all curves: moved a little where they would cover others, left out if that is not enough. */
function drawWords(panel) {
  const placed = [];
  for (const { x, y: mark, above, text } of panel.words.sort((a, b) => a.x - b.x)) {
    const y = above ? 18 : mark;
    const width = textWidth(text) * 0.95;
    let [left, top] = [
      Math.max(2, Math.min(x - width / 2, panel.width - width - 2)),
      Math.min(y - 8, panel.height - 6),
    ];
    const covers = () =>
      placed.some(
        (box) => left < box.left + box.width + 4 && left + width + 4 > box.left && Math.abs(top - box.top) < 12,
      );
    for (let i = 0; covers() && i < 3; i++) top -= 12;
    if (top < 9) for (top = Math.min(y + 16, panel.height - 4); covers() && top < y + 40;) top += 12;
    if (covers()) continue; // its ring tells it, too
    placed.push({ left, top, width });
    if (above)
      panel.frame
        .append("path")
        .attr("d", `M${x},${top + 3}V${mark - 5}`)
        .attr("stroke", colour(SOFT))
        .attr("stroke-width", 0.8);
    outlined(drawText(panel.frame, left, top, text, { ink: INK, size: 10.5 }));
  }
}

function drawRules(panel) {
  let line = 0;
  for (const rule of panel.plot.rules || []) {
    const upright = rule.x != null;
    const scale = upright ? panel.x : panel.y;
    const value = upright ? rule.x : rule.y;
    if (
      (rule.choice && panel.data.choices[rule.choice] === "off") ||
      value < scale.domain[0] ||
      value > scale.domain[1]
    )
      continue;
    const place = scale.place(value);
    panel.frame
      .append("path")
      .attr("class", "rule")
      .attr("d", upright ? `M${place},0v${panel.height}` : `M0,${place}h${panel.width}`)
      .attr("stroke", colour(SOFT))
      .attr("stroke-width", 1)
      .attr("stroke-dasharray", "2 3");
    if (rule.label) {
      const left = place + textWidth(rule.label) + 6 > panel.width;
      outlined(
        drawText(panel.frame, place + (left ? -4 : 4), 10 + 12 * (line++ % 2), rule.label, {
          anchor: left ? "end" : "start",
          size: 10,
        }),
      );
    }
  }
}

function drawMarks(panel, rows) {
  const { data, plot } = panel;
  for (const layer of plot.layers) MARKS[layer.mark](panel, layer, layerRows(data, plot, layer, rows));
  if (plot.y.cut)
    for (const { peak } of highestOf(data, plot, rows))
      if (peak[plot.y.of] > panel.y.domain[1])
        panel.words.push({
          x: bounded(panel.x, valueOf(peak, plot.x.of, plot.x)),
          y: 48,
          text: `up to ${digits(peak[plot.y.of], 2)}`,
        });
}

/** A curve goes on beyond the end of the axis: the rest of it, magnified, in the upper right corner. */
function drawInset(panel, rows, trimmed, facets) {
  const { plot, data } = panel;
  const [from, to] = [trimmed.cut, trimmed.last];
  const inside = (all) => all.flatMap((facet) => facet.rows).filter((row) => row.from >= from && row.to <= to);
  const top = d3.max(inside(facets), (row) => valueOf(row, plot.y.of, plot.y)) || 0;
  if (!(to > from) || top <= 0) return;
  const [width, height] = [panel.width * 0.5, panel.height * 0.34];
  const frame = panel.frame.append("g").attr("transform", `translate(${panel.width - width - 6},22)`);
  frame
    .append("rect")
    .attr("x", -4)
    .attr("y", -14)
    .attr("width", width + 10)
    .attr("height", height + 32)
    .attr("fill", colour("fff"))
    .attr("fill-opacity", 0.88);
  const inset = {
    ...panel,
    frame,
    width,
    height,
    curves: [],
    stops: [],
    words: [],
    x: makeScale(plot.x, [from, to], [0, width]),
    y: makeScale({ ...plot.y, format: "number" }, [0, top * 1.1], [height, 0]),
  };
  drawAxes({ ...inset, plot: { ...plot, x: { ...plot.x, label: "" } } }, true, false);
  inset.g = clipped(panel.figure, frame, width, height);
  for (const layer of plot.layers.filter((one) => one.mark === "line"))
    MARKS.line(
      inset,
      layer,
      rows.filter((row) => row.to > from),
    );
  drawText(frame, 0, -4, `tail, ${digits(panel.y.domain[1] / 1.06 / top, 3)} × magnified`, { size: 10 });
}

function clipped(figure, frame, width, height) {
  const id = `clip-${figure.id}-${figure.clips++}`;
  figure.defs
    .append("clipPath")
    .attr("id", id)
    .append("rect")
    .attr("x", -1)
    .attr("y", -4)
    .attr("width", width + 2)
    .attr("height", height + 5);
  return frame.append("g").attr("clip-path", `url(#${id})`);
}

function drawKey(figure, spec, data, rows, width, top) {
  const entries = [];
  const dimension = spec.colour && dimensionOf(data, spec.colour);
  if (dimension && spec.key !== "none")
    for (const value of dimension.values.filter((one) => rows.some((row) => row[spec.colour] === one)))
      entries.push({ ...styleOf(dimension, value), label: dimension.label(value) });
  const kind = spec.key || "line";
  entries.push(...(spec.signs || []));
  let [x, y] = [0, top + 34];
  for (const entry of entries) {
    const room = 26 + textWidth(entry.label) + 18;
    if (x > 0 && x + room - 18 > width) [x, y] = [0, y + 17];
    const g = figure.svg.append("g").attr("transform", `translate(${x},${y})`);
    if (entry.shape && (entry.sign || kind === "symbol")) drawSymbol(g, 10, -4, entry.shape, entry.ink || INK);
    else if (kind === "area" && !entry.sign)
      g.append("rect")
        .attr("y", -10)
        .attr("width", 20)
        .attr("height", 11)
        .attr("fill", hatched(figure, entry.ink, entry.hatch));
    else
      g.append("path")
        .attr("d", "M0,-4h20")
        .attr("stroke", colour(INKS[entry.ink] || entry.ink || INK))
        .attr("stroke-width", entry.width || 2)
        .attr("stroke-dasharray", kind === "solid" ? null : entry.dash || null);
    drawText(g, 26, 0, entry.label, { ink: INK });
    x += room;
  }
  return entries.length > 0 ? y + 8 : top + 22;
}

let figures = 0;

/**
 * Draws a figure.
 *
 * @param spec of figures.json
 * @param data its tables and dimensions, what the reader hid and chose
 * @param width in pixels; panels stand below each other on narrow paper
 * @return the svg element, its panels with what can be read there, and the notes; null if there is nothing to draw
 */
function drawFigure(spec, data, width) {
  const plots = (spec.plots || [{}])
    .map((plot) => ({ facet: [], ...spec, ...plot }))
    .map((plot) => ({ ...plot, rows: rowsOf(data, plot.table, plot.where) }))
    .filter((plot) => plot.rows.length > 0);
  if (plots.length === 0 || rowsOf(data, spec.table, spec.where).length === 0) return null;
  const svg = d3
    .create("svg")
    .attr("xmlns", "http://www.w3.org/2000/svg")
    .attr("role", "img")
    .attr("font-family", "system-ui, -apple-system, 'Segoe UI', sans-serif");
  const figure = {
    id: ++figures,
    svg,
    defs: svg.append("defs"),
    clips: 0,
    hatches: new Set(),
    panels: [],
    notes: [...(spec.notes || [])],
  };
  const facets = groupsBy(data, plots[0].rows, plots[0].facet);
  const most =
    typeof spec.columns === "string"
      ? Math.min(4, new Set(plots[0].rows.map((row) => row[spec.columns])).size)
      : spec.columns || 3;
  const columns = width < 560 ? 1 : Math.min(most, facets.length);
  const title = wrapped(spec.title, width * 0.74);
  title.forEach((line, i) => drawText(svg, 0, 12 + 16 * i, line, { ink: INK, weight: 600, size: 13 }));
  let top = drawKey(
    figure,
    spec,
    data,
    plots.flatMap((plot) => plot.rows),
    width,
    16 * (title.length - 1),
  );
  const prepared = plots.map((plot) => {
    const own = groupsBy(data, plot.rows, plot.facet);
    const trimmed = (some) =>
      plot.x.trim ? trim(data, plot, plot.x.own ? some.flatMap((facet) => facet.rows) : plot.rows) : null;
    const y = (some) => domainOf(data, plot, "y", some, trimmed(some));
    const domain = y(own);
    const height = (some) =>
      plot.y.row
        ? plot.y.row * (plot.y.own ? d3.max(some, (facet) => y([facet]).length) || 1 : domain.length) + 4
        : plot.height || 165;
    const label = (axis) =>
      axis.ticks === "values"
        ? {
            ...axis,
            ticks: [...new Set(plot.rows.map((row) => valueOf(row, axis.of, axis)))]
              .filter(isNumber)
              .sort(d3.ascending),
          }
        : axis.scale === "ordinal"
          ? {
              ...axis,
              labels: (key) =>
                labelOf(
                  data,
                  plot.rows.find((row) => keyOf(row, [].concat(axis.of)) === key),
                  [].concat(axis.of),
                ),
            }
          : axis;
    const scale = (some) =>
      makeScale(
        label(plot.y),
        plot.y.own ? y(some) : domain,
        plot.y.scale === "ordinal" ? [0, height(some)] : [height(some), 0],
      );
    const x = (some, span) =>
      makeScale(label(plot.x), domainOf(data, plot, "x", plot.x.own ? some : own, trimmed(some)), [0, span]);
    return {
      plot,
      own,
      trimmed,
      height,
      y: scale,
      x,
      wide:
        d3.max(
          own.flatMap((facet) => scale([facet]).ticks),
          (tick) => textWidth(tick.label),
        ) || 0,
    };
  });
  const left = Math.min(
    width * 0.42,
    Math.max(...prepared.map(({ wide, plot }) => wide + 10 + (plot.y.label ? 16 : 0))),
  );
  const between = plots.some((plot) => plot.y.own) ? left : 14;
  const span = (width - left - between * (columns - 1) - 12) / columns;
  for (let row = 0; row < facets.length; row += columns) {
    for (const { plot, own, trimmed, height: heightFor, x, y } of prepared) {
      const height = heightFor(
        facets.slice(row, row + columns).map((facet) => own.find((one) => one.key === facet.key) || facet),
      );
      const under = plot !== prepared[0].plot;
      const headings = facets
        .slice(row, row + columns)
        .map((facet) => wrapped([facet.label, plot.heading].filter(Boolean).join(", "), span / 1.1));
      const lines =
        under && plot.heading == null ? 0 : d3.max(headings, (heading) => (heading[0] ? heading.length : 0));
      const head = lines > 0 ? 5 + 13 * lines : 6;
      const withX = plot.x.show !== false && !(plot.x.show === "last" && row + columns < facets.length);
      facets.slice(row, row + columns).forEach((facet, column) => {
        const mine = plot.facet.length > 0 ? own.find((one) => one.key === facet.key) : { ...facet, rows: plot.rows };
        const origin = [left + column * (span + between), top + head];
        const frame = svg.append("g").attr("class", "panel").attr("transform", `translate(${origin})`);
        const panel = {
          figure,
          data,
          plot,
          frame,
          width: span,
          height,
          x: plot.x.like ? prepared[0].x([facet], span) : x([mine || facet], span),
          y: y([mine || facet]),
          curves: [],
          stops: [],
          words: [],
          box: [...origin, span, height],
          dodged: new Set(plot.dodge ? plot.rows.map((one) => one[plot.dodge]) : []),
        };
        if (lines > 0)
          headings[column].forEach((line, i, all) =>
            drawText(frame, 0, -5 - 13 * (all.length - 1 - i), line, { ink: INK, weight: 600 }),
          );
        drawAxes(panel, withX, column === 0 || plot.y.own);
        if (plot.y.label && column === 0)
          drawText(frame, 0, 0, plot.y.label, { anchor: "middle" }).attr(
            "transform",
            `translate(${-left + 10},${height / 2}) rotate(-90)`,
          );
        if (!mine) return;
        panel.g = clipped(figure, frame, span, height);
        drawMarks(panel, mine.rows);
        drawRules(panel);
        drawWords(panel);
        const end = trimmed([mine]);
        if (end && end.cut < end.last) drawInset(panel, mine.rows, end, plot.y.own ? [mine] : own);
        figure.panels.push(panel);
      });
      top += head + height + (withX ? 20 + (plot.x.label ? 16 : 0) : 8);
    }
  }
  const [cut] = prepared.map(({ trimmed, own }) => trimmed(own)).filter((found) => found);
  if (cut)
    figure.notes.push(
      `Drawn from ${time(cut.first)} to ${time(cut.last)}; ` +
        (cut.outside.share === 0
          ? "no request lies outside."
          : `at most ${percent(cut.outside.share)} of a curve's requests lie outside (${cut.outside.label}); ` +
            "the figures of the tail show them."),
    );
  for (const note of figure.notes.concat(data.source || []))
    for (const line of wrapped(note, width * 1.02)) drawText(svg, 0, (top += 13) + 2, line, { size: 10.5 });
  svg
    .attr("viewBox", `0 0 ${width} ${top + 8}`)
    .attr("width", width)
    .attr("height", top + 8)
    .attr("aria-label", spec.title);
  return { svg: svg.node(), panels: figure.panels, full: [0, 0, width, top + 8] };
}
