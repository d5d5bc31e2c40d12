package io.plog.results.verdict;

import io.plog.results.cells.CellAnalysis;
import io.plog.results.cells.WorstBlock;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.stream.Stream;

/** Whether a single block decides a cell's mean, as a stall does that medians do not show; and what went on in it. Stateless. */
final class BlockCheck {
    private BlockCheck() {}

    static Check of(List<CellAnalysis.Found> cells) {
        List<String> decided = cells.stream()
                .flatMap(found -> Stream.ofNullable(found.problems().worstBlock())
                        .filter(WorstBlock::decides)
                        .map(worst -> text(found, worst)))
                .toList();
        return CheckRule.BLOCKS.check(
                decided.isEmpty(),
                Severity.WARNING,
                decided.isEmpty()
                        ? "No block decides the mean of its cell."
                        : "One block decides the mean of " + String.join("; ", decided) + ".");
    }

    /** What the slowest request of that trial met need not be the cause, but it is what was seen. */
    private static String text(CellAnalysis.Found found, WorstBlock worst) {
        String met = found.cell().slowest().stream()
                .filter(slow -> slow.trial() == worst.trial())
                .limit(1)
                .flatMap(slow -> slow.overlaps().stream())
                .findFirst()
                .map(seen -> seen.side() + " " + seen.kind() + " of " + Micros.text(seen.micros()) + " µs")
                .orElse("nothing that was recorded");
        return Checks.name(found.cell()) + " (trial " + (worst.trial() + 1) + ", block " + (worst.block() + 1)
                + ": without it " + Units.ratio(worst.share()) + "; meanwhile " + met + ")";
    }
}
