"""The figures within sentences and in the text summary."""

import re


def near(printed, value, cut=False):
    """Whether a printed number is the value, rounded to its digits, or cut, as shares are."""
    number = float(printed.replace(",", ""))
    digit = 10.0 ** -len(printed.partition(".")[2])
    # results.json has rounded it to five digits or to the nanosecond before.
    slack = 1e-6 * digit + 1e-5 * abs(value)
    if cut:
        # "< 0.01 %" stands for what would be 0.00 after the cut.
        return -slack <= value - number <= digit + slack or (number == digit == 0.01 and value < digit)
    return abs(number - value) <= digit / 2 + slack


NUMBER = r"-?\d[\d,]*(?:\.\d+)?"


def table(text, run):
    """What differs between the table of the text summary and the samples: (number of figures, list of differences)."""
    size, seen, wrong = None, 0, []
    cells = {(size_text(c.payload), c.target["name"]): c for c in run.cells if c.count}
    for line in text.splitlines():
        row = re.match(
            r"^(?:([\d.]+ (?:B|kB|MB)) +)?(?: {0,9})(\S+) +([\d,]+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$",
            line,
        )
        if not row:
            continue
        size = row.group(1) or size
        cell = cells.get((size, row.group(2).rstrip("*")))  # a star: not stable storage
        if not cell:
            continue
        ours = [cell.count]
        for name in ("log", "e2e"):
            s = cell.sample(name)
            ours += [s.mean / 1000, s.at(0.5) / 1000, s.at(0.99) / 1000] if cell.logged or name == "e2e" else [None] * 3
        for printed, value in zip(row.groups()[2:9], ours):
            seen += 1
            if (printed == "-") != (value is None) or (value is not None and not near(printed.rstrip("+"), value)):
                wrong.append("%s, %s: printed %s, recomputed %r" % (size, row.group(2), printed, value))
    return seen, wrong


def size_text(size):
    for unit, name in ((1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            return "%g %s" % (size / unit, name)
    return "%d B" % size


def between(printed, interval, scale, cut):
    """Whether the words in the brackets behind a figure, such as "between 12.3 and 45", are those of its interval."""
    numbers = [end / scale for end in interval if end is not None]
    found = re.findall(NUMBER, printed)
    return len(found) == len(numbers) and all(near(text, end, cut) for text, end in zip(found, numbers))


def sizes(detail, unit):
    """Each size in a claim's detail with its figure and what stands in the brackets behind it."""
    return re.findall(r"([\d.]+ (?:B|kB|MB)) (%s)%s \(([^)]*)\)" % (NUMBER, unit), detail)
