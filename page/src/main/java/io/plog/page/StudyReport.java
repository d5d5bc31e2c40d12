package io.plog.page;

import io.plog.report.study.Headline;
import io.plog.report.study.PublishedTables;
import io.plog.report.study.StudyBlocks;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyNumbers;
import io.plog.report.study.StudyResults;
import io.plog.report.study.StudyResults.Plan;
import io.plog.report.study.StudyTables;
import io.plog.report.study.StudyView;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the results of a load study into {@code study.json} and a page. Stateless; safe for any thread. */
public final class StudyReport {
    /** The results, from which the report can be rendered again. */
    public static final String STUDY_FILE = StudyFile.NAME;

    private StudyReport() {}

    /**
     * Writes both files; each appears whole or not at all.
     *
     * @param directory created if it is missing; files of the same names are replaced
     * @throws IOException if a file can't be written
     */
    public static void write(StudyResults results, Path directory) throws IOException {
        Files.createDirectories(directory);
        StudyFile.write(results, directory);
        render(results, directory);
    }

    /**
     * Writes {@code report.html} alone.
     *
     * @param directory created if it is missing; a file of the same name is replaced
     * @throws IOException if it can't be written
     */
    public static void render(StudyResults results, Path directory) throws IOException {
        Page.write(of(results), directory);
    }

    /**
     * Writes the files of the figures, or none if one is in the way.
     *
     * @param force whether files of the same names are replaced
     * @return what was written, for a person
     * @throws FigureFiles.InTheWayException if a file of the same name is there and {@code force} is not set
     * @throws IOException if a file can't be written
     */
    public static String writeFigures(StudyResults results, Path directory, boolean force) throws IOException {
        return DrawnFiles.write(of(results), directory, force);
    }

    /** What the page shows. */
    static PageData of(StudyResults results) {
        StudyView study = new StudyView(results);
        List<String> headline = new Headline(study).sentences();
        Map<String, Object> documents = new LinkedHashMap<>();
        documents.put("headline", headline);
        documents.put(
                "subtitle",
                study.designs().size() + " designs · force: " + results.plan().force() + " · "
                        + study.loads("relative").size() + " cells at relative and "
                        + study.loads("absolute").size() + " at absolute loads");
        documents.put("startedAt", results.startedAt());
        documents.put("partialReason", results.partialReason());
        documents.put("validity", results.validity());
        documents.put("claims", results.claims());
        documents.put("trials", results.plan().trials());
        documents.put("command", results.plan().command());
        documents.put("plan", plan(results));
        documents.put("environment", results.environment());
        documents.put("blocks", StudyBlocks.of(study));
        documents.put("words", words(study));
        return new PageData(
                "study",
                "plog study " + results.startedAt(),
                study.source(),
                documents,
                StudyTables.of(study),
                Stream.of(
                                results.validity().stream()
                                        .filter(check -> !check.ok())
                                        .map(check -> check.severity().label() + ": " + check.detail()),
                                headline.stream(),
                                results.claims().stream()
                                        .map(claim -> claim.id() + ", " + claim.claim() + ": "
                                                + claim.verdict().label() + ". " + claim.detail()))
                        .flatMap(sentences -> sentences)
                        .toList());
    }

    /** What stands in the texts of the list of figures. */
    private static Map<String, String> words(StudyView study) {
        Double level = study.topLevel();
        Double rate = study.commonRate();
        Plan plan = study.results().plan();
        return Map.of(
                "level", level == null ? "none" : StudyNumbers.level(level),
                "rate", rate == null ? "none" : StudyNumbers.perSecond(study.planned(rate)),
                "trials", plan.trials() == 1 ? "1 trial" : plan.trials() + " trials",
                "layout", study.results().kind() + ", " + study.results().schemaVersion(),
                "published", PublishedTables.STUDY + " (and 2004); " + PublishedTables.THESIS);
    }

    private static List<List<String>> plan(StudyResults results) {
        Plan plan = results.plan();
        return List.of(
                List.of("designs", String.join("; ", plan.designs())),
                List.of("force", plan.force()),
                List.of("arrivals", plan.arrivals()),
                List.of(
                        "connections",
                        Units.count(plan.connections())
                                + (plan.requestsPerConnection() > 0
                                        ? ", each made anew after " + Units.count(plan.requestsPerConnection())
                                                + " requests"
                                        : ", never made anew")),
                List.of("mix of sizes", StudyNumbers.mix(plan.mix())),
                List.of(
                        "relative loads",
                        plan.relativeLoads().stream().map(StudyNumbers::level).collect(Collectors.joining(", "))),
                List.of(
                        "absolute rates",
                        plan.absoluteRates().stream()
                                .map(StudyNumbers::perSecond)
                                .collect(Collectors.joining(", "))),
                List.of("trials of each cell", Units.count(plan.trials())),
                List.of("length of a cell", Units.fourDigits(plan.secondsPerCell()) + " s"),
                List.of("seed", String.valueOf(plan.seed())),
                List.of("started", results.startedAt()),
                List.of("plog", results.plogVersion()),
                List.of("kind of results, layout", results.kind() + ", " + results.schemaVersion()));
    }
}
