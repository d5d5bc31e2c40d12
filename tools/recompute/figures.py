"""Every figure of results.json, computed from the samples by docs/measurement.md. Times in microseconds."""

import functools
import math

import numpy

import peaks
import stats
import steadiness
from stats import Sample

PARTS = ["schedule lag", "network and client", "waiting", "batch wait", "write", "force", "execution", "reply"]
QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999]
SHIFT = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999]
NAMES = {"p%s" % format(100 * q, "g").replace(".", ""): q for q in QUANTILES}


def micros(nanos):
    return None if nanos is None else float(nanos) / 1000


def ends(interval, scale=1000):
    return {"low": _scaled(interval[1], scale), "high": _scaled(interval[2], scale)}


def estimate(interval, scale=1000):
    return {"value": _scaled(interval[0], scale), **ends(interval, scale)}


def _scaled(value, scale):
    return None if value is None else float(value) / scale


class Cell:
    """The counted samples of one target and size."""

    def __init__(self, run, target, payload, columns):
        self.run, self.target, self.payload, self.every = run, target, payload, columns
        self.counted = (columns["PHASE"] == 0) & (columns["STATUS"] == 0)
        self.c = {name: values[self.counted] for name, values in columns.items()}
        c = self.c
        self.count = int(self.counted.sum())
        self.end_to_end = c["END_TO_END"]
        self.late = c["SENT"] - c["INTENDED"]
        self.latency = self.end_to_end + self.late if run.has_rate else self.end_to_end
        self.logging = c["WAITING"] + c["BATCH_WAIT"] + c["WRITE"] + c["FORCE"]
        self.logged = target["force"] != "off"

    def split(self, values):
        return stats.parts_of(values, self.c["TRIAL"], self.c["BLOCK"])

    @functools.lru_cache(None)
    def sample(self, name):
        values = {
            "e2e": lambda: self.end_to_end,
            "log": lambda: self.logging,
            "intended": lambda: self.end_to_end + self.late,
            "write": lambda: self.c["WRITE"],
            "force": lambda: self.c["FORCE"],
        }[name]()
        return Sample(self.split(values))

    def turns(self, values):
        """The values of each block of each trial, in the order of sending."""
        key = self.c["TRIAL"] * (1 << 32) + self.c["BLOCK"]
        return [values[key == k] for k in numpy.unique(key)]

    @functools.lru_cache(None)
    def components(self):
        """A row for each part, in nanoseconds, by request."""
        c, log = self.c, self.logging
        lag = self.late if self.run.has_rate else numpy.zeros_like(log)
        execution = c["EXECUTION"]
        if self.logged and not self.run.executes_in_log_order(self.target):
            execution = numpy.maximum(0, execution - log)
        if "serverTarget" in self.target["facts"]:
            execution = c["EXECUTION"]
        network = self.end_to_end - c["RESIDENCE"]
        reply = c["RESIDENCE"] - log - execution
        return numpy.array([lag, network, c["WAITING"], c["BATCH_WAIT"], c["WRITE"], c["FORCE"], execution, reply])

    # --- what results.json has of it ---

    def json(self):
        every = self.every
        result = {
            "target": self.target["name"],
            "force": self.target["force"],
            "payloadBytes": self.payload,
            "dimensions": self.target["dimensions"],
            "count": self.count,
            "warmup": int((every["PHASE"] == 1).sum()),
            "failures": int(((every["PHASE"] == 0) & (every["STATUS"] != 0)).sum()),
            "requestsPerSecond": self.rate(),
            "recordsPerForce": self.records_per_force(),
        }
        if not self.count:
            return result
        if self.run.disk:
            return {**result, **self.appends_json()}
        rated = self.run.has_rate
        result.update(
            endToEndMicros=distribution(self.sample("e2e")),
            fromIntendedMicros=distribution(self.sample("intended")) if rated else None,
            logMicros=distribution(self.sample("log")) if self.logged else None,
            writeMicros=distribution(self.sample("write")) if self.logged else None,
            forceMicros=distribution(self.sample("force")) if self.logged else None,
            logTail=tail(self.sample("log")) if self.logged else None,
            endToEndTail=tail(self.sample("e2e")),
            slowest=self.slowest() if self.run.ordered else [],
            dependence={
                "lag1": stats.lag1(self.turns(self.end_to_end)),
                "effectiveCount": stats.effective_count(self.sample("e2e")),
            }
            if self.run.ordered
            else None,
            steady=steadiness.of([self.end_to_end[self.c["TRIAL"] == t] for t in numpy.unique(self.c["TRIAL"])]),
            endToEndOutliers=dict(zip(("low", "mildHigh", "severeHigh"), stats.fences(self.sample("e2e")))),
            trials=[self.trial(t) for t in numpy.unique(self.c["TRIAL"])],
            components=self.components_json(),
        )
        result["endToEndPeaks"] = peaks.of(self.sample("e2e").parts)
        result["logPeaks"] = peaks.of(self.sample("log").parts) if self.logged else []
        return result

    def appends_json(self):
        """Of a directory's cell, where there is no request: its latency is that of write and force together."""
        result = {
            "logMicros": distribution(self.sample("log")),
            "writeMicros": distribution(self.sample("write")),
            "forceMicros": distribution(self.sample("force")),
            "logTail": tail(self.sample("log")),
            "dependence": {
                "lag1": stats.lag1(self.turns(self.logging)),
                "effectiveCount": stats.effective_count(self.sample("log")),
            },
            "steady": steadiness.of([self.logging]),
        }
        result["logPeaks"] = peaks.of(self.sample("log").parts)
        return result

    def rate(self):
        """Counted requests by the time of the cell's turns, from the first sending to the last reply of each."""
        ends = self.turns(self.c["SENT"] + self.end_to_end)
        starts = self.turns(self.c["SENT"])
        nanos = sum(int(e.max()) - int(s.min()) for s, e in zip(starts, ends))
        return self.count / nanos * 1e9 if nanos else 0.0

    def records_per_force(self):
        if not self.logged or not self.count:
            return 0.0
        return self.count / float((1 / self.c["BATCH_RECORDS"]).sum())

    def trial(self, number):
        mine = self.c["TRIAL"] == number
        e2e, log = numpy.sort(self.end_to_end[mine]), numpy.sort(self.logging[mine])
        return {
            "trial": int(number),
            "count": int(mine.sum()),
            "endToEndMean": micros(e2e.mean()),
            "endToEndMedian": micros(stats.nearest_rank(e2e, 0.5)),
            "logMean": micros(log.mean()) if self.logged else None,
            "logMedian": micros(stats.nearest_rank(log, 0.5)) if self.logged else None,
        }

    def slowest(self):
        order = numpy.argsort(-self.latency, kind="stable")[:20]
        rows = self.components()
        found = []
        for i in order:
            total = int(self.latency[i])
            found.append(
                {
                    "request": int(i) + 1,
                    "trial": int(self.c["TRIAL"][i]),
                    "atSeconds": float(self.c["SENT"][i]) / 1e9,
                    "endToEndMicros": micros(total),
                    "logMicros": micros(self.logging[i]),
                    "writeMicros": micros(self.c["WRITE"][i]),
                    "forceMicros": micros(self.c["FORCE"][i]),
                    "parts": [
                        {"name": name, "micros": micros(row[i]), "share": float(row[i] / total)}
                        for name, row in zip(PARTS, rows)
                    ],
                }
            )
        return found

    def components_json(self):
        rows, latency = self.components(), self.latency
        ordered = numpy.sort(latency)

        def parts(chosen):
            count = int(chosen.sum())
            sums = [int(row[chosen].sum()) for row in rows]
            return [
                {"name": name, "micros": whole / 1000, "share": total / sum(sums) if sum(sums) else 0.0}
                for name, total, whole in zip(PARTS, sums, rounded(sums, count))
            ]

        def around(low, high):
            return (latency >= stats.nearest_rank(ordered, low)) & (latency <= stats.nearest_rank(ordered, high))

        return {
            "endToEndMicros": micros(latency.mean()),
            "executionMicros": micros(self.c["EXECUTION"].mean()),
            "parts": parts(numpy.full(self.count, True)),
            "atMedian": parts(around(0.45, 0.55)),
            "atP99": parts(around(0.985, 0.995)),
        }


