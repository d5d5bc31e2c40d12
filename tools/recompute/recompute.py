#!/usr/bin/env python3
"""Recomputes what plog printed of a run, from samples.plog and the documents alone.

    tools/recompute/recompute.py [--all] [--text FILE] RUN...

RUN is a directory with samples.plog and results.json. Each figure of results.json is computed anew, by docs/sample-format.md
and docs/measurement.md, and compared to its last printed digit. Prints how many figures agree, and every one that does not.
Exit code 0: all agree; 1: some do not; 2: misused. Needs Python 3.8 or newer and NumPy.
"""

import argparse
import json
import math
import os
import re
import sys

import run as runs

# Digits behind the point, by the last name in a figure's path. What is not here has three: a microsecond to the nanosecond.
DIGITS = {
    "ratio": 4, "share": 5, "lag1": 4, "effectiveCount": 1, "requestsPerSecond": 1, 
    "atSeconds": 6, "loggedShare": 6, "megabytesPerSecond": 6, "offeredPerSecond": 3, "recordsPerForce": 3,
}  # fmt: skip


def flat(value, path=""):
    """Every figure of a JSON value, by its path."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flat(inner, path + "." + name if path else name)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from flat(inner, "%s[%d]" % (path, i))
    else:
        yield path, value


def digits(path):
    names = re.sub(r"\[\d+\]", "", path).split(".")
    for name in reversed(names):
        if name == "share" and "Peaks" in path:
            return 4
        if name in DIGITS:
            return DIGITS[name]
        if name in ("low", "high", "ratioOfMeans", "ratioOfMedians"):
            if "ratioOf" in path:
                return 4
    return 3


def same(path, printed, ours):
    if isinstance(printed, bool) or isinstance(ours, bool) or isinstance(printed, str) or printed is None or ours is None:
        return printed == ours
    places = digits(path)
    return math.isclose(printed, ours, rel_tol=1e-9, abs_tol=0.5000001 * 10.0**-places)


def main():
    parser = argparse.ArgumentParser(description="Recomputes what plog printed of a run.")
    parser.add_argument("run", nargs="+", help="a directory with samples.plog and results.json")
    parser.add_argument("--all", action="store_true", help="also name what is in results.json and was not recomputed")
    parser.add_argument("--text", metavar="FILE", help="what plog report RUN printed; its table is compared, too")
    options = parser.parse_args()
    if options.text and len(options.run) > 1:
        parser.error("--text belongs to one run")
    wrong = 0
    for directory in options.run:
        with open(os.path.join(directory, "results.json"), encoding="utf-8") as file:
            results = json.load(file)
        printed = dict(flat(results))
        if results["kind"] == "study":
            parser.error("%s: a study; expected a run, a load or a disk" % directory)
        run = runs.Run(os.path.join(directory, "samples.plog"))
        ours = dict(flat(run.json(results)))
        differing = [
            "%s: printed %r, recomputed %r" % (path, printed.get(path, "nothing"), value)
            for path, value in ours.items()
            if path not in printed or not same(path, printed[path], value)
        ]
        text = ""
        if options.text:
            with open(options.text, encoding="utf-8") as file:
                text = file.read()
        told, wrong_words = run.told(results, text)
        differing += wrong_words
        for line in differing:
            print("  " + line)
        print("%s: %d figures recomputed, %d differ" % (directory, len(ours) + told, len(differing)))
        if options.all:
            for path in sorted({re.sub(r"\[\d+\]", "[]", p) for p in printed if p not in ours}):
                print("  not recomputed: " + path)
        wrong += len(differing)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
