package io.plog.report.verdict;

import io.plog.report.cells.BlockSeries;
import io.plog.report.cells.CellAnalysis;
import io.plog.report.cells.Facts;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.report.verdict.Claims.Sized;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Judges Z3 and Z4, which compare a magnetic disk with a solid-state one: both must be targets of the same run. */
public final class DiskClaims {
    /** "Not much better": the magnetic disk takes at most half as long again. */
    static final double NOT_MUCH = 1.5;

    /** "Much smaller": at most half. */
    static final double MUCH_SMALLER = 0.5;

    /** Payloads called large, in bytes. */
    static final int LARGE_BYTES = 50_000;

    private static final String Z3 =
            "A solid-state disk is not much better than a magnetic one, above all for small messages.";
    private static final String Z4 = "For large messages the solid-state disk's standard deviation is much smaller.";

    private DiskClaims() {}

    /**
     * One size on a magnetic and a solid-state disk, forced the same way.
     *
     * @param means mean logging latency of the magnetic disk by that of the solid-state one
     * @param sds standard deviation of the solid-state disk by that of the magnetic one
     */
    public record Pair(String magnetic, String solid, int bytes, Estimate means, Estimate sds) {}

    /** Every pair among the cells of one size. */
    public static List<Pair> pairs(List<CellAnalysis.Found> ofSize) {
        List<Pair> pairs = new ArrayList<>();
        for (CellAnalysis.Found magnetic : ofSize) {
            for (CellAnalysis.Found solid : ofSize) {
                BlockSeries slow = magnetic.loggingBlocks();
                BlockSeries fast = solid.loggingBlocks();
                boolean comparable = Facts.rotational(magnetic.target()).equals(Optional.of(true))
                        && Facts.rotational(solid.target()).equals(Optional.of(false))
                        && magnetic.target().force().equals(solid.target().force());
                if (comparable && slow != null && fast != null) {
                    pairs.add(pair(magnetic.cell(), solid.cell(), slow, fast));
                }
            }
        }
        return pairs;
    }

    private static Pair pair(Results.Cell magnetic, Results.Cell solid, BlockSeries slow, BlockSeries fast) {
        BlockSeries.Pair means = BlockSeries.pair(slow, fast);
        BlockSeries.Pair sds = BlockSeries.pair(fast, slow);
        return new Pair(
                magnetic.target(),
                solid.target(),
                magnetic.payloadBytes(),
                Comparison.of(means.treated(), means.control(), means.paired()).ratioOfMeans(),
                Comparison.ratioOfSds(sds.treated(), sds.control(), sds.paired()));
    }

    /** Both claims for every pair of disks with the same way of forcing. */
    static List<Claim> judge(Claims.RunFacts run) {
        List<Claim> claims = new ArrayList<>();
        for (Target magnetic : run.logged()) {
            for (Target solid : run.logged()) {
                List<Pair> pairs = run.disks().stream()
                        .filter(pair -> pair.magnetic.equals(magnetic.name()) && pair.solid.equals(solid.name()))
                        .filter(pair -> pair.bytes <= Claims.LARGEST_BYTES)
                        .toList();
                if (!pairs.isEmpty()) {
                    claims.add(z3(pairs, magnetic, solid));
                    claims.add(z4(pairs, magnetic, solid));
                }
            }
        }
        if (claims.isEmpty()) {
            String needs = "a magnetic and a solid-state disk, forced the same way";
            claims.add(Claims.needs("Z3", null, Z3, needs));
            claims.add(Claims.needs("Z4", null, Z4, needs));
        }
        claims.sort(Comparator.comparing(Claim::id));
        return claims;
    }

    private static Claim z3(List<Pair> all, Target magnetic, Target solid) {
        List<Sized> sizes = all.stream()
                .filter(pair -> pair.bytes <= Claims.SMALL_BYTES)
                .map(pair -> new Sized(pair.bytes, pair.means))
                .toList();
        if (sizes.isEmpty()) {
            return Claims.notMeasured("Z3", null, Z3, "no size up to 1 kB was measured on both disks");
        }
        Sized worst = Collections.max(sizes, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.every(sizes.stream()
                .map(size -> VerdictRules.atMost(size.estimate(), NOT_MUCH))
                .toList());
        return new Claim(
                "Z3",
                null,
                Z3,
                verdict,
                magnetic.stableStorage() && solid.stableStorage(),
                magnetic.name() + " takes " + Units.ratio(worst.estimate().value()) + " of " + solid.name(),
                "Mean logging latency of " + magnetic.name() + " by that of " + solid.name() + ": "
                        + Claims.list(sizes, VerdictSentences::ratio)
                        + ". The rule asks for less than 1.5."
                        + (doubtful(magnetic)
                                ? ""
                                : " If it holds, a cache answered in the magnetic disk's place: it turns once in 8.33 ms.")
                        + doubt(magnetic, solid),
                Claims.result(worst.estimate()),
                "The magnetic disk, " + magnetic.name() + ", takes " + VerdictSentences.ratio(worst.estimate())
                        + " as long as the solid-state one, " + solid.name() + ", to log a request of "
                        + Units.size(worst.bytes()) + "."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is not much longer, as the book says; a real magnetic disk cannot do that unless a"
                                        + " cache answers for it.",
                                "That is much longer: the solid-state disk is clearly better for small messages."));
    }

    private static Claim z4(List<Pair> all, Target magnetic, Target solid) {
        List<Sized> sizes = all.stream()
                .filter(pair -> pair.bytes >= LARGE_BYTES)
                .map(pair -> new Sized(pair.bytes, pair.sds))
                .toList();
        if (sizes.isEmpty()) {
            return Claims.notMeasured("Z4", null, Z4, "no size from 50 kB was measured on both disks");
        }
        Sized worst = Collections.max(sizes, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.every(sizes.stream()
                .map(size -> VerdictRules.atMost(size.estimate(), MUCH_SMALLER))
                .toList());
        return new Claim(
                "Z4",
                null,
                Z4,
                verdict,
                magnetic.stableStorage() && solid.stableStorage(),
                solid.name() + " has " + Units.ratio(worst.estimate().value()) + " of the sd of " + magnetic.name(),
                "Standard deviation of the logging latency of " + solid.name() + " by that of " + magnetic.name() + ": "
                        + Claims.list(sizes, VerdictSentences::ratio)
                        + ". The rule asks for less than 0.5."
                        + doubt(magnetic, solid),
                Claims.result(worst.estimate()),
                "For requests of " + Units.size(worst.bytes()) + " the times on the solid-state disk, " + solid.name()
                        + ", spread " + VerdictSentences.ratio(worst.estimate()) + " as widely as on the magnetic one, "
                        + magnetic.name() + "."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is much less, as the book says.",
                                "That is not much less, unlike in the book."));
    }

    private static boolean doubtful(Target target) {
        return Facts.looksVirtual(target.facts());
    }

    /** What to add where the kind of a disk is known from a flag that need not be true. */
    private static String doubt(Target magnetic, Target solid) {
        List<String> names = Stream.of(magnetic, solid)
                .filter(DiskClaims::doubtful)
                .map(Target::name)
                .toList();
        if (names.isEmpty()) {
            return "";
        }
        return " Which disk is magnetic is the kernel's word, and for " + String.join(" and ", names)
                + " it is not certain: the disk looks virtual, and then the flag often says nothing of what lies"
                + " beneath.";
    }
}
