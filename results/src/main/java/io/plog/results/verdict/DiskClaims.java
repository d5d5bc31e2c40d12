package io.plog.results.verdict;

import io.plog.results.cells.BlockSeries;
import io.plog.results.cells.CellAnalysis;
import io.plog.results.cells.DiskFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.results.verdict.Sizes.Sized;
import io.plog.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** Judges Z3 and Z4, which compare a magnetic disk with a solid-state one: both must be targets of the same run. */
public final class DiskClaims {
    /** "Not much better": the magnetic disk takes at most half as long again. */
    static final double NOT_MUCH = 1.5;

    /** "Much smaller": at most half. */
    static final double MUCH_SMALLER = 0.5;

    /** Payloads called large, in bytes. */
    static final int LARGE_BYTES = 50_000;

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
                boolean comparable = "yes".equals(magnetic.target().facts().get("rotational"))
                        && "no".equals(solid.target().facts().get("rotational"))
                        && magnetic.target().force().equals(solid.target().force());
                if (comparable && slow != null && fast != null) {
                    pairs.add(pair(magnetic.cell(), solid.cell(), slow, fast));
                }
            }
        }
        return pairs;
    }

    private static Pair pair(Results.Cell magnetic, Results.Cell solid, BlockSeries slow, BlockSeries fast) {
        return new Pair(
                magnetic.target(),
                solid.target(),
                magnetic.payloadBytes(),
                BlockSeries.pair(slow, fast).ratioOfMeans(),
                BlockSeries.pair(fast, slow).ratioOfSds());
    }

    /** A magnetic and a solid-state disk with the sizes that were measured on both. */
    record Disks(Target magnetic, Target solid, List<Pair> pairs) {
        boolean stableStorage() {
            return magnetic.stableStorage() && solid.stableStorage();
        }

        Sizes sizes(IntPredicate which, Function<Pair, Estimate> figure) {
            return new Sizes(pairs.stream()
                    .filter(pair -> which.test(pair.bytes))
                    .map(pair -> new Sized(pair.bytes, figure.apply(pair)))
                    .toList());
        }
    }

    /** Every pair of disks with the same way of forcing. */
    static List<Disks> disks(Claims.RunFacts run) {
        return run.logged().stream()
                .flatMap(magnetic -> run.logged().stream()
                        .map(solid -> new Disks(
                                magnetic,
                                solid,
                                run.disks().stream()
                                        .filter(pair -> pair.magnetic.equals(magnetic.name())
                                                && pair.solid.equals(solid.name())
                                                && pair.bytes <= Claims.LARGEST_BYTES)
                                        .toList())))
                .filter(disks -> !disks.pairs.isEmpty())
                .toList();
    }

    static Finding z3(Claims.RunFacts run, Disks disks) {
        Target magnetic = disks.magnetic;
        Target solid = disks.solid;
        Sizes sizes = disks.sizes(bytes -> bytes <= Claims.SMALL_BYTES, Pair::means);
        if (sizes.isEmpty()) {
            return Finding.untested("no size up to 1 kB was measured on both disks");
        }
        return sizes.everyAtMost(NOT_MUCH)
                .finding(
                        "Mean logging latency of " + magnetic.name() + " by that of " + solid.name() + ": "
                                + sizes.list(Wording::times) + ".",
                        "That is not much longer, as the book says (we allow 1.5 times)"
                                + (doubtful(magnetic)
                                        ? "."
                                        : "; a magnetic disk, which turns once in 8.33 ms, cannot do that unless a cache"
                                                + " answers for it."),
                        "That is much longer: the solid-state disk is clearly better for small messages.")
                .and(doubt(magnetic, solid));
    }

    static Finding z4(Claims.RunFacts run, Disks disks) {
        Target magnetic = disks.magnetic;
        Target solid = disks.solid;
        Sizes sizes = disks.sizes(bytes -> bytes >= LARGE_BYTES, Pair::sds);
        if (sizes.isEmpty()) {
            return Finding.untested("no size from 50 kB was measured on both disks");
        }
        return sizes.everyAtMost(MUCH_SMALLER)
                .finding(
                        "Standard deviation of the logging latency of " + solid.name() + " by that of "
                                + magnetic.name() + ": " + sizes.list(Wording::times) + ".",
                        "That is much less, as the book says (we ask for half).",
                        "That is not much less, unlike in the book.")
                .and(doubt(magnetic, solid));
    }

    private static boolean doubtful(Target target) {
        return new DiskFacts(target.facts()).isVirtual();
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
