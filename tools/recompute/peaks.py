"""The peaks of a distribution, by docs/measurement.md (The statistics, Peaks)."""

import math

import numpy

import stats

REDRAWS, RECURRING, VALLEY, LEAST_SHARE, SEED = 200, 0.95, 0.8, 0.01, 20_061_130


class Draws:
    """java.util.SplittableRandom.nextInt(bound): SplitMix64, whose high 32 bits are taken (Steele, Lea and Flood 2014)."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = seed

    def _bits32(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = (z ^ z >> 33) * 0x62A9D9ED799705F5 & self.MASK
        z = (z ^ z >> 28) * 0xCB24D0A5C88C35B3 & self.MASK
        return z >> 32

    def below(self, bound):
        bits = self._bits32()
        if bound & (bound - 1) == 0:
            return bits & (bound - 1)
        bits >>= 1
        while bits - bits % bound + bound - 1 >= 1 << 31:
            bits = self._bits32() >> 1
        return bits % bound


def of(parts):
    logs = [numpy.log(numpy.maximum(1, part)) for part in parts]
    everything = numpy.sort(numpy.concatenate(logs))
    quartiles = [stats.nearest_rank(everything, q) for q in (0.25, 0.75)]
    spread = min(everything.std(), (quartiles[1] - quartiles[0]) / 1.349)
    width = min(0.2, max(0.01, 0.9 * spread * len(everything) ** -0.2))
    span = everything[-1] - everything[0] + 8 * width
    step = max(width / 4, span / 4000)
    bins = math.ceil(span / step) + 1
    low = everything[0] - 4 * width - step / 2
    counts = [numpy.bincount(((part - low) / step).astype(int), minlength=bins) for part in logs]
    reach = math.ceil(4 * width / step)
    kernel = numpy.rint(2**24 * numpy.exp(-0.5 * (numpy.arange(-reach, reach + 1) * step / width) ** 2))
    found = Landscape(sum(counts), kernel)
    hills = found.hills()
    if len(hills) > 1:
        draws = Draws(SEED)
        redrawn = []
        for _ in range(REDRAWS):
            drawn = sum(counts[draws.below(len(counts))] for _ in counts)
            redrawn.append([top for _, top, _ in Landscape(drawn, kernel).hills()])
        while len(hills) > 1:
            recurred = [sum(any(a <= top < b for top in tops) for tops in redrawn) for a, _, b in hills]
            weakest = min(range(len(hills)), key=recurred.__getitem__)
            if recurred[weakest] >= RECURRING * REDRAWS:
                break
            found.merge(hills, weakest)
    return [
        {"micros": math.exp(low + (top + 0.5) * step) / 1000, "share": found.share((a, top, b))} for a, top, b in hills
    ]


class Landscape:
    """A smoothed histogram. A hill is (first bin, highest bin, bin behind the last)."""

    def __init__(self, counts, kernel):
        reach = len(kernel) // 2
        self.height = numpy.convolve(counts, kernel)[reach : reach + len(counts)]
        self.before = numpy.concatenate(([0], numpy.cumsum(counts)))

    def share(self, hill):
        return float(self.before[hill[2]] - self.before[hill[0]]) / float(self.before[-1])

    def hills(self):
        hills = self._maxima()
        while len(hills) > 1:
            # How little the density falls between two hills, by the lower of their tops.
            shallow = [
                self._valley(hills[i]) / min(self.height[hills[i][1]], self.height[hills[i + 1][1]])
                for i in range(len(hills) - 1)
            ]
            worst = max(range(len(shallow)), key=shallow.__getitem__)
            small = min(range(len(hills)), key=lambda i: self.share(hills[i]))
            if shallow[worst] > VALLEY:
                self._join(hills, worst)
            elif self.share(hills[small]) < LEAST_SHARE:
                self.merge(hills, small)
            else:
                break
        return hills

    def merge(self, hills, i):
        """Joins a hill to the neighbour behind the higher of its valleys."""
        left = i == len(hills) - 1 or (i > 0 and self._valley(hills[i - 1]) > self._valley(hills[i]))
        self._join(hills, i - 1 if left else i)

    def _valley(self, hill):
        return self.height[hill[2] - 1]

    def _join(self, hills, i):
        a, b = hills[i], hills.pop(i + 1)
        hills[i] = (a[0], a[1] if self.height[a[1]] > self.height[b[1]] else b[1], b[2])

    def _maxima(self):
        """A hill ends with its lowest bin, that is, where the density begins to rise again."""
        h = self.height
        steps = numpy.sign(numpy.diff(h))
        hills, first, falling = [], 0, False
        for i, step in enumerate(steps, 1):
            if step < 0:
                falling = True
            elif step > 0 and falling:
                hills.append((first, i))
                first, falling = i, False
        hills.append((first, len(h)))
        # Of equally high bins the last is the top, as of a plateau its end.
        return [(a, b - 1 - int(numpy.argmax(h[a:b][::-1])), b) for a, b in hills]
