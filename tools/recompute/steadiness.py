"""Whether a cell was steady, by docs/measurement.md (In which order)."""

import math

import numpy

import stats


def mser5(logs):
    """How many values MSER-5 cuts off the front: the cut after which the mean is known best."""
    means = logs[: len(logs) // 5 * 5].reshape(-1, 5).mean(axis=1)
    best, cut = math.inf, 0
    for i in range(len(means) // 2 + 1):
        rest = means[i:]
        error = float(((rest - rest.mean()) ** 2).sum()) / len(rest) ** 2
        if error < best:
            best, cut = error, i
    return cut * 5


def drift(values):
    """What one trial does: whether it comes to rest in its first half, and the factor of its trend after that."""
    logs = numpy.log(values.astype(float))
    cut = mser5(logs)
    rest = cut < len(logs) // 5 // 2 * 5
    after = logs[cut:]
    medians = numpy.array(
        [
            stats.nearest_rank(numpy.sort(after[i * len(after) // 20 : (i + 1) * len(after) // 20]), 0.5)
            for i in range(20)
        ]
    )
    pairs = [(j - i, medians[j] - medians[i]) for i in range(20) for j in range(i + 1, 20)]
    slope = float(numpy.median([d / steps for steps, d in pairs]))
    score = sum(numpy.sign(d) for _, d in pairs)
    variance = 20 * 19 * 45 / 18
    z = (score - numpy.sign(score)) / math.sqrt(variance)
    factor = math.exp(slope * 19)
    trend = abs(slope * 19) > math.log(1.05) and abs(z) > 2.576
    return rest, trend, factor


LEAST_SAMPLES = 200
SHORT = "too short to say"


def of(trials):
    """The result of a cell in the words of results.json; each trial is an array of latencies in the order of sending."""
    found = [None if len(values) < LEAST_SAMPLES else drift(values) for values in trials]
    words = [SHORT if each is None else _words(*each) for each in found]
    count = len(words)
    slower = [each[2] > 1 for each, word in zip(found, words) if word not in ("", SHORT)]
    told = [
        "%s%s" % ("" if count == 1 else "trial %d " % (i + 1), word)
        for i, word in enumerate(words)
        if word not in ("", SHORT)
    ]
    if words.count(SHORT):
        told.insert(0, SHORT if count == 1 else "%d of %d trials %s" % (words.count(SHORT), count, SHORT))
    if words.count(""):
        told.insert(0, "steady in its one trial" if count == 1 else "steady in %d of %d trials" % (words.count(""), count))
    return {"reached": 2 * max(sum(slower), len(slower) - sum(slower)) < count, "detail": "; ".join(told)}


def _words(rest, trend, factor):
    ratio = ("x%.1f" if factor >= 9.995 else "x%.2f") % factor
    if not rest:
        return "does not come to rest in its first half, trend to " + ratio
    return "drifts to " + ratio if trend else ""
