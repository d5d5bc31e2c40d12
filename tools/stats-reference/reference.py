#!/usr/bin/env python3
"""Computes what io.plog.stats computes, with NumPy, SciPy and statsmodels, for StatsReferenceTest to hold one against the other.

It shares no code with plog: means, tests and intervals are the libraries' own; only what they do not have (ranks for an
effective number of samples, and how two intervals are put together) is written out here, from docs/measurement.md.

    python3 -m venv /tmp/stats && /tmp/stats/bin/pip install -r tools/stats-reference/requirements.txt
    /tmp/stats/bin/python tools/stats-reference/reference.py > stats/src/test/resources/io/plog/stats/reference.json
"""
import json
import sys

import numpy
import scipy
import statsmodels
from scipy import optimize, signal, stats
from statsmodels.stats.multitest import multipletests

# All levels whose intervals must rise with the level.
LADDER = [0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999]
QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999]
COMMAND = "tools/stats-reference/reference.py"
SKEWNESS_SHARE = 0.4
random = numpy.random.default_rng(20061130)


def cell(median, trials, blocks, per_block, trial_sd, likeness, tail, shared):
    """Latencies in ns: AR(1) on ln x, a level for each trial, a shared level for each block, a tail."""
    result = []
    for t in range(trials):
        level = random.normal(0, trial_sd)
        series = []
        for b in range(blocks):
            z = random.normal()
            block = []
            for _ in range(per_block):
                z = likeness * z + numpy.sqrt(1 - likeness**2) * random.normal()
                slow = random.lognormal(2, 0.4) if random.random() < tail else 1
                block.append(int(round(median * slow * numpy.exp(0.2 * z + level + shared[t][b]))))
            series.append(block)
        result.append(series)
    return result


def flat(samples):
    return numpy.array([x for trial in samples for block in trial for x in block], dtype=float)


def parts(samples):
    """Trials if there are several, else blocks; here always of equal length, so that a plain t test on their means applies."""
    if len(samples) > 1:
        return [numpy.array([x for block in trial for x in block], dtype=float) for trial in samples]
    return [numpy.array(block, dtype=float) for block in samples[0]]


def means(samples):
    return numpy.array([part.mean() for part in parts(samples)])


def third(samples):
    x = flat(samples)
    return stats.moment(x, order=3) / len(x) ** 2


def moved(value, error, third_cumulant):
    return value + error * SKEWNESS_SHARE * numpy.clip(third_cumulant / error**3, -1, 1)


def interval(value, middle, half):
    return [value, min(value, middle - half), max(value, middle + half)]


def mean(samples):
    """As interval(), but the end on the side of the skewness moves by the whole of Hall's correction."""
    m = means(samples)
    error = stats.sem(m)
    low, high = stats.t.interval(0.95, len(m) - 1, loc=m.mean(), scale=error)
    skewness = numpy.clip(third(samples) / error**3, -1, 1)
    moves = [error * skewness * share for share in (SKEWNESS_SHARE, (2 * stats.norm.ppf(0.975) ** 2 + 1) / 6)]
    return [m.mean(), min(m.mean(), low + min(moves)), max(m.mean(), high + max(moves))]


def effective(samples, limit, reach, least):
    below = numpy.array([(part <= limit).mean() for part in parts(samples)])
    x = flat(samples)
    share = (x <= limit).mean()
    independent = share * (1 - share) / len(x)
    inflation = stats.sem(below) ** 2 / independent if independent else 1.0
    return len(x) / max(least, inflation * (reach / stats.norm.ppf(0.975)) ** 2)


def low_rank(n, q):
    """r with P(fewer than r of n lie below the q-quantile) = 2.5 %, with the binomial continued to fractions."""
    def excess(r):
        return stats.beta.sf(q, r, n - r + 1) - 0.025
    return n if excess(n) <= 0 else optimize.brentq(excess, 1e-9, n, xtol=1e-12)


def quantile(samples, q, reach=None):
    x = numpy.sort(flat(samples))
    k = len(parts(samples))
    value = numpy.quantile(x, q, method="inverted_cdf")
    reach = reach or stats.t.ppf(0.975, k - 1)
    n = effective(samples, value, reach, 0.5 if len(x) * min(q, 1 - q) >= k else 1)
    scale = (len(x) + 1) / (n + 1)
    below, above = low_rank(n, q), low_rank(n, 1 - q)
    return [
        value,
        end_of_parts(samples, q, -reach) if below < 1 else x[int(scale * below) - 1],
        end_of_parts(samples, q, reach) if above < 1 else x[len(x) - int(scale * above)],
    ]


