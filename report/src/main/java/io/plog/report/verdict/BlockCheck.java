package io.plog.report.verdict;

import io.plog.report.cells.CellAnalysis;
import io.plog.report.cells.WorstBlock;
import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Whether a single block decides a cell's mean, as a stall does that medians do not show; and what went on in it. Stateless. */
final class BlockCheck {
    /** Without a block the mean should be no less than this share of what it is. */
    static final double LEAST_WITHOUT = 2.0 / 3;

    private static final int MOST_NAMED = 4;

    private BlockCheck() {}

    static Check of(List<CellAnalysis.Found> cells) {
        List<CellAnalysis.Found> decided = cells.stream()
                .filter(found ->
                        found.problems().worstBlock() != null && worst(found).share() < LEAST_WITHOUT)
                .sorted(Comparator.comparingDouble(found -> worst(found).share()))
                .toList();
        return CheckRule.BLOCKS.check(
                decided.isEmpty(),
                Severity.WARNING,
                decided.isEmpty()
                        ? "No block decides the mean of its cell."
                        : "One block decides the mean of "
                                + decided.stream()
                                        .limit(MOST_NAMED)
                                        .map(BlockCheck::text)
                                        .collect(Collectors.joining("; "))
                                + (decided.size() > MOST_NAMED
                                        ? "; and of " + (decided.size() - MOST_NAMED) + " more"
                                        : "")
                                + ".");
    }

    private static String text(CellAnalysis.Found found) {
        WorstBlock worst = worst(found);
        return Checks.name(found.cell()) + " (trial " + (worst.trial() + 1) + ", block " + (worst.block() + 1)
                + ": without it " + Units.ratio(worst.share()) + ", " + cause(found, worst) + ")";
    }

    /** What the slowest request of that trial met: it need not be the cause, but it is what was seen. */
    private static String cause(CellAnalysis.Found found, WorstBlock worst) {
        return found.cell().slowest().stream()
                .filter(slow -> slow.trial() == worst.trial())
                .findFirst()
                .flatMap(slow -> slow.overlaps().stream().findFirst())
                .map(BlockCheck::met)
                .orElse("nothing was recorded meanwhile");
    }

    private static String met(Results.Overlap overlap) {
        return "meanwhile " + overlap.side() + " " + overlap.kind() + " of " + Micros.text(overlap.micros()) + " µs";
    }

    private static WorstBlock worst(CellAnalysis.Found found) {
        return Objects.requireNonNull(found.problems().worstBlock());
    }
}
