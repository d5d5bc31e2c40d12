"""The statistics of docs/measurement.md (The statistics, Intervals), with NumPy and nothing of plog.

A cell's samples are given as a list of parts, each an array of nanoseconds in the order of sending. An interval is
(value, low, high); an end that the samples do not bound is None.
"""

import functools
import math

import numpy

LEVELS = [0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999]
Z = 1.959963984540054
SHARE_OF_SKEWNESS = 0.4
WHOLE_OF_SKEWNESS = (2 * Z * Z + 1) / 6


# --- distributions -----------------------------------------------------------------------------------------------------


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    ) / a
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > 1e-300 else 1e-300)
    result = d
    for m in range(1, 100_000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + factor * d
            d = 1 / (d if abs(d) > 1e-300 else 1e-300)
            c = 1 + factor / c
            c = c if abs(c) > 1e-300 else 1e-300
            result *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * result


def root(function, low, high):
    """Where a function that changes its sign between low and high is 0: false position, Illinois variant."""
    f_low, f_high = function(low), function(high)
    for _ in range(200):
        middle = high - f_high * (high - low) / (f_high - f_low) if f_high != f_low else (low + high) / 2
        f = function(middle)
        if f == 0 or abs(high - low) <= 1e-13 * max(1.0, abs(middle)):
            return middle
        if (f > 0) != (f_high > 0):
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f
    return high


@functools.lru_cache(None)
def student(df, probability=0.975):
    """Student's quantile, for probabilities above one half."""
    tail = 2 * (1 - probability)
    # In u = df / (df + t^2), which lies between 0 and 1, the two tails together are I_u(df / 2, 1 / 2).
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if incomplete_beta(df / 2, 0.5, middle) < tail else (low, middle)
    return math.sqrt(df * (1 - high) / high)


def student_below(df, t):
    tails = incomplete_beta(df / 2, 0.5, df / (df + t * t))
    return tails / 2 if t < 0 else 1 - tails / 2


# --- one cell ----------------------------------------------------------------------------------------------------------


def parts_of(values, trial, block):
    """The parts of a cell that count as independent: trials, or 10 to 20 parts of the one trial."""
    trials = numpy.unique(trial)
    if len(trials) > 1:
        return [values[trial == t] for t in trials]
    blocks = numpy.unique(block)
    parts = [values[block == b] for b in blocks]
    if len(parts) > 20:
        groups = [range(i * len(parts) // 20, (i + 1) * len(parts) // 20) for i in range(20)]
        return [numpy.concatenate([parts[j] for j in group]) for group in groups]
    if len(parts) < 10:
        each = min(min(len(part) for part in parts), -(-10 // len(parts)))  # every piece has a sample
        return [part[i * len(part) // each : (i + 1) * len(part) // each] for part in parts for i in range(each)]
    return parts


def nearest_rank(ordered, q):
    return ordered[max(1, math.ceil(q * len(ordered) - 1e-9)) - 1]


class Sample:
    """The samples of a cell in their parts, with what several figures need of them."""

    def __init__(self, parts):
        self.parts = [part for part in parts if len(part)]
        self.all = numpy.concatenate(self.parts).astype(float)
        self.sorted = numpy.sort(self.all)
        self.sizes = numpy.array([len(part) for part in self.parts], float)
        self.n, self.k = len(self.all), len(self.parts)
        self.mean = math.fsum(self.all) / self.n
        self.df = self.k - 1
        sums = numpy.array([math.fsum(part) for part in self.parts])
        self.errors = (sums - self.mean * self.sizes) / self.n
        self.third = math.fsum((self.all - self.mean) ** 3) / self.n**3

    def sd(self):
        return math.sqrt(math.fsum((self.all - self.mean) ** 2) / (self.n - 1)) if self.n > 1 else 0.0

    def at(self, q):
        return nearest_rank(self.sorted, q)

    def variance(self, errors):
        return self.k / (self.k - 1) * math.fsum(errors**2)

    def mean_interval(self):
        if self.k < 2:
            return self.mean, None, None
        v = self.variance(self.errors)
        error = math.sqrt(v)
        if error == 0:
            return self.mean, self.mean, self.mean
        g = min(1.0, max(-1.0, self.third / v**1.5))
        moves = [g * error * share for share in (SHARE_OF_SKEWNESS, WHOLE_OF_SKEWNESS)]
        reach = student(self.df) * error
        return (
            self.mean,
            min(self.mean, self.mean - reach + min(moves)),
            max(self.mean, self.mean + reach + max(moves)),
        )

    def below(self, x):
        return numpy.searchsorted(self.sorted, x, side="right") / self.n

    def errors_below(self, x):
        """What each part adds to the error of the share at or below x."""
        below = int(numpy.searchsorted(self.sorted, x, side="right"))
        counts = [(int(numpy.count_nonzero(part <= x)), len(part)) for part in self.parts]
        return numpy.array([(count * self.n - below * size) / self.n / self.n for count, size in counts])

    def effective(self, x, reach, least):
        """How many independent samples say as much about the share at or below x."""
        share = self.below(x)
        independent = share * (1 - share) / self.n
        inflation = 1.0
        if independent > 0:
            inflation = self.variance(self.errors_below(x)) / independent
        return self.n / max(least, inflation * (reach / Z) ** 2)

    def quantile(self, q, reach=None):
        """The quantile with its interval at this level alone; a single part bounds nothing."""
        if self.k < 2:
            return self.at(q), None, None
        reach = reach or student(self.df)
        value = self.at(q)
        few = self.n * min(q, 1 - q) < self.k
        n = self.effective(value, reach, 1.0 if few else 0.5)
        scale = (self.n + 1) / (n + 1)
        below, above = (int(scale * r) if r >= 1 else 0 for r in (low_rank(n, q), low_rank(n, 1 - q)))
        return (
            value,
            self.end_of_parts(q, -reach) if below < 1 else self.sorted[below - 1],
            self.end_of_parts(q, reach) if above < 1 else self.sorted[self.n - above],
        )

    def end_of_parts(self, q, reach):
        """The end where the ordered samples have none: Student's, of the logarithms of the parts' quantiles."""
        if min(self.sizes) * min(q, 1 - q) < 2 - 1e-9:
            return None
        logs = numpy.log([max(1, nearest_rank(numpy.sort(part), q)) for part in self.parts])
        return numpy.rint(self.at(q) * math.exp(reach * math.sqrt(self.variance((logs - logs.mean()) / self.k))))

    @functools.lru_cache(None)
    def ladder(self):
        """The intervals of all levels, widened until both ends rise with the level."""
        alone = [self.quantile(q) for q in LEVELS]
        low = numpy.array([-math.inf if a[1] is None else a[1] for a in alone])
        high = numpy.array([math.inf if a[2] is None else a[2] for a in alone])
        low = numpy.minimum.accumulate(low[::-1])[::-1]
        high = numpy.maximum.accumulate(high)
        return {
            q: (a[0], None if math.isinf(l) else l, None if math.isinf(h) else h)
            for q, a, l, h in zip(LEVELS, alone, low, high)
        }

    def share_within(self, limit):
        share = self.below(limit)
        if self.k < 2:
            return share, 0.0, 1.0
        n = self.effective(limit, student(self.df), 1.0)
        hits = share * n
        low = 0.0 if share <= 0 else root(lambda p: incomplete_beta(hits, n - hits + 1, p) - 0.025, 0.0, 1.0)
        high = 1.0 if share >= 1 else root(lambda p: incomplete_beta(hits + 1, n - hits, p) - 0.975, 0.0, 1.0)
        return share, low, high


@functools.lru_cache(None)
def low_rank(n, q):
    """The r for which fewer than r of n samples lie below the q-quantile with a probability of 2.5 %; below 1: 0."""

    def excess(r):
        return incomplete_beta(n - r + 1, r, 1 - q) - 0.025

    if n < 1 or excess(1.0) > 0:
        return 0.0
    return n if excess(n) <= 0 else root(excess, 1.0, n)


# --- two cells ---------------------------------------------------------------------------------------------------------


def _moved(value, error, third):
    return value + error * SHARE_OF_SKEWNESS * min(1.0, max(-1.0, third / error**3))


def _of_means(a, b, paired, scale_a, scale_b):
    """Standard error and degrees of freedom of the difference of two means, each divided by its scale."""
    if paired:
        return math.sqrt(a.variance(a.errors / scale_a - b.errors / scale_b)), a.df
    va, vb = a.variance(a.errors) / scale_a**2, b.variance(b.errors) / scale_b**2
    return math.sqrt(va + vb), (va + vb) ** 2 / (va**2 / a.df + vb**2 / b.df)


def difference_of_means(a, b, paired=True):
    value = a.mean - b.mean
    if min(a.k, b.k) < 2:
        return value, None, None
    error, df = _of_means(a, b, paired, 1, 1)
    middle, reach = _moved(value, error, a.third - b.third), student(df) * error
    return value, min(value, middle - reach), max(value, middle + reach)


def ratio_of_means(a, b, paired=True, probability=0.975):
    """The ratio with its interval, and the p-value of the test of the true ratio's being 1.10 or more."""
    value = math.log(a.mean / b.mean)
    if min(a.k, b.k) < 2:
        return (a.mean / b.mean, None, None), 1.0
    error, df = _of_means(a, b, paired, a.mean, b.mean)
    middle = _moved(value, error, a.third / a.mean**3 - b.third / b.mean**3)
    reach = student(df, probability) * error
    ends = value, min(value, middle - reach), max(value, middle + reach)
    return tuple(math.exp(e) for e in ends), student_below(df, (middle - math.log(1.1)) / error)


def _likeness(a, b, q):
    """The correlation of the errors of the two shares, part by part; 0 where one does not vary."""
    x, y = a.errors_below(a.at(q)), b.errors_below(b.at(q))
    spread = math.sqrt(math.fsum(x * x) * math.fsum(y * y))
    return math.fsum(x * y) / spread if spread else 0.0


def quantiles_apart(a, b, q, paired=True, of_ratio=False):
    """Difference, or ratio, of two quantiles (Zou and Donner)."""
    likeness, reach = 0.0, student(a.df) if a.k > 1 else None
    if paired and a.k > 2:
        likeness = _likeness(a, b, q)
    first, second = a.quantile(q, reach), b.quantile(q, reach)
    if of_ratio:
        first, second = ([None if v is None else math.log(v) for v in t] for t in (first, second))
    (x, low_x, high_x), (y, low_y, high_y) = first, second

    def joint(s, t):
        return math.sqrt(max(0.0, s * s + t * t - 2 * likeness * s * t))

    ends = [
        x - y,
        None if low_x is None or high_y is None else x - y - joint(x - low_x, high_y - y),
        None if high_x is None or low_y is None else x - y + joint(high_x - x, y - low_y),
    ]
    return tuple(None if v is None else math.exp(v) for v in ends) if of_ratio else tuple(ends)


def holm(p_values):
    """Holm's adjusted p-values."""
    adjusted, worst = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = worst
    return adjusted


# --- dependence, steadiness, peaks -------------------------------------------------------------------------------------


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def lag1(runs):
    """Spearman's correlation of each value with the one after it in its run."""
    before = numpy.concatenate([run[:-1] for run in runs])
    after = numpy.concatenate([run[1:] for run in runs])
    if len(before) < 3 or before.min() == before.max() or after.min() == after.max():
        return 0.0
    return float(numpy.corrcoef(ranks(before), ranks(after))[0, 1])


def effective_count(sample):
    if sample.k < 2:
        return sample.n
    v = sample.variance(sample.errors)
    return sample.n if v == 0 else min(sample.n, sample.sd() ** 2 / v)


def fences(sample):
    x = sample.all
    lower, upper = sample.at(0.25), sample.at(0.75)
    spread = upper - lower
    return (
        int(numpy.count_nonzero(x < lower - 1.5 * spread)),
        int(numpy.count_nonzero((x > upper + 1.5 * spread) & (x <= upper + 3 * spread))),
        int(numpy.count_nonzero(x > upper + 3 * spread)),
    )
