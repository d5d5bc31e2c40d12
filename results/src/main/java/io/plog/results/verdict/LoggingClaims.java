package io.plog.results.verdict;

import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Z1 and Z2: how long logging takes. */
final class LoggingClaims {
    static final double GIGABYTE_PER_SECOND = 1e9;
    /** With fewer requests under way a log over several disks waits for its clients, and cannot show what it could do. */
    static final int ENOUGH_CONNECTIONS = 16;

    static final double GREAT_MAJORITY = 0.99;

    /** The book's second half: 100 kB within 1000 µs are over 100 MB/s. */
    static final double LEAST_MEGABYTES_PER_SECOND = 100;

    /** The least size that the rate is judged at, in bytes. */
    static final int LARGE_BYTES = 100_000;

    static final double SMALL_MICROS = 100;

    private LoggingClaims() {}

    static Finding z1(Claims.RunFacts run, Target target) {
        Sizes shares = Sizes.of(run.cells(target), cell -> Objects.requireNonNull(cell.loggedWithinLimit()));
        Sizes rates = Sizes.of(run.cells(target), LoggingClaims::rate);
        Sizes judged = rates.between(LARGE_BYTES, Claims.LARGEST_BYTES);
        Sizes.Decided share = shares.everyAtLeast(GREAT_MAJORITY);
        Verdict verdict = judged.isEmpty()
                ? share.verdict()
                : VerdictRules.every(List.of(
                        share.verdict(),
                        judged.everyAtLeast(LEAST_MEGABYTES_PER_SECOND).verdict()));
        return new Finding(
                verdict,
                "Logged within 1000 µs: " + shares.list(each -> Wording.of(each, Units::percent))
                        + ". Rate of logging, payload by mean logging latency, in MB/s: "
                        + rates.list(Wording::of)
                        + (judged.isEmpty()
                                ? ". No size of 100 kB was measured, so only the first half of the claim is judged."
                                : ".")
                        + VerdictRules.said(
                                verdict,
                                "That is the great majority at over 100 MB/s, as the book says (we ask for 99 %).",
                                "That is not what the book says: the great majority (we ask for 99 %) at over 100 MB/s."),
                share.verdict() == verdict ? share.estimate() : null); // else the rate decides
    }

    /** Payload by the mean logging latency: bytes per microsecond are millions of bytes a second. */
    private static Estimate rate(CellEstimates cell) {
        double bytes = cell.bytes();
        Estimate mean = Objects.requireNonNull(cell.meanLogging());
        Double low = mean.low();
        Double high = mean.high();
        return new Estimate(
                bytes / mean.value(),
                high == null || high <= 0 ? null : (Double) (bytes / high),
                low == null || low <= 0 ? null : (Double) (bytes / low));
    }

    static Finding z2(Claims.RunFacts run, Target target) {
        Sizes medians = Sizes.of(run.small(target), cell -> cell.logging(Percentile.P50));
        if (medians.isEmpty()) {
            return Finding.untested("no size up to 1 kB was measured");
        }
        Sizes tails = Sizes.of(run.small(target), cell -> cell.logging(Percentile.P95));
        return medians.everyAtMost(SMALL_MICROS)
                .finding(
                        "Logging latency, median: " + medians.list(Wording::micros) + ". 95th percentile: "
                                + tails.list(Wording::micros) + ".",
                        "The book's 100 µs are kept: we ask for the median at every small size.",
                        "The book says 100 µs, which this disk does not reach at the median.");
    }

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
                    List<CellEstimates> cells = run.all(target);
                    CellEstimates largest = cells.get(cells.size() - 1);
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
        List<CellEstimates> cells = run.all(target);
        CellEstimates largest = cells.get(cells.size() - 1);
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
                "At " + size + ", " + connections + " logged MB/s: " + Wording.of(rate, LoggingClaims::megabytes) + ".";
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
    private static Estimate bytesPerSecond(CellEstimates cell) {
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
