package io.plog.results.study;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudySamples;
import io.plog.results.Analysis;
import io.plog.results.study.SyntheticCells.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Whole studies out of {@link SyntheticCells}: samples in a file, with known answers. */
public final class SyntheticStudy {
    static final StudyDesign DEDICATED = new StudyDesign("dedicated", 1);
    static final StudyDesign INLINE = new StudyDesign("inline", 1);
    static final StudyDesign FEW = new StudyDesign("threads=150", 1);
    static final StudyDesign MANY = new StudyDesign("threads=300", 1);
    static final StudyDesign SHARED = new StudyDesign("threads-shared=150", 1);

    /** By the number of trials. */
    private static final Map<Integer, Analysis.Outcome> KNOWN = new HashMap<>();

    private SyntheticStudy() {}

    /** What each design does: it is known, so everything that follows is. */
    private static Behaviour logged(StudyDesign design) {
        if (design.isDedicated()) {
            return new Behaviour(4000, 100, true, 8, "", 0);
        }
        if (design.isInline()) {
            return new Behaviour(2000, 2000, false, 1, "", 0);
        }
        return design.isThreads()
                ? new Behaviour(1000, design.equals(MANY) ? 4500 : 3000, false, 1, "", 0)
                : new Behaviour(3000, 150, true, 4, "", 0);
    }

    /** In memory everything is three times as fast as with the log, and in the order of sizes. */
    static Behaviour of(StudyCell cell) {
        Behaviour logged = logged(cell.design());
        return cell.isControl() ? new Behaviour(3 * logged.perSecond(), 30, true, 1, "", 0) : logged;
    }

    static Designs plan(int trials) {
        return plan(trials, List.of(DEDICATED, INLINE, FEW, MANY, SHARED));
    }

    static Designs plan(int trials, List<StudyDesign> designs) {
        // Two rates for all: half and nine tenths of what the slowest keeps.
        double slowest = 0.96
                * designs.stream()
                        .mapToDouble(design -> logged(design).perSecond())
                        .min()
                        .orElseThrow();
        return new Designs(
                designs,
                "fdatasync",
                new Designs.Traffic(Mix.parse("100=1,1k=1,10k=1,100k=1"), 300, 5, Arrivals.POISSON),
                new Designs.Levels(
                        List.of(0.5, 0.95), List.of(slowest / 2, slowest * 0.9), List.of(), false, List.of(0.5, 2.0)),
                trials,
                500000000L,
                600000000L,
                7);
    }

    /** All cells of a plan, each behaving as its design does, but for a change. */
    static StudySamples measured(Path directory, Designs plan, UnaryOperator<Behaviour> change, List<SideEvents> events)
            throws IOException {
        SyntheticCells cells = new SyntheticCells(Files.createTempDirectory(directory, "study"), plan, 11);
        cells.recording(events);
        StudySamples study = new StudySamples(plan, "plog study", "0.1.0", Instant.parse("2026-11-21T12:00:00Z"));
        for (StudyCell cell : capacities(plan)) {
            study.add(cells.outcome(cell, change.apply(of(cell))));
            if (!cell.isControl()) {
                study.note(cell, new TrialRecord.ConfirmedRate(0, cell.trial(), 0.96 * of(cell).perSecond()));
            }
        }
        for (StudyCell cell : loads(plan)) {
            Behaviour own = of(cell);
            // At a rate, a server answers what comes; on the slower machine, dedicated takes twice as long.
            double factor = cell.processors() == 0.5 && cell.design().equals(DEDICATED) ? 2 : 1;
            study.add(cells.outcome(
                    cell,
                    change.apply(new Behaviour(
                            cell.ratePerSecond(),
                            own.latencyMicros() * factor,
                            own.ordersBySize(),
                            own.batch(),
                            own.claimedDesign(),
                            own.status(),
                            own.lagShare()))));
        }
        return study;
    }

    /** All cells at infinite demand. */
    static List<StudyCell> capacities(Designs plan) {
        return ofAll(plan, (trial, processors) -> StudyOrder.capacities(plan, trial, processors));
    }

    /** All others, where each design keeps 0.96 of what it carries. */
    static List<StudyCell> loads(Designs plan) {
        ToDoubleFunction<StudyDesign> confirmed =
                design -> 0.96 * logged(design).perSecond();
        List<Double> rates = StudyOrder.absoluteRates(plan, confirmed);
        return ofAll(plan, (trial, processors) -> StudyOrder.loads(plan, trial, processors, confirmed, rates));
    }

    private static List<StudyCell> ofAll(Designs plan, BiFunction<Integer, Double, List<StudyCell>> cells) {
        return IntStream.range(0, plan.trials())
                .boxed()
                .flatMap(trial -> plan.machines().stream().flatMap(machine -> cells.apply(trial, machine).stream()))
                .toList();
    }

    /** What is found in a study's samples. */
    static Analysis.Outcome analysed(Path directory, StudySamples study, String partial) throws IOException {
        Path file = Files.createTempDirectory(directory, "samples").resolve(SampleFileWriter.FILE_NAME);
        study.write(file, partial);
        try (SampleFileReader samples = SampleFileReader.open(file)) {
            return Analysis.of(samples);
        }
    }

    /**
     * What is found in a study of five designs on two machines: computed once for all tests of a JVM.
     *
     * @param directory for its samples, if this is the first test that asks
     */
    static synchronized Analysis.Outcome known(Path directory, int trials) throws IOException {
        Analysis.Outcome known = KNOWN.get(trials);
        if (known == null) {
            known = analysed(directory, measured(directory, plan(trials), own -> own, List.of()), "");
            KNOWN.put(trials, known);
        }
        return known;
    }

    /**
     * Writes the samples of a study of five designs on two machines.
     *
     * @param directory for the samples of each cell, too
     * @return the file
     */
    public static Path write(Path directory, int trials) throws IOException {
        Path file = Files.createDirectories(directory).resolve(SampleFileWriter.FILE_NAME);
        measured(Files.createDirectories(directory.resolve("cells")), plan(trials), own -> own, List.of())
                .write(file, "");
        return file;
    }

    /** The same of two designs in one trial. */
    public static Path writeSmall(Path directory) throws IOException {
        Path file = directory.resolve(SampleFileWriter.FILE_NAME);
        measured(directory, plan(1, List.of(DEDICATED, INLINE)), own -> own.at(own.perSecond() / 1.6), List.of())
                .write(file, "");
        return file;
    }

    /** The same, analysed. */
    public static Analysis.Outcome of(Path directory, int trials) throws IOException {
        try (SampleFileReader samples = SampleFileReader.open(Objects.requireNonNull(write(directory, trials)))) {
            return Analysis.of(samples);
        }
    }
}
