package io.plog.results.verdict;

import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Whether the machines left the measurement in peace, going by what client and server recorded of themselves and of the
 * kernel's own counters. A rule has a limit beyond which the figures are not to be used, and a lower one beyond which they are to
 * be read with care; both are in {@code docs/measurement.md}. Of several trials the worst counts, of hiccups the one in the middle.
 */
public final class MachineChecks {
    /** How late a thread that is ready to run may come to run, at the 99th percentile, in nanoseconds. */
    static final double HICCUP_CARE = 1e6;

    static final double HICCUP_LIMIT = 10e6;

    /** Share of the machine's processor time in use. */
    static final double CPU_CARE = 0.90;

    static final double CPU_LIMIT = 0.97;

    /** Share of the machine's processor time that the hypervisor gave to others; less counts by how late it made threads. */
    static final double STEAL_LIMIT = 0.10;

    /** Least share of the memory that was available. */
    static final double MEMORY_CARE = 0.10;

    static final double MEMORY_LIMIT = 0.05;

    /** What others wrote to the log's device, as a share of everything written to it. */
    static final double OTHERS_CARE = 0.25;

    static final double OTHERS_LIMIT = 0.50;

    /** Below so many bytes a second of others, the share is that of a quiet device. */
    static final double OTHERS_LEAST_PER_SECOND = 1e6;

    /** From these on something is named as what made threads late: shares, and processors. */
    private static final double STEAL_NAMED = 0.02;

    private static final double COMPILERS_NAMED = 0.1;
    private static final double COLLECTING_NAMED = 0.01;

    /** Share of the machine's processor time in use, below which no thread waits for another that runs. */
    private static final double IDLE = 0.5;

    /** Share of the time in which segments are prepared. */
    static final double PREPARING_CARE = 0.05;

    /** Share of the machine's processor time that neither client nor server used. */
    public static final double STRANGERS_CARE = 0.10;

    static final double STRANGERS_LIMIT = 0.25;

    /** The clock's step, in nanoseconds. */
    static final double CLOCK_LIMIT = 1_000;

    private final List<Check> checks = new ArrayList<>();
    private final boolean bookiesHere;
    private final Function<String, List<String>> causes;

    private MachineChecks(boolean bookiesHere, Function<String, List<String>> causes) {
        this.bookiesHere = bookiesHere;
        this.causes = causes;
    }

    /**
     * The checks of a load, of one cell of a study, or of the only side that there is.
     *
     * @param events what each side recorded of itself, of all trials
     * @param bookiesHere whether bookies write to this machine's disks: that cannot be distinguished from what others wrote
     */
    static List<Check> of(List<SideEvents> events, boolean bookiesHere, String... sides) {
        MachineChecks checks = new MachineChecks(bookiesHere, side -> stealing(usage(events, side)));
        for (String side : sides) {
            checks.side(side, events);
        }
        return checks.checks;
    }

    /**
     * Those of a run, whose figures of use are those of its counted requests: so there are also checks of what client and server
     * themselves did besides, and of what others did on their machine.
     *
     * @param oneMachine whether client and server have the same processors; then the client reports for both
     * @param cpuLimit what limits a side's processor time; empty if nothing does
     */
    static List<Check> ofRun(
            List<SideEvents> events, boolean bookiesHere, boolean oneMachine, UnaryOperator<String> cpuLimit) {
        OptionalDouble strangers = oneMachine && !bookiesHere ? strangers(events) : OptionalDouble.empty();
        MachineChecks checks = new MachineChecks(bookiesHere, side -> {
            List<String> found = new ArrayList<>(stealing(usage(events, side)));
            strangers.stream()
                    .filter(share -> share > STRANGERS_CARE)
                    .forEach(share -> found.add("other processes used " + share(share) + " of the processor time"));
            List<String> sides = oneMachine ? List.of(SideEvents.CLIENT, SideEvents.SERVER) : List.of(side);
            sides.forEach(each -> found.addAll(ownCauses(each, usage(events, each), cpuLimit.apply(each))));
            return found;
        });
        checks.side(SideEvents.CLIENT, events);
        checks.side(SideEvents.SERVER, events);
        checks.preparation(usage(events, SideEvents.SERVER));
        if (oneMachine) {
            // Only the client's are those while requests were under way; but a limit on the server alone does not make
            // it late.
            boolean serverIsHeldUp = hiccup(usage(events, SideEvents.SERVER)) > HICCUP_LIMIT;
            String lessLate = serverIsHeldUp ? SideEvents.CLIENT : SideEvents.SERVER;
            checks.checks.removeIf(check -> check.id().matches("(processors|steal|memory):server")
                    || check.id().equals(CheckRule.HICCUPS.id() + ":" + lessLate));
        }
        strangers.ifPresent(share -> checks.checks.add(strangers(share)));
        return checks.checks;
    }

