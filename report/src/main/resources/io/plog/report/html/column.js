// On a phone the panels of a drawing stand below each other, in the order of their subjects, and its words are wrapped. Nothing is
// drawn anew: the parts move, and move back for paper and for a file. A panel that had its row's labels borrows them.
const phone = matchMedia("screen and (max-width: 699px)");
const dataFrame = (panel) => panel.dataset.frame.split(" ").map(Number);
const at = (text) => [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
const placed = (part, x, y) => part.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

function inColumn(drawing) {
  const svg = svgOf(drawing);
  const parts = [...svg.children].filter((part) => !part.matches("title, desc, defs, .cursor"));
  const panels = parts.filter((part) => part.matches(".panel"));
  const [paper, ...others] = parts;
  const frames = panels.map(dataFrame);
  const margin = Math.min(...frames.map(([left]) => left));
  const width = Math.max(280, margin + Math.max(...frames.map((frame) => frame[2])) + 14);
  if (panels.length < 2 || width > 420) return;
  const head = others.slice(0, others.indexOf(panels[0]));
  const notes = others.slice(others.indexOf(panels[panels.length - 1]) + 1).filter((part) => part.tagName === "text");
  let y = words(head.filter((part) => part.hasAttribute("font-weight")), 14, 25) + key(head.filter((part) => !part.hasAttribute("font-weight")));
  const tops = [...new Set(frames.map((frame) => frame[1]))].sort((a, b) => a - b);
  const bottom = notes.length > 0 ? at(notes[0])[1] + 7 : drawing.full[3];
  const subject = (panel) => [panel.dataset.size, panel.dataset.target].join();
  const subjects = [...new Set(panels.map(subject))];
  const order = subjects.flatMap((one) => panels.filter((panel) => subject(panel) === one));
  for (const panel of order) {
    const [left, top, , height] = dataFrame(panel);
    const next = tops.find((other) => other > top) || bottom;
    borrow(panel, panels, left, top);
    panel.shift = [margin - left, y + 20 - top];
    placed(panel, ...panel.shift);
    y += next - top;
  }
  // A line that reaches the edge goes on in the next one.
  notes.reduce((so, text) => {
    text.whole = text.textContent;
    if (so && so.last.length > 100) so.note.textContent += " " + text.textContent;
    const last = text.textContent;
    if (!so || so.last.length <= 100) return { note: text, last };
    text.textContent = "";
    return { note: so.note, last };
  }, null);
  y = words(notes.filter((text) => text.textContent), 10, y + 4);
  paper.setAttribute("width", width);
  paper.setAttribute("height", y);
  drawing.full = [0, 0, width, Math.ceil(y)];
  drawing.classList.add("column");

  function words(texts, size, line) {
    for (const text of texts) {
      const [x] = at(text);
      text.whole ??= text.textContent;
      const most = Math.floor((width - 2 * x) / (size * 0.52));
      const lines = text.textContent.split(" ").reduce((so, word) => {
        const last = so[so.length - 1];
        if (last && last.length + word.length < most) so[so.length - 1] = last + " " + word;
        else so.push(word);
        return so;
      }, []);
      text.replaceChildren(...lines.map((one, i) => {
        const span = document.createElementNS(svg.namespaceURI, "tspan");
        span.textContent = one + (i + 1 < lines.length ? " " : "");
        span.setAttribute("x", x);
        if (i > 0) span.setAttribute("dy", size * 1.3);
        return span;
      }));
      placed(text, 0, line - at(text)[1]);
      line += lines.length * size * 1.3;
    }
    return line;
  }

  // An entry is a sample of a line and the words behind it. Answers how high the key is.
  function key(samples) {
    let [x, line, entry] = [10, 0, []];
    const top = 25 + (head.length > 0 ? (head[0].childElementCount || 1) * 18 : 0);
    for (const part of samples) {
      entry.push(part);
      if (part.tagName !== "text") continue;
      const [textX, textY] = at(part);
      const wide = 46 + part.textContent.length * 6;
      if (x > 10 && x + wide - 14 > width) [x, line] = [10, line + 17];
      entry.forEach((one) => placed(one, x + 32 - textX, top + line - textY));
      x += wide;
      entry = [];
    }
    return samples.length > 0 ? line + 22 : 0;
  }
}

function borrow(panel, panels, left, top) {
  const labels = (one, edge) => [...one.querySelectorAll(":scope > text")].filter((text) => text.getAttribute("transform") ? text.getAttribute("transform").startsWith("rotate")
    : text.getAttribute("text-anchor") === "end" && at(text)[0] <= edge);
  const row = panels.filter((other) => dataFrame(other)[1] === top).sort((a, b) => dataFrame(a)[0] - dataFrame(b)[0]);
  if (row[0] === panel || labels(panel, left).length > 0) return;
  const lent = document.createElementNS(panel.namespaceURI, "g");
  lent.setAttribute("class", "lent");
  placed(lent, left - dataFrame(row[0])[0], 0);
  lent.append(...labels(row[0], dataFrame(row[0])[0]).map((text) => text.cloneNode(true)));
  panel.append(lent);
}

function inRows(drawing) {
  const svg = svgOf(drawing);
  if (!drawing.classList.contains("column")) return;
  drawing.classList.remove("column");
  svg.querySelectorAll(".lent").forEach((one) => one.remove());
  drawing.full = drawing.wide;
  for (const part of svg.children) {
    part.removeAttribute("transform");
    if (part.whole != null) part.textContent = part.whole;
    delete part.whole;
    delete part.shift;
  }
  const paper = [...svg.children].find((part) => part.tagName === "rect");
  paper.setAttribute("width", drawing.wide[2]);
  paper.setAttribute("height", drawing.wide[3]);
}

function reflow(narrow) {
  for (const drawing of drawings) {
    inRows(drawing);
    if (narrow && !drawing.matches(".narrow, .wide")) inColumn(drawing);
    svgOf(drawing).style.aspectRatio = drawing.full[2] + " / " + drawing.full[3];
  }
  apply();
}
