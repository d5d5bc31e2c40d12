"""Rates, errors and latencies of a load, by docs/measurement.md (Loads)."""

import numpy

import figures

NAMES = {
    -2: "WRONG_REPLY", -1: "NO_REPLY", 1: "LOG_FAILED", 2: "OVERLOADED",
}  # fmt: skip


def of(run):
    """One object: that of the target; its read-only requests are among them."""
    span = run.load["span"]
    cells = [cell.every for cell in run.cells]
    c = {name: numpy.concatenate([every[name] for every in cells]) for name in cells[0]}
    c = {name: column[c["PHASE"] != 2] for name, column in c.items()}
    begin = span["warmUpNanos"]
    seconds = span["durationNanos"] / 1e9
    if not span["durationNanos"]:
        return {}
    end = begin + span["durationNanos"]
    replied = c["STATUS"] >= 0
    arrived = c["SENT"] + c["END_TO_END"]
    inside = replied & (arrived >= begin) & (arrived < end)
    if run.file.end is None or run.file.end["partial"]:
        last = int(arrived[c["PHASE"] == 0].max()) + 1
        seconds = (min(end, last) - begin) / 1e9
    accepted = inside & (c["STATUS"] == 0)
    counted = c["PHASE"] == 0
    good = counted & (c["STATUS"] == 0)
    lag = (c["SENT"] - c["INTENDED"] - c["HELD"])[counted]
    open_loop = run.has_rate
    errors = int((counted & (c["STATUS"] != 0)).sum())
    connects = c["CONNECT"][counted & (c["CONNECT"] > 0)]
    result = {
        "seconds": seconds,
        "offeredPerSecond": int(counted.sum()) / seconds if open_loop else None,
        "answeredPerSecond": int(inside.sum()) / seconds,
        "acceptedPerSecond": int(accepted.sum()) / seconds,
        "megabytesPerSecond": int(c["PAYLOAD_BYTES"][accepted].sum()) / seconds / 1e6,
        "loggedShare": float((c["KIND"][counted] == 0).mean()),
        "sent": int(counted.sum()),
        "accepted": int(good.sum()),
        "refusedShare": float((c["STATUS"][counted] == 2).mean()),
        "latency": short(c["END_TO_END"][good]),
        "lag": short(lag) if open_loop else None,
        "connects": short(connects) if len(connects) else None,
        "backlogAtStart": backlog(c, begin),
        "backlogAtEnd": backlog(c, end),
    }
    held = c["HELD"][counted & (c["HELD"] > 0)]
    result["held"] = short(held) if len(held) else None
    if not errors:
        result["errors"] = {}
    return result


def backlog(c, time):
    """Requests due before a time that had no reply then."""
    unanswered = (c["STATUS"] < 0) | (c["SENT"] + c["END_TO_END"] >= time)
    return int(((c["INTENDED"] < time) & unanswered).sum())


def short(values):
    whole = figures.plain(values)
    return {"count": len(values), **{name: whole[name] for name in ("mean", "p50", "p99", "max")}}
