/*
 * The engine of labs 12 and 13: what processes did until one of them crashed, and what each protocol makes of it. It draws nothing and
 * knows no clock: the same scenario and seed give the same history, and all protocols run on it. The build runs it in Rhino, so it
 * keeps to what that knows of JavaScript: no const in a loop, no closure over the variable of one.
 *
 * Times are ticks, from 0. At most one event of the services has a tick for itself; what a protocol adds (forces, markers) has
 * half a tick more. Processes have the numbers 0, 1 and 2; -1 is the outside, which nobody can roll back.
 */
"use strict";

var simulation = (function () {
  let OUTSIDE = -1;
  let SCENARIOS = ["domino", "domino of three", "services", "random", "two crashes"];
  let PROTOCOLS = ["uncoordinated", "coordinated", "snapshot", "pessimistic", "sender-based", "optimistic", "causal"];
  let NAMES = ["A", "B", "C"];

  /** Mulberry32: whole numbers from 0 to below n, the same on every machine. */
  function dice(seed) {
    let state = seed >>> 0;
    return function (n) {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) % n;
    };
  }

  // --- histories

  /** What happens if no protocol delays anything: events in the order of time, up to the crash. */
  function history(scenario, seed) {
    let index = SCENARIOS.indexOf(scenario);
    if (index < 0) {
      throw new Error("there is no scenario " + scenario);
    }
    let chance = dice(seed * 8 + index);
    let processes = scenario === "domino" ? 2 : 3;
    let made = { scenario: scenario, seed: seed, processes: processes, events: [], messages: [], crashed: [], end: 44 };
    let taken = {}; // ticks
    let agenda = []; // what is to come
    let arrivals = {}; // the last of each channel, which is first in, first out

    function tick(from) {
      while (taken[from]) {
        from++;
      }
      taken[from] = true;
      return from;
    }

    function later(at, act) {
      agenda.push({ at: at, act: act });
    }

    function event(at, process, kind, message) {
      made.events.push({ at: at, process: process, kind: kind, message: message });
    }

    /** Sends, and lets the receiver do something when it arrives. */
    function send(at, from, to, received) {
      let channel = from + ">" + to;
      let sent = tick(at);
      let arrives = tick(Math.max(sent + 2 + chance(5), (arrivals[channel] || 0) + 1));
      arrivals[channel] = arrives;
      let id = made.messages.length;
      made.messages.push({ id: id, from: from, to: to, latency: arrives - sent });
      if (from !== OUTSIDE) {
        event(sent, from, "send", id);
      } else {
        made.messages[id].sent = sent;
      }
      event(arrives, to, "receive", id);
      if (received) {
        later(arrives + 1, function (now) { received(now, arrives); });
      }
    }

    function domino(now, process, rounds) {
      let next = (process + 1) % processes;
      send(now, process, next, function (then, arrived) {
        if (rounds === 0 && next === 1) {
          made.end = arrived;
          agenda.length = 0;
          return;
        }
        event(tick(then), next, "checkpoint", null);
        later(then + 1 + chance(2), function (at) { domino(at, next, next === 0 ? rounds - 1 : rounds); });
      });
    }

    function checkpoints(process, gap) {
      later(3 + chance(gap), function again(now) {
        event(tick(now), process, "checkpoint", null);
        later(now + gap + chance(gap), again);
      });
    }

    function services() {
      later(1, function request(now) {
        send(now, OUTSIDE, 0, function (then) {
          send(then, 0, 1, function (at) {
            if (chance(3) === 0) {
              send(at, 1, 0, reply);
            } else {
              send(at, 1, 2, function (there) { send(there, 2, 0, reply); });
            }
          });
        });
        later(now + 7 + chance(4), request);
      });
      function reply(now) {
        event(tick(now), 0, "reply", null);
      }
    }

    function random() {
      [0, 1, 2].forEach(function (p) {
        later(1 + chance(4), function act(now) {
          let other = (p + 1 + chance(processes - 1)) % processes;
          if (chance(5) === 0) {
            event(tick(now), p, "reply", null);
          } else {
            send(now, p, other, null);
          }
          later(now + 4 + chance(7), act);
        });
      });
      later(2, function request(now) {
        send(now, OUTSIDE, chance(processes), null);
        later(now + 8 + chance(8), request);
      });
    }

    if (index < 2) {
      made.end = 999; // until it is known
      later(1, function (now) { domino(now, 0, 5 - processes); });
      made.crashed = [0];
    } else {
      for (let p = 0; p < processes; p++) {
        checkpoints(p, 9);
      }
      if (scenario === "services") {
        services();
      } else {
        random();
      }
      let first = chance(processes);
      made.crashed = [first];
      if (scenario === "two crashes") {
        made.crashed.push((first + 1 + chance(processes - 1)) % processes);
        made.crashed.sort();
      }
    }
    while (agenda.length > 0) {
      let next = 0;
      for (let i = 1; i < agenda.length; i++) {
        if (agenda[i].at < agenda[next].at) {
          next = i;
        }
      }
      let due = agenda.splice(next, 1)[0];
      if (due.at <= made.end) {
        due.act(due.at);
      }
    }
    made.events = made.events.filter(function (each) { return each.at <= made.end; });
    made.events.sort(function (a, b) { return a.at - b.at; });
    made.coordinator = chance(processes);
    made.begins = Math.floor(made.end / 4) + chance(Math.floor(made.end / 3));
    made.flushes = [];
    for (let p = 0; p < processes; p++) {
      let period = 6 + chance(6);
      let times = [];
      for (let at = 2 + chance(period); at <= made.end; at += period) {
        times.push(at + 0.5);
      }
      made.flushes.push(times);
    }
    return made;
  }

  // --- execution: who does what when, if a protocol sends markers, and stops processes

  /**
   * Lets the processes do what the history says, each in its order. With markers, one process begins a global state, and each sends a
   * marker on each of its channels. Who takes part of a snapshot (Chandy and Lamport) goes on; who takes part of a coordinated
   * checkpoint (Tamir and Sequin) stops until all have saved.
   */
  function execute(past, protocol) {
    let n = past.processes;
    let marked = protocol === "coordinated" || protocol === "snapshot";
    let stops = protocol === "coordinated";
    let run = { steps: [], messages: [], replies: [], checkpoints: [], cut: [], channels: {}, complete: false, markers: 0, stopped: 0 };
    let todo = []; // of each process
    let inbox = [];
    let last = {}; // arrival on each channel
    let control = [];
    let stoppedAt = [];
    let heard = []; // of each process, from which channels a marker came
    let saved = 0;
    for (let p = 0; p < n; p++) {
      todo.push(past.events.filter(function (each) { return each.process === p; }));
      inbox.push({});
      heard.push({});
      stoppedAt.push(null);
      run.cut.push(null);
      run.checkpoints.push([0]);
    }
    past.messages.forEach(function (each) {
      run.messages.push({ id: each.id, from: each.from, to: each.to, sent: each.from === OUTSIDE ? each.sent : null, received: null });
    });

    function step(at, kind, process, more) {
      run.steps.push(Object.assign({ at: at, kind: kind, process: process }, more || {}));
    }

    function marker(at, from, to, kind) {
      let channel = from + ">" + to;
      let arrives = Math.max(Math.floor(at) + 2, last[channel] || 0) + 0.5;
      last[channel] = Math.max(last[channel] || 0, Math.floor(arrives));
      control.push({ from: from, to: to, kind: kind, at: arrives });
      run.markers++;
      step(at, "marker", from, { to: to, arrives: arrives, sign: kind });
    }

    /** The state of a process becomes a part of the global one. */
    function record(at, p) {
      run.cut[p] = at;
      step(at, "record", p);
      if (stops) {
        stoppedAt[p] = at;
      }
      for (let q = 0; q < n; q++) {
        if (q !== p) {
          run.channels[q + ">" + p] = [];
          marker(at, p, q, "marker");
        }
      }
    }

    function allHeard(p) {
      return Object.keys(heard[p]).length === n - 1;
    }

    function goOn(at, p) {
      run.stopped += at - stoppedAt[p];
      stoppedAt[p] = null;
      step(at, "resume", p);
    }

    function save(at, p) {
      let inChannels = [];
      for (let q = 0; q < n; q++) {
        inChannels = inChannels.concat(run.channels[q + ">" + p] || []);
      }
      step(at, "saved", p, { messages: inChannels });
      run.checkpoints[p].push(run.cut[p]);
      if (stops && p !== past.coordinator) {
        marker(at, p, past.coordinator, "saved");
      } else {
        report(at);
      }
    }

    function report(at) {
      saved++;
      if (saved < n) {
        return;
      }
      run.complete = true;
      step(at, "complete", past.coordinator);
      if (stops) {
        for (let q = 0; q < n; q++) {
          if (q !== past.coordinator) {
            marker(at, past.coordinator, q, "resume");
          }
        }
        goOn(at, past.coordinator);
      }
    }

    function hear(at, each) {
      if (each.kind === "saved") {
        report(at);
      } else if (each.kind === "resume") {
        goOn(at, each.to);
      } else {
        if (run.cut[each.to] === null) {
          record(at, each.to);
        }
        heard[each.to][each.from] = true;
        if (allHeard(each.to)) {
          save(at, each.to);
        }
      }
    }

    /** A message has come; while its channel is recorded, it is part of the channel's state. */
    function arrive(message) {
      let channel = message.from + ">" + message.to;
      if (run.cut[message.to] !== null && run.channels[channel] && !heard[message.to][message.from]) {
        run.channels[channel].push(message.id);
      }
      inbox[message.to][message.id] = true;
    }

    let flying = [];
    past.messages.forEach(function (each) {
      if (each.from === OUTSIDE) {
        flying.push({ id: each.id, at: each.sent + each.latency });
      }
    });
    for (let now = 0; now <= past.end; now++) {
      for (let i = 0; i < flying.length; i++) {
        if (flying[i].at === now) {
          arrive(run.messages[flying[i].id]);
        }
      }
      for (let p = 0; p < n; p++) {
        let next = todo[p][0];
        if (!next || next.at > now || stoppedAt[p] !== null || (next.kind === "receive" && !inbox[p][next.message])) {
          continue;
        }
        todo[p].shift();
        if (next.kind === "send") {
          let message = run.messages[next.message];
          let channel = p + ">" + message.to;
          let arrives = Math.max(now + past.messages[next.message].latency, (last[channel] || 0) + 1);
          message.sent = now;
          last[channel] = arrives;
          flying.push({ id: message.id, at: arrives });
          step(now, "send", p, { message: message.id });
        } else if (next.kind === "receive") {
          run.messages[next.message].received = now;
          step(now, "receive", p, { message: next.message });
        } else if (next.kind === "reply") {
          run.replies.push({ process: p, at: now, left: null });
          step(now, "reply", p, { reply: run.replies.length - 1 });
        } else if (protocol === "uncoordinated") {
          run.checkpoints[p].push(now);
          step(now, "checkpoint", p);
        }
      }
      if (marked && now === past.begins) {
        record(now + 0.5, past.coordinator);
      }
      for (let i = 0; i < control.length; i++) {
        if (control[i].at === now + 0.5) {
          hear(now + 0.5, control[i]);
        }
      }
    }
    for (let p = 0; p < n; p++) {
      run.stopped += stoppedAt[p] === null ? 0 : past.end - stoppedAt[p];
    }
    return run;
  }

  // --- logging: what is stable, and who knows what

  /** Adds to what was executed what a logging protocol does: forces, and when replies leave. */
  function log(past, protocol, run) {
    let known = []; // of each process, the receipts that its state depends on
    let pending = []; // receipts in its memory only
    let carried = {}; // by message
    let stable = {};
    let waiting = []; // replies
    let steps = [];
    run.forces = 0;
    run.extra = 0;
    run.piggybacked = 0;
    run.stable = stable;
    run.known = known;
    for (let p = 0; p < past.processes; p++) {
      known.push({});
      pending.push([]);
    }

    function unstable(set) {
      return Object.keys(set).map(Number).filter(function (id) { return stable[id] === undefined; });
    }

    function force(at, p, ids) {
      ids.forEach(function (id) { stable[id] = at; });
      run.forces++;
      steps.push({ at: at, kind: "force", process: p, messages: ids });
    }

    function release(at, reply) {
      run.replies[reply].left = at;
      steps.push({ at: at, kind: "release", process: run.replies[reply].process, reply: reply });
    }

    function flush(at) {
      for (let p = 0; p < past.processes; p++) {
        if (past.flushes[p].indexOf(at) >= 0 && pending[p].length > 0) {
          force(at, p, pending[p].splice(0));
        }
      }
      for (let i = 0; i < waiting.length; i++) {
        if (unstable(waiting[i].on).length === 0) {
          release(at, waiting.splice(i--, 1)[0].reply);
        }
      }
    }

    let flushed = 0;
    run.steps.forEach(function (each) {
      let p = each.process;
      for (; protocol === "optimistic" && flushed < each.at; flushed++) {
        flush(flushed + 0.5);
      }
      steps.push(each);
      if (each.kind === "send") {
        carried[each.message] = Object.assign({}, known[p]);
        run.piggybacked += protocol === "causal" ? unstable(known[p]).length : 0;
      } else if (each.kind === "receive") {
        let message = run.messages[each.message];
        Object.assign(known[p], carried[each.message] || {});
        known[p][each.message] = true;
        if (protocol === "pessimistic" || (protocol === "sender-based" && message.from === OUTSIDE)) {
          force(each.at, p, [each.message]);
        } else if (protocol === "sender-based") {
          run.extra += 2; // the number of the receipt, to the sender; and that it has it
        } else if (protocol === "optimistic") {
          pending[p].push(each.message);
        }
      } else if (each.kind === "reply") {
        let missing = unstable(known[p]);
        if (protocol === "optimistic" && missing.length > 0) {
          waiting.push({ reply: each.reply, on: Object.assign({}, known[p]) });
        } else {
          if (protocol === "causal" && missing.length > 0) {
            force(each.at, p, missing);
          }
          release(each.at, each.reply);
        }
      }
    });
    for (; protocol === "optimistic" && flushed < past.end; flushed++) {
      flush(flushed + 0.5);
    }
    run.steps = steps;
  }

  /** Whether a receipt of a crashed process can be replayed: its message and its place in the order are somewhere. */
  function recoverable(past, protocol, run, message) {
    if (run.stable[message.id] !== undefined) {
      return true;
    }
    if (protocol === "sender-based") {
      return past.crashed.indexOf(message.from) < 0;
    }
    if (protocol === "causal") {
      return run.known.some(function (known, p) { return past.crashed.indexOf(p) < 0 && known[message.id]; });
    }
    return false;
  }

  // --- recovery

  /** Messages that the kept part of their receiver has, and the kept part of their sender has not sent. */
  function orphans(messages, cut) {
    return messages.filter(function (each) {
      return each.from !== OUTSIDE && each.received !== null && each.received <= cut[each.to] && each.sent > cut[each.from];
    });
  }

  /**
   * Rolls back until no message is an orphan.
   *
   * @param cut up to when each process is kept at first; changed
   * @param back up to when a process is kept that must not have received at this time
   */
  function recoveryLine(messages, cut, back, said) {
    for (let found = orphans(messages, cut); found.length > 0; found = orphans(messages, cut)) {
      said("orphans", null, { messages: found.map(function (each) { return each.id; }) });
      found.forEach(function (each) {
        let kept = back(each.to, each.received);
        if (kept < cut[each.to]) {
          cut[each.to] = kept;
          said("back", each.to, { to: kept, message: each.id });
        }
      });
    }
  }

  /** Runs a protocol on a history, to the crash and through the recovery. */
  function run(past, protocol) {
    let kind = PROTOCOLS.indexOf(protocol);
    if (kind < 0) {
      throw new Error("there is no protocol " + protocol);
    }
    let logs = kind >= 3;
    let made = execute(past, protocol);
    let crashed = past.crashed;
    let end = past.end;
    if (logs) {
      log(past, protocol, made);
    } else {
      made.replies.forEach(function (each) { each.left = each.at; });
      made.forces = made.checkpoints.reduce(function (sum, each) { return sum + each.length - 1; }, 0);
      made.extra = made.markers;
      made.piggybacked = 0;
    }
    let cut = [];
    let said = function (what, process, more) {
      made.steps.push(Object.assign({ at: end, kind: what, process: process, cut: cut.slice() }, more || {}));
    };
    for (let p = 0; p < past.processes; p++) {
      cut.push(end);
    }
    said("crash", null, { crashed: crashed });
    for (let p = 0; p < past.processes; p++) {
      let down = crashed.indexOf(p) >= 0;
      if (logs && down) {
        made.messages.forEach(function (each) {
          if (each.to === p && each.received !== null && !recoverable(past, protocol, made, each)) {
            cut[p] = Math.min(cut[p], each.received - 0.5);
          }
        });
        said("replay", p);
      } else if (protocol === "uncoordinated" && down) {
        cut[p] = made.checkpoints[p][made.checkpoints[p].length - 1];
        said("restart", p);
      } else if (kind === 1 || kind === 2) {
        cut[p] = made.complete ? made.cut[p] : 0;
        said("restart", p);
      }
    }
    let first = cut.slice();
    recoveryLine(
      made.messages,
      cut,
      function (process, before) {
        let points = logs ? [before - 0.5] : made.checkpoints[process].filter(function (each) { return each < before; });
        return points[points.length - 1];
      },
      said
    );
    said("line", null);
    let undone = made.steps.filter(function (each) {
      return ["send", "receive", "reply"].indexOf(each.kind) >= 0 && each.at > cut[each.process];
    });
    made.scenario = past.scenario;
    made.seed = past.seed;
    made.protocol = protocol;
    made.processes = past.processes;
    made.crashed = crashed;
    made.end = end;
    made.first = first;
    made.line = cut;
    made.result = {
      forces: made.forces,
      extra: made.extra,
      piggybacked: made.piggybacked,
      lost: undone.filter(function (each) { return each.kind === "receive" && crashed.indexOf(each.process) >= 0; }).length,
      "rolled back": cut.filter(function (each, p) { return each < end && crashed.indexOf(p) < 0; }).length,
      undone: undone.length,
      orphans: made.steps.reduce(function (sum, each) { return sum + (each.kind === "orphans" ? each.messages.length : 0); }, 0),
      "in channels": made.messages.filter(function (each) {
        return each.from !== OUTSIDE && each.sent !== null && each.sent <= cut[each.from]
          && (each.received === null || each.received > cut[each.to]);
      }).length,
      replies: made.replies.filter(function (each) { return each.left !== null; }).length,
      waited: made.replies.reduce(function (sum, each) { return sum + Math.ceil((each.left === null ? end : each.left) - each.at); }, 0),
      "told and undone": made.replies.filter(function (each) { return each.left !== null && each.at > cut[each.process]; }).length,
      stopped: Math.round(made.stopped)
    };
    return made;
  }

  /** One line, to be copied: which run, and its figures. */
  function line(made) {
    let figures = Object.keys(made.result).map(function (key) { return key.replace(/ /g, "-") + "=" + made.result[key]; });
    return "scenario=" + made.scenario.replace(/ /g, "-") + " protocol=" + made.protocol + " seed=" + made.seed + " " + figures.join(" ");
  }

  return { SCENARIOS: SCENARIOS, PROTOCOLS: PROTOCOLS, NAMES: NAMES, OUTSIDE: OUTSIDE, history: history, run: run, line: line };
})();