    /** The check of what {@link #strangers(List)} found. */
    public static Check strangers(double share) {
        return check(
                CheckRule.OTHERS.id(),
                share,
                STRANGERS_CARE,
                STRANGERS_LIMIT,
                share(share) + " of the processor time went to neither client nor server",
                "something else ran on this machine");
    }

    /**
     * The largest share of any trial; empty if it is not known. Only where client and server have the same processors; where there is no
     * server's side, the client answers for all.
     */
    public static OptionalDouble strangers(List<SideEvents> events) {
        List<SideUsage> client = usage(events, SideEvents.CLIENT);
        List<SideUsage> server = usage(events, SideEvents.SERVER);
        boolean alone = events.stream().noneMatch(each -> each.side().equals(SideEvents.SERVER));
        double worst = -1;
        for (int trial = 0; trial < client.size() && (alone || client.size() == server.size()); trial++) {
            SideUsage ofClient = client.get(trial);
            double ofServer = alone ? 0 : server.get(trial).processCpu();
            double own = (ofClient.processCpu() + ofServer) / Math.max(1, ofClient.processors());
            boolean known = ofClient.machineCpuShare() >= 0 && ofClient.processCpu() >= 0 && ofServer >= 0;
            worst = known ? Math.max(worst, Math.max(0, ofClient.machineCpuShare() - own)) : worst;
        }
        return worst < 0 ? OptionalDouble.empty() : OptionalDouble.of(worst);
    }

    /** What a side used up, by trial. */
    public static List<SideUsage> usage(List<SideEvents> events, String side) {
        return events.stream()
                .filter(each -> each.side().equals(side))
                .flatMap(each -> each.usage().stream())
                .toList();
    }

    private void side(String side, List<SideEvents> events) {
        List<SideEvents> own =
                events.stream().filter(each -> each.side().equals(side)).toList();
        List<SideUsage> usage = usage(events, side);
        if (usage.isEmpty()) {
            unknown(side, own);
        } else {
            used(side, usage);
        }
    }

