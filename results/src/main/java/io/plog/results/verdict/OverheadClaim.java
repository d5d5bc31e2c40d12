package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Z5: logging costs often less than 10 %. Each size has its verdict from {@link Overheads#together}, which counts that there are
 * several; the target's is by how many of them hold or fail.
 */
final class OverheadClaim {
    private OverheadClaim() {}

    static Finding z5(Claims.RunFacts run, Target target) {
        List<Overheads.Judged> sizes = run.overhead().stream()
                .filter(judged -> judged.overhead().target().equals(target.name()))
                .filter(Overheads::isOfTheBook)
                .toList();
        if (sizes.isEmpty()) {
            return Finding.untested("it needs target off in the same run (server --unlogged)");
        }
        long holding = count(sizes, Verdict.HOLDS);
        long failing = count(sizes, Verdict.FAILS);
        Verdict verdict = holding * 2 > sizes.size()
                ? Verdict.HOLDS
                : failing * 2 > sizes.size() ? Verdict.FAILS : Verdict.UNDECIDED;
        String each = sizes.stream().map(OverheadClaim::sentence).collect(Collectors.joining("; "));
        return new Finding(
                verdict,
                "Mean end to end by that without logging, with its 95 % interval: " + each
                        + ". A size holds if its ratio is surely below 1.10 and fails if it is surely above, with Holm's"
                        + " adjustment for " + sizes.size() + (sizes.size() == 1 ? " size" : " sizes") + ": " + holding
                        + " hold and " + failing + " fail."
                        + switch (verdict) {
                            case HOLDS -> " So it is often less than 10 %, as the book says.";
                            case FAILS ->
                                " It is more than that at " + failing + ", so the book's \"often less than 10 %\" is"
                                        + " not so here.";
                            default -> " More requests, or more trials, would be needed to decide the others.";
                        }
                        + (Boolean.TRUE.equals(run.loopback())
                                ? " Here it was the loopback, and the faster the network, the more the same logging weighs; for"
                                        + " the book's Gigabit network run " + Claims.GIGABIT + "."
                                : ""),
                sizes.size() == 1 ? sizes.get(0).margin().ratio() : null);
    }

    private static long count(List<Overheads.Judged> sizes, Verdict verdict) {
        return sizes.stream()
                .filter(size -> size.overhead().verdict() == verdict)
                .count();
    }

    private static String sentence(Overheads.Judged judged) {
        Overhead overhead = judged.overhead();
        return Units.size(overhead.payloadBytes()) + " "
                + Wording.times(judged.margin().ratio()) + " "
                + overhead.verdict().label();
    }
}
