"""A run as a whole: its cells, what logging costs, claims, checks and rates."""

import checks
import claims
import figures
import load_figures
import words
import sample_file


class Run:
    def __init__(self, path):
        self.file = sample_file.SampleFile(path)
        plan = self.plan = self.file.start["plan"]
        self.load = plan if plan["subject"] == "load" else None
        self.has_rate = plan["loop"]["mode"] != "closed" if self.load else plan.get("rate", 0) > 0
        self.disk = plan["subject"] == "directories"
        self.ordered = not self.load or self.load["keepSamples"]
        self.targets = {target["id"]: target for target in self.file.start["targets"]}
        self.cells = [
            figures.Cell(self, self.targets[id], payload, columns) for (id, payload), columns in self.file.cells.items()
        ]
        order = list(self.targets)
        self.cells.sort(key=lambda cell: (cell.payload, order.index(cell.target["id"])))

    def executes_in_log_order(self, target):
        return target["facts"].get("service") == "chain"

    def cell(self, name, payload):
        return next((c for c in self.cells if c.target["name"] == name and c.payload == payload), None)

    def json(self, printed):
        counted = [cell for cell in self.cells if cell.count]
        result = {
            "kind": "disk" if self.disk else "load" if self.load else "run",
            "cells": [cell.json() for cell in self.cells],
        }
        if self.disk:
            result["overhead"] = []
        elif not self.load:
            result["overhead"] = figures.judged_together([
                figures.overhead(cell, off)
                for cell in counted
                for off in counted
                if cell.logged and not off.logged and off.payload == cell.payload
            ])
        else:
            result["load"] = [load_figures.of(self)]
        valid = all(check["ok"] or check["severity"] != "invalid" for check in printed["validity"])
        result["claims"] = self.claims(printed["claims"], valid)
        for row in [] if valid else result.get("overhead", []):
            row["verdict"] = "not-judged"
        judge = checks.Checks(self, result.get("overhead", []))
        result["validity"] = [judge.of(check["id"]) for check in printed["validity"]]
        pauses = checks.pauses(self)
        result["pauses"] = [pauses[pause["side"], pause["kind"]] for pause in printed["pauses"]]
        return result

    def claims(self, printed, valid):
        """In the order of what was printed. One that could not be tested depends on the machine, not on the samples."""
        ours = claims.Claims(self)
        return [
            {"verdict": "not-judged", "estimate": None} if not valid
            else {} if claim["verdict"] == "not-testable"
            else ours.of(claim["id"], claim["target"])
            for claim in printed
        ]

    def told(self, printed, text):
        """Figures within the sentences of the claims and in the text summary: how many, and what differs."""
        found = [words.table(text, self)] if text else []
        ours = claims.Claims(self)
        for claim in printed["claims"]:
            if claim["verdict"] not in ("not-testable", "not-judged") and claim["target"]:
                found.append(ours.told(claim["id"], claim["target"], claim["detail"]))
        return sum(seen for seen, _ in found), [line for _, wrong in found for line in wrong]