    private void unknown(String side, List<SideEvents> own) {
        String why = own.stream()
                .map(each -> each.facts().getOrDefault("events", ""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("nothing was recorded");
        checks.add(CheckRule.MACHINE.check(
                side,
                false,
                Severity.WARNING,
                "No events of the " + side + " are known (" + why
                        + "): its processor, memory, disk or pauses may have disturbed the figures."));
    }

    private void used(String side, List<SideUsage> usage) {
        double hiccup = hiccup(usage);
        rule(
                CheckRule.HICCUPS,
                side,
                hiccup,
                HICCUP_CARE,
                HICCUP_LIMIT,
                "At the " + side + ", one in a hundred times a thread that was ready to run came to run "
                        + Micros.text(Micros.ofNanos(hiccup)) + " µs late or later (longest "
                        + Micros.text(Micros.ofNanos(worst(usage, each -> (double) each.hiccupMaxNanos())))
                        + " µs)",
                causes(side));
        double cpu = worst(usage, SideUsage::machineCpuShare);
        rule(
                CheckRule.PROCESSORS,
                side,
                cpu,
                CPU_CARE,
                CPU_LIMIT,
                "The " + side + "'s machine had " + share(cpu) + " of its processor time in use",
                "requests waited for a processor");
        double steal = worst(usage, SideUsage::stealShare);
        rule(
                CheckRule.STEAL,
                side,
                steal,
                STEAL_LIMIT,
                STEAL_LIMIT,
                "The hypervisor gave " + share(steal) + " of the " + side + "'s processor time to others",
                "requests waited for a processor that was not there");
        double used = worst(
                usage,
                each -> each.memoryBytes() <= 0 || each.leastFreeMemoryBytes() < 0
                        ? -1
                        : 1 - (double) each.leastFreeMemoryBytes() / each.memoryBytes());
        rule(
                CheckRule.MEMORY,
                side,
                used,
                1 - MEMORY_CARE,
                1 - MEMORY_LIMIT,
                "At the " + side + " no less than " + share(Math.max(0, 1 - used))
                        + " of the memory was free at any time",
                "the kernel was short of pages for its caches");
        double step = worst(usage, each -> (double) each.clockStepNanos());
        rule(
                CheckRule.CLOCK,
                side,
                step,
                CLOCK_LIMIT,
                CLOCK_LIMIT,
                "The " + side + "'s clock moves in steps of " + Micros.text(Micros.ofNanos(step)) + " µs",
                "short durations cannot be distinguished");
        disks(usage);
    }

    private void preparation(List<SideUsage> usage) {
        double preparing = worst(usage, SideUsage::preparingShare);
        if (!usage.isEmpty()) {
            rule(
                    CheckRule.PREPARATION,
                    SideEvents.SERVER,
                    preparing,
                    PREPARING_CARE,
                    1,
                    "Segments were prepared in " + share(preparing) + " of the time in which requests were counted",
                    "the log's own writing made its forces slower");
        }
    }

    /** What was seen of what keeps a side's threads from running. */
    private String causes(String side) {
        List<String> found = causes.apply(side).stream().distinct().toList();
        return found.isEmpty() ? "what held it up is not known" : "meanwhile " + String.join(", and ", found);
    }

    private static List<String> stealing(List<SideUsage> usage) {
        double steal = worst(usage, SideUsage::stealShare);
        return steal > STEAL_NAMED
                ? List.of("the hypervisor gave " + share(steal) + " of the processor time to others")
                : List.of();
    }

    /** What a side does itself, or is kept from doing. */
    private static List<String> ownCauses(String side, List<SideUsage> usage, String cpuLimit) {
        List<String> found = new ArrayList<>();
        double compilers = worst(usage, SideUsage::compilers);
        if (compilers > COMPILERS_NAMED) {
            found.add(String.format(
                    Locale.ROOT, "the %s's own just-in-time compilers kept %.2f processors busy", side, compilers));
        }
        double collecting = worst(usage, SideUsage::collectingShare);
        if (collecting > COLLECTING_NAMED) {
            found.add(
                    "the " + side + " collected garbage for " + share(collecting) + " of the time (its heap is small)");
        }
        if (worst(usage, SideUsage::preparingShare) > PREPARING_CARE) {
            found.add("segments were prepared");
        }
        double used = worst(usage, SideUsage::machineCpuShare);
        if (!cpuLimit.isEmpty()) {
            found.add("a control group limits the " + side + "'s processor time (" + cpuLimit + ")");
        } else if (hiccup(usage) > HICCUP_LIMIT && used >= 0 && used < IDLE) {
            found.add("most of the processors' time was left, so something limits plog's, such as a control group");
        }
        return found;
    }

    /** Only the server knows its devices. */
    private void disks(List<SideUsage> usage) {
        usage.stream()
                .flatMap(each -> each.disks().stream())
                .map(SideUsage.Disk::device)
                .distinct()
                .forEach(device -> disk(device, usage));
    }

    private void disk(String device, List<SideUsage> usage) {
        double worst = -1;
        double rate = 0;
        for (SideUsage each : usage) {
            for (SideUsage.Disk disk : each.disks()) {
                if (disk.device().equals(device) && disk.othersWrittenBytes() >= 0) {
                    double perSecond = disk.othersWrittenBytes() / Math.max(1e-3, each.seconds());
                    double share = perSecond < OTHERS_LEAST_PER_SECOND
                            ? 0
                            : (double) disk.othersWrittenBytes() / disk.writtenBytes();
                    rate = share > worst ? perSecond : rate;
                    worst = Math.max(worst, share);
                }
            }
        }
        rule(
                CheckRule.DISK,
                device,
                worst,
                OTHERS_CARE,
                bookiesHere ? 1 : OTHERS_LIMIT,
                "Of what was written to " + device + ", " + share(worst)
                        + " did not come from the server"
                        + String.format(
                                Locale.ROOT, " (%.1f MB/s, the file system's own journal included)", rate / 1e6),
                bookiesHere
                        ? "the bookies on this machine write to disks, too, so whether something else used this one cannot be"
                                + " reported"
                        : "something else used the log's disk heavily");
    }

    /** Of the trial in the middle: one percent of a short trial's rounds are three or four. */
    private static double hiccup(List<SideUsage> usage) {
        long[] sorted =
                usage.stream().mapToLong(SideUsage::hiccupP99Nanos).sorted().toArray();
        return sorted.length == 0 ? -1 : sorted[sorted.length / 2];
    }

    private static double worst(List<SideUsage> usage, ToDoubleFunction<SideUsage> figure) {
        return usage.stream().mapToDouble(figure).max().orElse(-1);
    }

    private static String share(double share) {
        return Units.percent(Math.max(0, share));
    }

    /** A negative figure is not known. */
    private void rule(CheckRule rule, String of, double found, double care, double limit, String what, String meaning) {
        checks.add(
                found < 0
                        ? rule.check(
                                of, false, Severity.WARNING, "The system does not report what is needed to check this.")
                        : check(rule.id() + ":" + of, found, care, limit, what, meaning));
    }

    private static Check check(String id, double found, double care, double limit, String what, String meaning) {
        boolean ok = found <= care;
        Severity severity = found > limit ? Severity.INVALID : Severity.WARNING;
        return new Check(id, ok, severity, ok ? what + "." : what + ": " + meaning + ".");
    }
}
