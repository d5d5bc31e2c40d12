"""The claims, by docs/measurement.md (The claims)."""

import re

import stats
import words
from figures import estimate, paired, verdict_above, verdict_below

SMALL, LARGE = 1024, 102_400

# They need disks, or a network, of their own.
NOT_RECOMPUTED = ("Z3", "Z4", "Z9", "Z10")


class Claims:
    def __init__(self, run):
        self.run = run

    def cells(self, target, most=LARGE):
        return [c for c in self.run.cells if c.target["name"] == target and c.count and c.payload <= most]

    def of(self, claim, target):
        """Verdict and estimate of a claim about a target; nothing where it is not recomputed."""
        return {} if claim in NOT_RECOMPUTED or not target else getattr(self, claim.lower())(target)

    def told(self, claim, target, detail):
        """What a claim's detail says of each size: (number of figures, list of differences)."""
        name, level, unit, scale = {
            "Z1": ("log", None, " %", 1.0), "Z2": ("log", 0.5, " µs", 1000.0), "Z6": ("e2e", 0.999, " µs", 1000.0),
            "Z7": ("e2e", 0.5, " µs", 1000.0),
        }.get(claim, (None,) * 4)  # fmt: skip
        seen, wrong, cut = 0, [], claim == "Z1"
        if not name:
            return seen, wrong
        first = re.split(r"95th percentile:|Rate of logging", detail)[0]
        for size, printed, brackets in words.sizes(first, "(?:%s)?" % unit):
            cell = next(c for c in self.cells(target) if words.size_text(c.payload) == size)
            sample = cell.sample(name)
            ours = sample.ladder()[level] if level else tuple(100 * v for v in sample.share_within(1_000_000))
            seen += 1
            if not words.near(printed, ours[0] / scale, cut) or not words.between(brackets, ours[1:], scale, cut):
                wrong.append("%s %s, %s: printed %s (%s), recomputed %r" % (claim, target, size, printed, brackets, ours))
        return seen, wrong

    def z1(self, target):
        shares = [c.sample("log").share_within(1_000_000) for c in self.cells(target)]
        rates = []
        for c in self.cells(target):
            if c.payload >= 100_000:
                value, low, high = c.sample("log").mean_interval()
                # Bytes by nanoseconds, in 10^6 bytes a second; a low mean is a high rate.
                # An end that is not positive bounds no rate.
                rates.append(tuple(1000 * c.payload / t if t and t > 0 else None for t in (value, high, low)))
        whole = every([verdict_above(s, 0.99) for s in shares] + [verdict_above(r, 100) for r in rates])
        share = decided(shares, lambda s: verdict_above(s, 0.99), every, 1)
        return share if share["verdict"] == whole else {"verdict": whole, "estimate": None}  # else a rate decides

    def z2(self, target):
        medians = [c.sample("log").ladder()[0.5] for c in self.cells(target, SMALL)]
        return decided(medians, lambda m: verdict_below(m, 100_000), every, most=True)

    def z5(self, target):
        ratios = []
        for c in self.cells(target):
            off = next((o for o in self.run.cells if not o.logged and o.payload == c.payload and o.count), None)
            if off:
                ratios.append(stats.ratio_of_means(*paired(c, off, "e2e")))
        hold = sum(p < 0.025 for p in stats.holm([p for _, p in ratios]))
        fail = sum(p < 0.025 for p in stats.holm([1 if ratio[1] is None else 1 - p for ratio, p in ratios]))
        many = len(ratios) / 2
        result = {"verdict": "holds" if hold > many else "fails" if fail > many else "undecided"}
        if len(ratios) == 1:
            result["estimate"] = estimate(ratios[0][0], 1)
        return result

    def z6(self, target):
        tails = [c.sample("e2e").ladder()[0.999] for c in self.cells(target)]
        return decided(tails, lambda t: verdict_below(t, 10_000_000), every, most=True)

    def z7(self, target):
        medians = [c.sample("e2e").ladder()[0.5] for c in self.cells(target, SMALL)]
        return decided(medians, lambda m: verdict_below(m, 150_000), some)

    def z8(self, target):
        ratios = []
        for c in self.cells(target):
            (ratio, low, high), _ = stats.ratio_of_means(c.sample("e2e"), c.sample("log"))
            ratios.append((ratio, None if low is None else max(1.0, low), high))
        return decided(ratios, lambda r: verdict_above(r, 1.25), every, 1)


def every(verdicts):
    """Of a claim about every size: it holds if all keep the limit, and fails if one breaks it."""
    return "fails" if "fails" in verdicts else "holds" if set(verdicts) == {"holds"} else "undecided"


def some(verdicts):
    return "holds" if "holds" in verdicts else "fails" if set(verdicts) == {"fails"} else "undecided"


def decided(figures, rule, of_all, *scale, most=False):
    """The verdict, and of the sizes with this verdict the least (or the greatest) figure."""
    verdict = of_all([rule(figure) for figure in figures])
    deciding = sorted((f for f in figures if rule(f) == verdict), key=lambda f: f[0], reverse=most)
    return {"verdict": verdict, "estimate": estimate(deciding[0], *scale)}
