"""Checks of a run and what interrupted it, by docs/measurement.md (The checks; What went on meanwhile)."""

import numpy

import stats

# A check of the machine: what is judged of the `usage`, and from where it is a warning and from where the run is not valid.
LIMITS = {
    "hiccups": (lambda u: u["hiccupP99Nanos"] / 1e6, 1, 10),
    "processors": (lambda u: u["machineCpuShare"], 0.90, 0.97),
    "steal": (lambda u: u["stealShare"], 0.10, 0.10),
    "memory": (lambda u: 1 - u["leastFreeMemoryBytes"] / u["memoryBytes"], 0.90, 0.95),
    "preparation": (lambda u: u["preparingShare"], 0.05, 1),
    "clock": (lambda u: u["clockStepNanos"], 1000, 1000),
}


class Checks:
    def __init__(self, run, overhead):
        self.run = run
        self.overhead = overhead

    def of(self, check):
        """Whether a check is passed; nothing where it depends on facts of the machine instead of on samples."""
        name, _, side = check.partition(":")
        if name in LIMITS:
            return self.of_the_machine(name, side)
        rule = getattr(self, name.replace("-", "_"), None)
        return {"ok": bool(rule())} if rule else {}

    def of_the_machine(self, name, side):
        figure, warns, fails = LIMITS[name]
        usages = [usage for events in self.run.file.events if events["side"] == side for usage in events["usage"]]
        found = sorted(figure(usage) for usage in usages)
        worst = found[len(found) // 2] if name == "hiccups" else found[-1]
        result = {"ok": worst <= warns}
        if worst > warns:
            result["severity"] = "invalid" if worst > fails else "warning"
        return result

    def counted(self):
        return [cell for cell in self.run.cells if cell.count]

    def failures(self):
        refused = 2 if self.run.load else 0
        return all(
            not ((c.every["PHASE"] == 0) & ~numpy.isin(c.every["STATUS"], [0, refused])).any() for c in self.run.cells
        )

    def durations(self):
        return all(
            (c.logging <= c.c["RESIDENCE"]).all() and (c.c["RESIDENCE"] <= c.end_to_end).all() for c in self.counted()
        )

    def one_force_each(self):
        return all((c.c["BATCH_RECORDS"] <= 1).all() for c in self.counted())

    def schedule_lag(self):
        cells = self.counted()
        pairs = [(c.late - c.c["HELD"], c.end_to_end) for c in cells]
        if self.run.load:
            pairs = [tuple(map(numpy.concatenate, zip(*pairs)))]
        return all(
            lag.mean() <= latency.mean() / 10
            and at(lag, 0.99) <= at(latency, 0.99) / 10
            and at(lag, 0.99) <= at(latency, 0.5) / 10
            for lag, latency in pairs
        )

    def baseline(self):
        return all(
            row["ratioOfMedians"]["ratio"] >= 0.9 and not (row["differenceOfMeansMicros"]["high"] or 0) < 0
            for row in self.overhead
        )

    def blocks(self):
        return all(self.without_worst_block(c) >= 2 / 3 for c in self.counted())

    @staticmethod
    def without_worst_block(cell):
        number = (cell.c["TRIAL"] << 32) | cell.c["BLOCK"]
        times = [cell.end_to_end[number == one] for one in numpy.unique(number)]
        if len(times) < 5:
            return 1
        all_nanos, count = cell.end_to_end.sum(), len(cell.end_to_end)
        return min((all_nanos - one.sum()) / (count - len(one)) for one in times) / (all_nanos / count)


def at(values, q):
    return stats.nearest_rank(numpy.sort(values), q)


def pauses(run):
    """By side and kind: how many of all that happened, how long together, and the longest."""
    found = {}
    for chunk in run.file.events:
        for total in chunk["totals"]:
            row = found.setdefault((side(chunk, total["kind"]), total["kind"]), [0, 0, 0])
            row[0] += total["count"]
            row[1] += total["totalNanos"]
        for event in chunk["events"]:
            key = side(chunk, event["kind"]), event["kind"]
            if key in found:
                found[key][2] = max(found[key][2], event["durationNanos"])
    return {
        key: {"count": count, "totalMicros": nanos / 1000, "maxMicros": most / 1000}
        for key, (count, nanos, most) in found.items()
    }


def side(chunk, kind):
    return "machine" if kind == "steal" else chunk["side"]
