package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.results.verdict.Claims.Measured;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Z10: several disks striped together reach Gigabytes a second. The book cites it; few machines can show it. */
final class StripeClaim {
    static final double GIGABYTE_PER_SECOND = 1e9;

    /** With fewer requests under way a log over several disks waits for its clients, and cannot show what it could do. */
    static final int ENOUGH_CONNECTIONS = 16;

    private StripeClaim() {}

    /** The targets with several directories. */
    static List<Target> striped(Claims.RunFacts run) {
        return run.logged().stream()
                .filter(target -> target.facts().getOrDefault("path", "").contains("+"))
                .filter(target -> !run.all(target).isEmpty())
                .toList();
    }

    /** Tells what one directory takes. */
    static Finding untested(Claims.RunFacts run) {
        String here = run.logged().stream()
                .filter(target -> !run.all(target).isEmpty())
                .map(target -> {
                    List<Measured> cells = run.all(target);
                    Measured largest = cells.get(cells.size() - 1);
                    return target.name() + " "
                            + megabytes(bytesPerSecond(largest).value()) + " MB/s at "
                            + Units.size(largest.bytes());
                })
                .collect(Collectors.joining(", "));
        return Finding.untested("it needs a log over several directories (--log NAME=DIR1+DIR2), on disks of their own"
                + (here.isEmpty() ? "" : ". One directory took, with " + connections(run) + ": " + here));
    }

    /** Directories on one device share it: nothing is striped over several disks. */
    private static boolean isOnOneDevice(Target target) {
        String devices = target.facts().getOrDefault("device", "unknown");
        return !devices.equals("unknown")
                && Arrays.stream(devices.split("\\+", -1)).distinct().count() < 2;
    }

    static Finding z10(Claims.RunFacts run, Target target) {
        List<Measured> cells = run.all(target);
        Measured largest = cells.get(cells.size() - 1);
        Estimate rate = bytesPerSecond(largest);
        boolean loaded = run.connections() >= ENOUGH_CONNECTIONS;
        Verdict verdict = VerdictRules.atLeast(rate, GIGABYTE_PER_SECOND);
        if (verdict == Verdict.FAILS && !loaded) {
            verdict = Verdict.UNDECIDED;
        }
        String size = Units.size(largest.bytes());
        String connections = connections(run);
        String more = " With fewer than " + ENOUGH_CONNECTIONS + " requests under way the log waits for its clients:"
                + " measure again with --connections 64 and larger --sizes.";
        String found =
                "At " + size + ", " + connections + " logged MB/s: " + Wording.of(rate, StripeClaim::megabytes) + ".";
        if (isOnOneDevice(target)) {
            return Finding.untested("all directories of " + target.name() + " are on one device, "
                    + target.facts().get("device") + ", and the claim is about several disks. "
                    + found.replaceFirst("\\.$", ""));
        }
        return new Finding(
                verdict,
                found
                        + switch (verdict) {
                            case HOLDS -> " That is more than a Gigabyte per second.";
                            case FAILS -> " That is less than the Gigabytes per second that the book cites.";
                            default -> loaded ? " That cannot be distinguished from a Gigabyte per second." : more;
                        },
                rate);
    }

    /** Payload bytes; the rate's interval is that of the mean time that a request takes. */
    private static Estimate bytesPerSecond(Measured cell) {
        double rate = cell.cell().requestsPerSecond() * cell.bytes();
        Estimate mean = cell.meanEndToEnd();
        Double low = mean.low();
        Double high = mean.high();
        return new Estimate(
                rate,
                high == null ? null : rate * mean.value() / high,
                low == null || low <= 0 ? null : rate * mean.value() / low);
    }

    private static String connections(Claims.RunFacts run) {
        return run.connections() + (run.connections() == 1 ? " connection" : " connections");
    }

    private static String megabytes(double bytes) {
        return String.format(Locale.ROOT, "%,.0f", bytes / 1e6);
    }
}
