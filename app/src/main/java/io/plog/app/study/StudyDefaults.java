package io.plog.app.study;

import io.plog.app.cli.Converters;
import io.plog.app.cli.DirectoryArgument;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.StudyDesign;
import io.plog.server.options.DesignOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a study measures unless its options say otherwise: in short, so that it ends within twelve minutes on two processors, or as
 * it was published.
 *
 * @param eventLoops of the designs without threads
 * @param relativeLoads shares of each design's capacity
 * @param connections at once
 * @param trials of each cell
 * @param duration of counting in each cell
 * @param warmUp before it
 * @param singleSizesBytes whose capacity is measured besides that of the mix
 */
record StudyDefaults(
        List<Integer> eventLoops,
        List<Double> relativeLoads,
        int connections,
        int trials,
        Duration duration,
        Duration warmUp,
        List<Integer> singleSizesBytes) {
    /** The one that serves, one whose loop blocks, and threads: New-Flash, Old Flash, Apache with 150 processes. */
    static final List<String> DESIGNS = List.of("dedicated", "inline", "threads=150");

    /** All servers of the study: also Apache with 300 processes, and Flashpache. */
    static final List<String> ALL_DESIGNS =
            List.of("dedicated", "inline", "threads=150", "threads=300", "threads-shared=150");

    /** Many short trials rather than few long ones: a stall of the disk is in one of them. All loads leave room, so they are kept. */
    static final StudyDefaults SHORT = new StudyDefaults(
            List.of(1), List.of(0.25, 0.5, 0.75), 300, 5, Duration.ofSeconds(2), Duration.ofMillis(500), List.of());

    /** The study's connections, and one and four instances. */
    static final StudyDefaults PAPER = new StudyDefaults(
            List.of(1, 4),
            List.of(0.2, 0.4, 0.6, 0.8, 0.9, 0.95),
            1_020,
            5,
            Duration.ofSeconds(10),
            Duration.ofSeconds(3),
            List.of(100, 1_000, 10_000, 100_000));

    /** To start a server and to warm it up takes about so long. */
    private static final double SECONDS_OF_A_SERVER = 12;

    /** Loads until the capacity is confirmed: in the first trial, and in the others, which begin at what the one before kept. */
    private static final double FIRST_STEPS = 10;

    private static final double STEPS = 1.7;

    /** Making connections, and what is recorded besides the samples, takes about so long. */
    private static final double SECONDS_BESIDES = 0.5;

    private static final int SAMPLE_BYTES = 40;

    /** A guess, to say beforehand what a study takes; small forces allow more, slow disks less. */
    private static final double GUESSED_PER_SECOND = 4_000;

    /**
     * The designs, those without threads with each number of event loops, the others with the first: their loops only read and
     * write, and in the study only Flash ran in several instances.
     *
     * @throws IllegalArgumentException if one is unknown, with the nearest
     */
    static List<StudyDesign> designs(List<String> options, List<Integer> eventLoops) {
        for (int loops : eventLoops) {
            if (loops < 1 || loops > 1_024) {
                throw new IllegalArgumentException("event-loops has " + loops + ": expected 1 to 1024");
            }
        }
        if (eventLoops.isEmpty()) {
            throw new IllegalArgumentException("event-loops is empty: expected numbers such as 1,4");
        }
        List<StudyDesign> designs = new ArrayList<>();
        for (String option : options) {
            DesignOption parsed = Converters.design(option.strip());
            List<Integer> each = parsed.threads() == 0 ? eventLoops : eventLoops.subList(0, 1);
            each.forEach(loops -> designs.add(new StudyDesign(parsed.label(), loops)));
        }
        return designs;
    }

    /** About how long a plan takes, in seconds. */
    static double seconds(Designs plan) {
        double each = SECONDS_BESIDES + (plan.warmUpNanos() + plan.durationNanos()) / 1e9;
        int designs = plan.designs().size() * plan.machines().size();
        double steps = FIRST_STEPS + STEPS * (plan.trials() - 1);
        return plan.cells() * each + designs * (plan.trials() * SECONDS_OF_A_SERVER + steps * each);
    }

    /** What the logs of the servers of a trial take at most. */
    static long spaceBytes(Designs plan) {
        return StudyServer.spaceBytes(plan) * plan.designs().size();
    }

    /** A plan, its time and its bytes, in lines. */
    static String text(Designs plan, String command, DirectoryArgument logs) {
        double seconds = seconds(plan);
        double sampleBytes = plan.cells() * GUESSED_PER_SECOND * SAMPLE_BYTES * (plan.durationNanos() / 1e9);
        List<Double> rates = plan.levels().absoluteRates();
        return String.format(
                Locale.ROOT,
                """
                designs    %s
                cells      %d, in %d %s with a fresh server and log for each design
                loads      %s of the rate that each design keeps, and %s
                force      %s, log on the disk of %s
                seed       %d
                repeat     %s
                takes      about %s
                writes     logs of at most %,d MB at a time, deleted after each trial; samples of about %,d MB that stay""",
                plan.designs().stream().map(StudyDesign::label).collect(Collectors.joining("; ")),
                plan.cells(),
                plan.trials(),
                plan.trials() == 1 ? "trial" : "trials, each",
                plan.levels().relativeLoads(),
                rates.isEmpty()
                        ? Designs.ABSOLUTE_SHARES + " of the slowest design's for all"
                        : rates + " requests a second for all",
                plan.force(),
                logs.name(),
                plan.seed(),
                command,
                seconds < 120 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min",
                spaceBytes(plan) / 1_000_000,
                Math.max(1, Math.round(sampleBytes / 1e6)));
    }
}