def rounded(sums, count):
    """Each sum by the count, in whole numbers that add up to the rounded whole: the largest remainders are rounded up."""
    whole = [total // count for total in sums]
    missing = int(math.floor(sum(sums) / count + 0.5)) - sum(whole)
    for i in sorted(range(len(sums)), key=lambda i: -(sums[i] % count))[:missing]:
        whole[i] += 1
    return whole


def distribution(s):
    result = {"mean": micros(s.mean), "sd": s.sd() / 1000, "min": micros(s.sorted[0]), "max": micros(s.sorted[-1])}
    result.update({name: micros(s.at(q)) for name, q in NAMES.items()})
    result["meanInterval"] = ends(s.mean_interval())
    ladder = s.ladder()
    result["quantiles"] = [{"q": q, "micros": micros(ladder[q][0]), "interval": ends(ladder[q])} for q in QUANTILES]
    return result


def plain(values):
    """A distribution of durations that has no intervals."""
    s = Sample([values])
    result = {"mean": micros(s.mean), "sd": s.sd() / 1000, "min": micros(s.sorted[0]), "max": micros(s.sorted[-1])}
    result.update({name: micros(s.at(q)) for name, q in NAMES.items()})
    return result


def tail(s):
    median = s.at(0.5)
    return {"over%d" % f: int(numpy.count_nonzero(s.all > f * median)) for f in (2, 5, 10, 100)}


def paired(a, b, name):
    """The samples of two cells, in the parts that both have."""
    keys_a, keys_b = set(zip(a.c["TRIAL"], a.c["BLOCK"])), set(zip(b.c["TRIAL"], b.c["BLOCK"]))
    if keys_a == keys_b:
        return a.sample(name), b.sample(name)
    both = keys_a & keys_b
    chosen = []
    for cell in (a, b):
        mask = numpy.array([key in both for key in zip(cell.c["TRIAL"], cell.c["BLOCK"])])
        values = {"e2e": cell.end_to_end, "log": cell.logging}[name][mask]
        chosen.append(Sample(stats.parts_of(values, cell.c["TRIAL"][mask], cell.c["BLOCK"][mask])))
    return chosen


def overhead(logged, off):
    a, b = paired(logged, off, "e2e")
    ratio, below = stats.ratio_of_means(a, b)
    medians = stats.quantiles_apart(a, b, 0.5, of_ratio=True)
    return {
        "target": logged.target["name"],
        "payloadBytes": logged.payload,
        "dimensions": logged.target["dimensions"],
        "against": off.target["name"],
        "meanMicros": micros(a.mean),
        "offMeanMicros": micros(b.mean),
        "ratioOfMeans": {"ratio": ratio[0], "low": ratio[1], "high": ratio[2]},
        "ratioOfMedians": {"ratio": medians[0], "low": medians[1], "high": medians[2]},
        "paired": True,
        "verdict": verdict_below(ratio, 1.10),
        "errors": (below, 1 if ratio[1] is None else 1 - below),  # of "holds" and of "fails"; judged_together takes it out
        "differenceOfMeansMicros": estimate(stats.difference_of_means(a, b)),
        "differenceOfMediansMicros": estimate(stats.quantiles_apart(a, b, 0.5)),
        "shift": [
            {"q": q, "micros": micros(d[0]), "interval": ends(d)}
            for q, d in ((q, stats.quantiles_apart(a, b, q)) for q in SHIFT)
        ],
    }


def judged_together(overheads):
    """The sizes of a target up to 100 KiB share their verdicts: Holm's adjustment for all of them."""
    errors = [each.pop("errors") for each in overheads]
    for target in {each["target"] for each in overheads}:
        of_it = [i for i, each in enumerate(overheads) if each["target"] == target and each["payloadBytes"] <= 102_400]
        holds = stats.holm([errors[i][0] for i in of_it])
        fails = stats.holm([errors[i][1] for i in of_it])
        for i, hold, fail in zip(of_it, holds, fails):
            overheads[i]["verdict"] = "holds" if hold < 0.025 else "fails" if fail < 0.025 else "undecided"
    return overheads


def verdict_below(interval, limit):
    """holds: the whole interval lies below the limit; fails: above it."""
    _, low, high = interval
    if high is not None and high < limit:
        return "holds"
    return "fails" if low is not None and low > limit else "undecided"


def verdict_above(interval, limit):
    _, low, high = interval
    if low is not None and low > limit:
        return "holds"
    return "fails" if high is not None and high < limit else "undecided"
