package io.plog.app.study;

import io.plog.app.cli.DesignConverter;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyPlan;
import io.plog.server.options.DesignOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a study measures unless its options say otherwise: in short, so that it ends within about six minutes on two
 * processors, or in full.
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
    /** As the study's servers: New-Flash, Old Flash, Apache with 150 and 300 processes, Flashpache. */
    static final List<String> DESIGNS =
            List.of("dedicated", "inline", "threads=150", "threads=300", "threads-shared=150");

    static final StudyDefaults SHORT = new StudyDefaults(
            List.of(1), List.of(0.5, 0.95), 300, 1, Duration.ofMillis(2_500), Duration.ofSeconds(1), List.of());

    /** The study's loads, connections, and one and four instances. */
    static final StudyDefaults FULL = new StudyDefaults(
            List.of(1, 4),
            List.of(0.2, 0.4, 0.6, 0.8, 0.9, 0.95),
            1_020,
            5,
            Duration.ofSeconds(10),
            Duration.ofSeconds(3),
            List.of(100, 1_000, 10_000, 100_000));

    /** Starting and ending a server, and what is recorded besides the samples, takes about so long. */
    private static final double SECONDS_BESIDES = 3.5;

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
            DesignOption parsed = DesignConverter.parse(option.strip());
            List<Integer> each = parsed.threads() == 0 ? eventLoops : eventLoops.subList(0, 1);
            each.forEach(loops -> designs.add(new StudyDesign(parsed.label(), loops)));
        }
        return designs;
    }

    /** About how long a plan takes, in seconds. */
    static double seconds(StudyPlan plan) {
        double each = SECONDS_BESIDES
                + plan.serverWarmUp().plus(plan.warmUp()).plus(plan.duration()).toMillis() / 1e3;
        return plan.cells() * each;
    }

    /** A plan, its time and its bytes, in lines. */
    static String text(StudyPlan plan, Path logDirectory) {
        double seconds = seconds(plan);
        StringBuilder text = new StringBuilder();
        text.append("designs    ")
                .append(String.join(
                        "; ", plan.designs().stream().map(StudyDesign::label).toList()))
                .append('\n');
        text.append("cells      ")
                .append(plan.cells())
                .append(", each with a fresh server and log, in ")
                .append(plan.trials())
                .append(plan.trials() == 1 ? " trial\n" : " trials\n");
        text.append("loads      ")
                .append(plan.levels().relativeLoads())
                .append(" of each design's capacity, and ")
                .append(
                        plan.levels().absoluteRates().isEmpty()
                                ? StudyPlan.ABSOLUTE_SHARES + " of the slowest design's for all"
                                : plan.levels().absoluteRates() + " requests a second for all")
                .append('\n');
        text.append("force      ")
                .append(plan.force())
                .append(", log on the disk of ")
                .append(logDirectory)
                .append('\n');
        text.append("seed       ").append(plan.seed()).append('\n');
        text.append("repeat     ").append(plan.command()).append('\n');
        text.append(String.format(
                Locale.ROOT,
                "takes      about %s%n",
                seconds < 120 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min"));
        text.append(String.format(
                Locale.ROOT,
                "writes     log of at most %,d MB at a time, deleted after each cell; samples of about %,d MB that stay%n",
                StudyServer.spaceBytes(plan) / 1_000_000,
                Math.max(
                        1,
                        Math.round(plan.cells()
                                * GUESSED_PER_SECOND
                                * SAMPLE_BYTES
                                * plan.duration().toMillis()
                                / 1e9))));
        return text.toString();
    }
}