def end_of_parts(samples, q, reach):
    """Where the ordered samples have no end: Student's, on the logarithm, of the quantiles of the parts."""
    if min(len(part) for part in parts(samples)) * min(q, 1 - q) < 2 - 1e-9:
        return None
    logs = numpy.log([numpy.quantile(part, q, method="inverted_cdf") for part in parts(samples)])
    return numpy.rint(numpy.quantile(flat(samples), q, method="inverted_cdf") * numpy.exp(reach * stats.sem(logs)))


def ladder(samples):
    """Each level's interval, stretched to what the levels below it reach upwards and those above it downwards."""
    alone = [quantile(samples, q) for q in LADDER]
    low = [-numpy.inf if a[1] is None else a[1] for a in alone]
    high = [numpy.inf if a[2] is None else a[2] for a in alone]
    low = numpy.minimum.accumulate(low[::-1])[::-1]
    high = numpy.maximum.accumulate(high)
    ends = [[v if numpy.isfinite(v) else None for v in pair] for pair in zip(low, high)]
    return {q: [a[0], *pair] for q, a, pair in zip(LADDER, alone, ends)}


def share(samples, limit):
    x = flat(samples)
    p = (x <= limit).mean()
    n = effective(samples, limit, stats.t.ppf(0.975, len(parts(samples)) - 1), 1)
    return [
        p,
        stats.beta.ppf(0.025, p * n, n - p * n + 1) if p > 0 else 0.0,
        stats.beta.ppf(0.975, p * n + 1, n - p * n) if p < 1 else 1.0,
    ]


def difference_of_means(a, b, paired):
    x, y = means(a), means(b)
    test = stats.ttest_rel(x, y) if paired else stats.ttest_ind(x, y, equal_var=False)
    low, high = test.confidence_interval(0.95)
    value = x.mean() - y.mean()
    error = value / test.statistic
    return interval(value, moved(value, error, third(a) - third(b)), (high - low) / 2)


def ratio_of_means(a, b, paired):
    """The t interval of the difference of the means, each in parts of itself, on the logarithm."""
    x, y = means(a), means(b)
    scaled_x, scaled_y = x / x.mean(), y / y.mean()
    value = numpy.log(x.mean() / y.mean())
    if paired:
        error, df = stats.sem(scaled_x - scaled_y), len(x) - 1
    else:
        va, vb = stats.sem(scaled_x) ** 2, stats.sem(scaled_y) ** 2
        error = numpy.sqrt(va + vb)
        df = (va + vb) ** 2 / (va**2 / (len(x) - 1) + vb**2 / (len(y) - 1))
    skew = third(a) / x.mean() ** 3 - third(b) / y.mean() ** 3
    found = interval(value, moved(value, error, skew), stats.t.ppf(0.975, df) * error)
    p = stats.t.cdf((moved(value, error, skew) - numpy.log(1.1)) / error, df)
    return [float(numpy.exp(f)) for f in found], float(p)


def difference_of_quantiles(a, b, q, paired):
    k = len(parts(a))
    reach = stats.t.ppf(0.975, k - 1)
    likeness = 0.0
    if paired:
        limits = [numpy.quantile(flat(s), q, method="inverted_cdf") for s in (a, b)]
        below = [[(part <= limit).mean() for part in parts(s)] for s, limit in zip((a, b), limits)]
        if k > 2 and numpy.ptp(below[0]) > 0 and numpy.ptp(below[1]) > 0:
            likeness = stats.pearsonr(below[0], below[1]).statistic
    else:
        halves = []
        for s in (a, b):
            v, low, high = quantile(s, q, reach)
            low, high = v if low is None else low, v if high is None else high
            halves.append(((high - low) / 2 / reach) ** 2)
        reach = stats.t.ppf(0.975, sum(halves) ** 2 / sum(h**2 / (k - 1) for h in halves))
    v1, l1, u1 = quantile(a, q, reach)
    v2, l2, u2 = quantile(b, q, reach)

    def joint(x, y):
        return numpy.sqrt(max(0.0, x * x + y * y - 2 * likeness * x * y))

    return [
        v1 - v2,
        None if l1 is None or u2 is None else v1 - v2 - joint(v1 - l1, u2 - v2),
        None if u1 is None or l2 is None else v1 - v2 + joint(u1 - v1, v2 - l2),
    ]


