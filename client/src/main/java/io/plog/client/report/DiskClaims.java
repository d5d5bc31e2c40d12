package io.plog.client.report;

import io.plog.client.report.Results.Cell;
import io.plog.client.report.Results.Claim;
import io.plog.client.report.Results.Target;
import io.plog.client.report.Results.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges Z3 and Z4, which compare a magnetic disk with a solid-state one: both must be targets of the same run. */
final class DiskClaims {
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

    /** Both claims for every pair of disks with the same way of forcing. */
    static List<Claim> judge(Claims.RunFacts run) {
        List<Claim> claims = new ArrayList<>();
        for (Target magnetic : run.logged()) {
            for (Target solid : run.logged()) {
                if (isRotational(run, magnetic, true)
                        && isRotational(run, solid, false)
                        && magnetic.force().equals(solid.force())) {
                    claims.add(z3(run, magnetic, solid));
                    claims.add(z4(run, magnetic, solid));
                }
            }
        }
        if (claims.isEmpty()) {
            String needs = "needs a magnetic and a solid-state disk, forced the same way";
            claims.add(Claims.untested("Z3", null, Z3, needs));
            claims.add(Claims.untested("Z4", null, Z4, needs));
        }
        claims.sort((a, b) -> a.id().compareTo(b.id()));
        return claims;
    }

    private static boolean isRotational(Claims.RunFacts run, Target target, boolean wanted) {
        Boolean known = run.rotational().get(target.name());
        return known != null && known == wanted;
    }

    private static Claim z3(Claims.RunFacts run, Target magnetic, Target solid) {
        List<Pair> pairs = pairs(run, magnetic, solid, 0, Claims.SMALL_BYTES);
        if (pairs.isEmpty()) {
            return Claims.untested("Z3", null, Z3, "no size up to 1 kB was measured on both disks");
        }
        double worst = pairs.stream().mapToDouble(Pair::means).max().orElseThrow();
        return new Claim(
                "Z3",
                null,
                Z3,
                worst <= NOT_MUCH ? Verdict.HOLDS : Verdict.FAILS,
                magnetic.stableStorage() && solid.stableStorage(),
                magnetic.name() + " takes " + Units.ratio(worst) + " of " + solid.name(),
                "Mean logging latency of " + magnetic.name() + " by that of " + solid.name() + ": "
                        + pairs.stream()
                                .map(pair -> Units.size(pair.bytes()) + " " + Units.ratio(pair.means()))
                                .collect(Collectors.joining("; "))
                        + ". The rule asks for at most 1.5."
                        + (doubtful(magnetic)
                                ? ""
                                : " If it holds, a cache answered in the magnetic disk's place: it turns once in 8.33 ms.")
                        + doubt(magnetic, solid),
                null,
                "");
    }

    private static Claim z4(Claims.RunFacts run, Target magnetic, Target solid) {
        List<Pair> pairs = pairs(run, magnetic, solid, LARGE_BYTES, Claims.LARGEST_BYTES);
        if (pairs.isEmpty()) {
            return Claims.untested("Z4", null, Z4, "no size from 50 kB was measured on both disks");
        }
        double worst = pairs.stream().mapToDouble(Pair::deviations).max().orElseThrow();
        return new Claim(
                "Z4",
                null,
                Z4,
                worst <= MUCH_SMALLER ? Verdict.HOLDS : Verdict.FAILS,
                magnetic.stableStorage() && solid.stableStorage(),
                solid.name() + " has " + Units.ratio(worst) + " of the sd of " + magnetic.name(),
                "Standard deviation of the logging latency of " + solid.name() + " by that of " + magnetic.name() + ": "
                        + pairs.stream()
                                .map(pair -> Units.size(pair.bytes()) + " " + Units.ratio(pair.deviations()))
                                .collect(Collectors.joining("; "))
                        + ". The rule asks for at most 0.5."
                        + doubt(magnetic, solid),
                null,
                "");
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

    private record Pair(int bytes, double means, double deviations) {}

    private static List<Pair> pairs(Claims.RunFacts run, Target magnetic, Target solid, int from, int to) {
        List<Pair> pairs = new ArrayList<>();
        for (Cell slow : run.cells(magnetic)) {
            for (Cell fast : run.cells(solid)) {
                int bytes = slow.payloadBytes();
                if (bytes == fast.payloadBytes() && bytes >= from && bytes <= to) {
                    pairs.add(new Pair(
                            bytes,
                            Claims.log(slow).mean() / Claims.log(fast).mean(),
                            Claims.log(fast).sd()
                                    / Math.max(0.001, Claims.log(slow).sd())));
                }
            }
        }
        return pairs;
    }
}
