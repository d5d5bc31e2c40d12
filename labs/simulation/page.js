/* Draws what history.js computes, up to a step. */
"use strict";

(function () {
  const TICK = 19;
  const LEFT = 40;
  const TOP = 34;
  const GAP = 92;
  const NAMES = simulation.NAMES;
  const element = (id) => document.getElementById(id);
  let run;
  let step = 0;
  let timer = null;
  let finished = {};

  function svg(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  }

  const x = (at) => LEFT + at * TICK;
  const y = (process) => TOP + (process + 1) * GAP - (process < 0 ? 0 : 20);
  const named = (ids) => ids.map((id) => "m" + id).join(", ");

  // --- words

  const WORDS = {
    send: (s) => "sends m" + s.message + " to " + NAMES[run.messages[s.message].to] + ".",
    receive: (s) => "receives m" + s.message + ": from here on its state depends on that.",
    reply: (s) => "has a reply for the outside" + (run.replies[s.reply].left === s.at ? ", and it leaves at once." : ": it has to wait."),
    release: (s) => "lets its reply go: all that it depends on is stable.",
    checkpoint: () => "saves its state, on its own.",
    force: (s) => "forces the log entries of " + named(s.messages) + ".",
    marker: (s) => "sends " + (s.sign === "marker" ? "a marker" : "“" + s.sign + "”") + " to " + NAMES[s.to] + ".",
    record: () => "takes its part of the global state" + (run.protocol === "coordinated" ? ", and stops." : ", and goes on."),
    saved: (s) => "has a marker from each other process: its part is saved, with what was in its channels: " + (s.messages.length > 0 ? named(s.messages) : "nothing") + ".",
    complete: () => "knows that all have saved: the global state is complete.",
    resume: () => "goes on.",
    crash: (s) => s.crashed.map((p) => NAMES[p]).join(" and ") + " crash" + (s.crashed.length > 1 ? "" : "es") + ": what was in memory only is gone.",
    replay: (s) => (s.cut[s.process] === run.end ? "replays all that it had received: nothing is missing." : "replays up to the first message whose log entry is gone."),
    restart: (s) => (s.cut[s.process] === 0 ? "starts again from the beginning." : "starts again from a checkpoint."),
    orphans: (s) => (s.messages.length > 1 ? "Orphans: " : "An orphan: ") + named(s.messages) + ": received, and nobody has sent it any more.",
    back: (s) => "rolls back, since it received m" + s.message + "." + (s.to === 0 ? " It is at its beginning." : ""),
    line: () => (run.line.every((c) => c === 0) ? "The recovery line is the beginning of everything." : "This is the recovery line: no message is an orphan.")
  };

  function sentence(s) {
    const text = WORDS[s.kind](s);
    return s.process === null || s.process === undefined ? text : NAMES[s.process] + " " + text;
  }

  // --- the picture

  function arrowhead(x1, y1, x2, y2, kind) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const corner = (turn, far) => (x2 - far * Math.cos(angle + turn)) + "," + (y2 - far * Math.sin(angle + turn));
    return svg("polygon", { points: x2 + "," + y2 + " " + corner(0.4, 9) + " " + corner(-0.4, 9), class: kind });
  }

  function cross(cx, cy, size) {
    return svg("path", { d: `M${cx - size} ${cy - size}L${cx + size} ${cy + size}M${cx - size} ${cy + size}L${cx + size} ${cy - size}`, class: "cross" });
  }

  function draw() {
    const done = run.steps.slice(0, step);
    const latest = done[done.length - 1];
    const now = latest ? latest.at : 0;
    const after = done.filter((s) => s.cut);
    const cut = after.length > 0 ? after[after.length - 1].cut : Array(run.processes).fill(run.end);
    const crashed = after.length > 0;
    const orphans = new Set(done.filter((s) => s.kind === "orphans").flatMap((s) => s.messages));
    const stable = new Set(done.filter((s) => s.kind === "force").flatMap((s) => s.messages));
    const logs = simulation.PROTOCOLS.indexOf(run.protocol) >= 3;
    const width = x(run.end) + 76;
    const height = y(run.processes - 1) + 44;
    const made = svg("svg", { width: width, height: height, viewBox: `0 0 ${width} ${height}` });
    const put = (...parts) => parts.forEach((part) => made.append(part));
    const straight = (x1, y1, x2, y2, kind) => svg("line", { x1: x1, y1: y1, x2: x2, y2: y2, class: kind });

    put(straight(x(now), 8, x(now), height - 8, "now"));
    put(straight(x(0), y(-1), x(run.end), y(-1), "undone"));
    for (let p = 0; p < run.processes; p++) {
      const kept = Math.min(now, cut[p]);
      put(straight(x(0), y(p), x(kept), y(p), "life"));
      if (kept < now) {
        put(straight(x(kept), y(p), x(now), y(p), "undone"));
      }
      put(svg("rect", { x: x(0) - 4, y: y(p) - 12, width: 8, height: 24, class: "checkpoint" }));
    }
    let since = {};
    done.forEach((s) => {
      if (run.protocol === "coordinated" && s.kind === "record") {
        since[s.process] = s.at;
      } else if (s.kind === "resume") {
        put(straight(x(since[s.process]), y(s.process), x(s.at), y(s.process), "stopped"));
        delete since[s.process];
      }
    });
    Object.entries(since).forEach(([p, at]) => put(straight(x(at), y(+p), x(now), y(+p), "stopped")));

    done.filter((s) => s.kind === "marker").forEach((s) => {
      const part = Math.min(1, (now - s.at) / (s.arrives - s.at));
      const tx = x(s.at + part * (s.arrives - s.at));
      const ty = y(s.process) + part * (y(s.to) - y(s.process));
      put(straight(x(s.at), y(s.process), tx, ty, "marker"));
    });

    const began = new Set(done.filter((s) => s.kind === "send").map((s) => s.message));
    const ended = new Set(done.filter((s) => s.kind === "receive").map((s) => s.message));
    run.messages.forEach((m) => {
      if (m.from < 0 ? m.sent > now || (m.sent === now && !ended.has(m.id)) : !began.has(m.id)) {
        return;
      }
      const there = ended.has(m.id);
      const until = m.received === null ? Math.max(run.end + 2, m.sent + 4) : m.received;
      const part = there ? 1 : Math.min(0.96, (now - m.sent + 0.5) / (until - m.sent));
      const x1 = x(m.sent);
      const y1 = y(m.from);
      const x2 = x1 + part * (x(until) - x1);
      const y2 = y1 + part * (y(m.to) - y1);
      const orphan = orphans.has(m.id);
      const gone = crashed && ((m.from >= 0 && m.sent > cut[m.from]) || (m.from < 0 && there && m.received > cut[m.to]));
      const group = svg("g", { class: gone && !orphan ? "gone" : "" });
      group.append(straight(x1, y1, x2, y2, "message" + (there ? "" : " flying") + (orphan ? " orphan" : "")));
      if (there) {
        group.append(arrowhead(x1, y1, x2, y2, orphan ? "orphan-head" : "head"));
      } else {
        group.append(svg("circle", { cx: x2, cy: y2, r: 3.5, class: "head" }));
      }
      const lx = x1 + (x2 - x1) * 0.36;
      const ly = y1 + (y2 - y1) * 0.36;
      group.append(svg("text", { x: lx + 6, y: ly + (y2 > y1 ? -2 : 10), class: "soft" }, "m" + m.id + (orphan ? " orphan" : "")));
      if (orphan) {
        group.append(cross((x1 + x2) / 2, (y1 + y2) / 2, 6));
      }
      put(group);
      if (logs && there) {
        const ex = x(m.received);
        const ey = y(m.to) + 9;
        put(svg("rect", { x: ex - 4, y: ey, width: 8, height: 8, class: "entry" + (stable.has(m.id) ? " stable" : "") }));
        if (crashed && m.received > cut[m.to]) {
          put(cross(ex, ey + 4, 6));
        }
      }
    });

    done.forEach((s) => {
      const faded = crashed && s.process !== null && s.at > cut[s.process] ? " gone" : "";
      if (s.kind === "send" || s.kind === "receive") {
        put(svg("circle", { cx: x(s.at), cy: y(s.process), r: 3, class: "dot" + faded }));
      } else if (s.kind === "checkpoint" || s.kind === "record") {
        put(svg("rect", { x: x(s.at) - 4, y: y(s.process) - 12, width: 8, height: 24, class: "checkpoint" + faded }));
      } else if (s.kind === "reply") {
        const left = run.replies[s.reply].left;
        const told = left !== null && done.some((r) => (r.kind === "release" && r.reply === s.reply)) || !logs;
        const at = told ? left : now;
        put(svg("polygon", { points: `${x(s.at)},${y(s.process) - 6} ${x(s.at) - 5},${y(s.process) + 4} ${x(s.at) + 5},${y(s.process) + 4}`, class: "dot" + faded }));
        put(straight(x(s.at), y(s.process) - 14, x(at), y(s.process) - 14, "message flying" + faded));
        if (told) {
          put(straight(x(at), y(s.process) - 14, x(at), y(-1) + 2, "message"), arrowhead(x(at), y(s.process), x(at), y(-1) + 2, "head"));
          if (faded) {
            put(cross(x(at), y(-1) + 8, 6));
          }
        }
      } else if (s.kind === "crash") {
        s.crashed.forEach((p) => put(cross(x(run.end) + 10, y(p), 8), svg("text", { x: x(run.end) + 23, y: y(p) + 4 }, "crash")));
      }
    });
    if (latest && latest.process !== null && latest.process !== undefined) {
      put(svg("circle", { cx: x(Math.min(latest.at, crashed ? cut[latest.process] : latest.at)), cy: y(latest.process), r: 15, class: "latest" }));
    }
    if (latest && latest.kind === "line") {
      const points = cut.map((at, p) => [x(at), y(p)]);
      const path = points.map(([px, py], p) => `${p === 0 ? "M" : "L"}${px} ${py}`).join("");
      put(svg("path", { d: path, class: "cut" }));
      points.forEach(([px, py]) => put(svg("rect", { x: px - 6, y: py - 6, width: 12, height: 12, transform: `rotate(45 ${px} ${py})`, class: "point" })));
    }
    const names = svg("g", { id: "names" }); // which stay in sight
    names.append(svg("text", { x: 4, y: y(-1) - 6, class: "soft" }, "outside"));
    for (let p = 0; p < run.processes; p++) {
      names.append(svg("rect", { x: 0, y: y(p) - 10, width: 20, height: 20, class: "behind" }), svg("text", { x: 6, y: y(p) + 5 }, NAMES[p]));
    }
    put(names);
    const box = element("picture");
    const scrolled = box.scrollLeft;
    box.replaceChildren(made);
    box.scrollLeft = scrolled;
    const focus = latest && crashed ? Math.min(...cut) : now;
    if (x(focus) > box.scrollLeft + box.clientWidth - 60 || x(focus) < box.scrollLeft + 60) {
      box.scrollLeft = x(focus) - box.clientWidth / 2;
    }
    keepNames();
    box.setAttribute("aria-label", "space-time picture, step " + step + " of " + run.steps.length + (latest ? ": " + sentence(latest) : ""));
    figures(done, ended, began, stable, logs, after);
  }

  function keepNames() {
    element("names").setAttribute("transform", "translate(" + element("picture").scrollLeft + " 0)");
  }

  function figures(done, ended, began, stable, logs, after) {
    const count = (...kinds) => done.filter((s) => kinds.includes(s.kind)).length;
    const received = run.messages.filter((m) => m.from >= 0 && ended.has(m.id)).length;
    const rows = [
      ["messages sent", began.size],
      ["received", received],
      ["in flight", began.size - received]
    ];
    if (logs) {
      rows.push(["log entries, stable ■", stable.size], ["log entries, volatile □", ended.size - stable.size], ["forces", count("force")]);
      const told = count("release");
      rows.push(["replies told", told], ["replies waiting", count("reply") - told]);
    } else {
      rows.push(["checkpoints (forces)", count("checkpoint", "saved")], ["saved of channels", done.filter((s) => s.kind === "saved").reduce((sum, s) => sum + s.messages.length, 0)], ["markers, and answers", count("marker")], ["replies told", count("reply")]);
    }
    const over = step === run.steps.length;
    const result = run.result;
    rows.push(["orphans", after.length > 0 ? done.filter((s) => s.kind === "orphans").reduce((sum, s) => sum + s.messages.length, 0) : "–"]);
    ["lost", "rolled back", "undone", "told and undone"].forEach((key) => rows.push([key, over ? result[key] : "–"]));
    element("figures").replaceChildren(...rows.map(([name, value]) => row([name, value])));
  }

  function row(cells) {
    const made = document.createElement("tr");
    cells.forEach((cell, i) => {
      const box = document.createElement(i === 0 ? "th" : "td");
      box.textContent = cell;
      made.append(box);
    });
    return made;
  }

  // --- what the student does

  function show() {
    const over = step === run.steps.length;
    element("where").textContent = "step " + step + " of " + run.steps.length;
    element("said").textContent = step === 0 ? "All processes are at their first checkpoint." : sentence(run.steps[step - 1]);
    if (over) {
      finished[run.protocol] = run;
      stop();
    }
    element("line").hidden = !over;
    element("line").textContent = simulation.line(run);
    const rows = simulation.PROTOCOLS.filter((each) => finished[each]).map((each) => row([each, ...Object.values(finished[each].result)]));
    element("heads").replaceChildren(row(["protocol", ...Object.keys(run.result)]));
    element("results").replaceChildren(...rows);
    draw();
  }

  function go(to) {
    step = Math.max(0, Math.min(run.steps.length, to));
    show();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    element("play").textContent = "play";
  }

  function play() {
    if (timer !== null) {
      stop();
      return;
    }
    if (step === run.steps.length) {
      go(0);
    }
    timer = setInterval(() => go(step + 1), 700);
    element("play").textContent = "pause";
  }

  function choose(other) {
    stop();
    const seed = Math.max(0, Math.floor(Number(element("seed").value) || 0));
    if (other) {
      finished = {};
    }
    run = simulation.run(simulation.history(element("scenario").value, seed), element("protocol").value);
    legend();
    go(0);
  }

  function legend() {
    const logs = simulation.PROTOCOLS.indexOf(run.protocol) >= 3;
    const signs = ["▮ checkpoint", "● send, receive", "▲ reply to the outside", "- -● message in flight", "✕ crash; orphan; lost or undone", "◆ recovery line"];
    if (logs) {
      signs.push("■ log entry, stable", "□ log entry, in memory");
    } else if (run.protocol !== "uncoordinated") {
      signs.push("···· marker");
    }
    if (run.protocol === "coordinated") {
      signs.push("▥ stopped");
    }
    element("legend").replaceChildren(...signs.map((text) => {
      const made = document.createElement("li");
      made.textContent = text;
      return made;
    }));
  }

  [["scenario", simulation.SCENARIOS], ["protocol", simulation.PROTOCOLS]].forEach(([id, all]) => {
    all.forEach((each) => element(id).append(new Option(each, each)));
  });
  const wanted = new URLSearchParams(location.hash.slice(1));
  ["scenario", "protocol", "seed"].forEach((id) => {
    if (wanted.has(id)) {
      element(id).value = wanted.get(id);
    }
  });
  element("scenario").onchange = () => choose(true);
  element("seed").onchange = () => choose(true);
  element("protocol").onchange = () => choose(false);
  element("choice").onsubmit = (event) => event.preventDefault();
  element("first").onclick = () => go(0);
  element("back").onclick = () => go(step - 1);
  element("forth").onclick = () => go(step + 1);
  element("last").onclick = () => go(run.steps.length);
  element("play").onclick = play;
  document.addEventListener("keydown", (event) => {
    if (/^(SELECT|INPUT)$/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const keys = { ArrowRight: () => go(step + 1), ArrowLeft: () => go(step - 1), Home: () => go(0), End: () => go(run.steps.length), " ": play };
    if (keys[event.key] && !(event.key === " " && event.target.tagName === "BUTTON")) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  element("picture").onscroll = keepNames;
  choose(true);
  if (wanted.has("step")) {
    go(wanted.get("step") === "end" ? run.steps.length : Number(wanted.get("step")));
  }
})();