def fences(samples):
    x = flat(samples)
    lower, upper = (numpy.quantile(x, q, method="inverted_cdf") for q in (0.25, 0.75))
    spread = upper - lower
    return [
        int((x < lower - 1.5 * spread).sum()),
        int(((x > upper + 1.5 * spread) & (x <= upper + 3 * spread)).sum()),
        int((x > upper + 3 * spread).sum()),
    ]


def lag1(samples):
    pairs = [(block[i - 1], block[i]) for trial in samples for block in trial for i in range(1, len(block))]
    return stats.spearmanr(*zip(*pairs)).statistic


def peaks(samples):
    """Silverman's kernel on ln x; the maxima that stand out by a fifth."""
    x = numpy.log(flat(samples))
    spread = min(x.std(), (numpy.quantile(x, 0.75) - numpy.quantile(x, 0.25)) / 1.349)
    density = stats.gaussian_kde(x, bw_method=0.9 * spread * len(x) ** -0.2 / x.std(ddof=1))
    grid = numpy.linspace(x.min() - 0.5, x.max() + 0.5, 4001)
    found, _ = signal.find_peaks(density(grid), prominence=0.2 * density(grid).max())
    return [float(numpy.exp(grid[i])) for i in found]


def cells(a, b, paired):
    ratio, p = ratio_of_means(a, b, paired)
    u = stats.mannwhitneyu(flat(a), flat(b)).statistic
    return {
        "treated": a,
        "control": b,
        "paired": paired,
        "mean": mean(a),
        "quantiles": [[q] + ladder(a)[q] for q in QUANTILES],
        "shareLimit": int(numpy.quantile(flat(a), 0.97)),
        "share": share(a, int(numpy.quantile(flat(a), 0.97))),
        "differenceOfMeans": difference_of_means(a, b, paired),
        "ratioOfMeans": ratio,
        "holdsError": p,
        "shift": [[q] + difference_of_quantiles(a, b, q, paired) for q in (0.1, 0.5, 0.9, 0.99, 0.999)],
        "superiority": u / len(flat(a)) / len(flat(b)),
        "fences": fences(a),
        "lag1": lag1(a),
        "effectiveCount": min(len(flat(a)), flat(a).var(ddof=1) / stats.sem(means(a)) ** 2),
    }


def main():
    demo = [random.normal(0, 0.05, 10)]
    trials = [[0.0] * 4] * 5
    two = [[[int(round(v)) for v in numpy.where(
        random.random(60) < 0.7, random.lognormal(numpy.log(100_000), 0.1, 60), random.lognormal(numpy.log(260_000), 0.12, 60))]
        for _ in range(10)]]
    p_values = [0.004, 0.03, 0.011, 0.5, 0.011, 0.0249]
    result = {
        "madeBy": COMMAND,
        "versions": {"numpy": numpy.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
        "comparisons": [
            cells(cell(112_000, 1, 10, 60, 0, 0.6, 0.01, demo), cell(100_000, 1, 10, 60, 0, 0.6, 0.01, demo), True),
            cells(cell(105_000, 5, 4, 50, 0.03, 0.3, 0.01, trials), cell(100_000, 5, 4, 50, 0.05, 0.3, 0.01, trials), False),
            # So few trials, so unlike each other, that the ordered samples have no ends.
            cells(cell(118_000, 3, 4, 60, 0.1, 0.3, 0.01, trials), cell(100_000, 3, 4, 60, 0.1, 0.3, 0.01, trials), True),
        ],
        "twoPeaks": {"samples": two, "at": peaks(two)},
        "holm": {"p": p_values, "adjusted": list(multipletests(p_values, method="holm")[1])},
        "binomialRanks": [
            # The ranks of a distribution-free 95 % interval: the largest and smallest that leave out 2.5 % at most.
            [n, q, int(stats.binom.ppf(0.025, n, q)), int(stats.binom.ppf(0.975, n, q)) + 1]
            for n, q in ((100, 0.5), (1000, 0.9), (2000, 0.99), (100_000, 0.999))
        ],
    }
    json.dump(result, sys.stdout, default=float)
    print()


main()
