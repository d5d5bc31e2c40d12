package io.plog.report.verdict;

import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Overhead;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.stats.Holm;
import io.plog.stats.NonInferiority;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Z5: logging costs often less than 10 %. Each size has its own verdict, by the plain interval; the target's is by how many
 * verdicts stand once Holm's adjustment counts that there are several.
 */
final class OverheadClaim {
    private static final String TEXT = "Logging adds a very moderate overhead end to end, often less than 10 %.";

    private OverheadClaim() {}

    static Claim z5(Claims.RunFacts run, Target target) {
        List<Overheads.Judged> sizes = run.overhead().stream()
                .filter(judged -> judged.overhead().target().equals(target.name()))
                .filter(judged -> judged.overhead().payloadBytes() <= Claims.LARGEST_BYTES)
                .toList();
        if (sizes.isEmpty()) {
            return Claims.needs("Z5", target, TEXT, "target off beside it (server --unlogged)");
        }
        int holding = Holm.standing(
                sizes.stream().mapToDouble(size -> size.margin().holdsError()).toArray(), NonInferiority.ONE_SIDE);
        int failing = Holm.standing(
                sizes.stream().mapToDouble(size -> size.margin().failsError()).toArray(), NonInferiority.ONE_SIDE);
        Verdict verdict = holding * 2 > sizes.size()
                ? Verdict.HOLDS
                : failing * 2 > sizes.size() ? Verdict.FAILS : Verdict.UNDECIDED;
        long below = sizes.stream()
                .filter(size -> size.overhead().verdict() == Verdict.HOLDS)
                .count();
        String together = below == holding ? "" : " each by itself, at " + holding + " judged together";
        double low = sizes.stream().mapToDouble(OverheadClaim::ratio).min().orElseThrow();
        double high = sizes.stream().mapToDouble(OverheadClaim::ratio).max().orElseThrow();
        String each = sizes.stream().map(OverheadClaim::sentence).collect(Collectors.joining("; "));
        return Claims.about(
                "Z5",
                target,
                TEXT,
                verdict,
                Units.ratio(low) + " to " + Units.ratio(high) + ", below x1.10 at " + below + " of " + sizes.size()
                        + (sizes.size() == 1 ? " size" : " sizes") + together,
                "Mean end to end by that without logging, with its 95 % interval: " + each
                        + ". A size holds if the whole interval is below 1.10 and fails if it is above. With Holm's"
                        + " adjustment for " + sizes.size() + (sizes.size() == 1 ? " size, " : " sizes, ") + holding
                        + " hold and " + failing + " fail; \"often\" means more than half. The figure depends on the"
                        + " network: the faster it is, the more the same logging weighs."
                        + (Boolean.TRUE.equals(run.loopback()) ? " Here it was the loopback." : ""),
                sizes.size() == 1 ? sizes.get(0).margin().ratio() : null,
                "With logging a request takes " + VerdictSentences.times(low) + " to " + VerdictSentences.times(high)
                        + " times as long as without, depending on its size; less than 10 % more is sure at " + below
                        + " of " + sizes.size() + (sizes.size() == 1 ? " size" : " sizes") + together + "."
                        + switch (verdict) {
                            case HOLDS -> " So it is often less than 10 %, as the book says.";
                            case FAILS ->
                                " It is more than that at " + failing + ", so the book's \"often less than 10 %\" is"
                                        + " not so here.";
                            default -> " More requests, or more trials, would be needed to decide the others.";
                        });
    }

    private static double ratio(Overheads.Judged judged) {
        return judged.overhead().ratioOfMeans().ratio();
    }

    private static String sentence(Overheads.Judged judged) {
        Overhead overhead = judged.overhead();
        return Units.size(overhead.payloadBytes()) + " "
                + VerdictSentences.ratio(judged.margin().ratio()) + " "
                + overhead.verdict().label();
    }
}
