package io.plog.results;

import io.plog.host.ClientFacts;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.load.LoadTargets;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Recovery;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.samples.TrialRecord.SearchLoad;
import io.plog.measure.study.StudySamples;
import io.plog.results.cells.CellAnalysis;
import io.plog.results.cells.CellEstimates;
import io.plog.results.cells.DiskFacts;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.Interruptions;
import io.plog.results.cells.LoadFigures;
import io.plog.results.cells.MaxRates;
import io.plog.results.cells.RecoveryFigures;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.NotComparableException;
import io.plog.results.compare.TargetPair;
import io.plog.results.model.Check;
import io.plog.results.model.Claim;
import io.plog.results.model.DiskCells;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.study.Headline;
import io.plog.results.study.StudyCells;
import io.plog.results.study.StudyClaims;
import io.plog.results.study.StudyComparisons;
import io.plog.results.verdict.Checks;
import io.plog.results.verdict.Claims;
import io.plog.results.verdict.CostSentences;
import io.plog.results.verdict.DirectoryComparison;
import io.plog.results.verdict.DiskClaims;
import io.plog.results.verdict.Overheads;
import io.plog.results.verdict.StableStorageVerdicts;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the samples of a run into {@code results.json} and what the figures draw. Every figure on the page and in {@link
 * TerminalSummary} is computed here, from the samples and from nothing else.
 */
public final class Analysis {
    private final SampleSource source;
    private final RunInfo info;
    private final List<SideEvents> events;
    private final List<SearchLoad> search;
    private final Interruptions interruptions;
    private final CellAnalysis.Circumstances circumstances;
    private final List<CellAnalysis.Found> cells = new ArrayList<>();
    private final List<Overheads.Judged> overhead = new ArrayList<>();
    private final List<DiskClaims.Pair> disks = new ArrayList<>();
    private final List<Results.Overhead> designs = new ArrayList<>();
    private final List<Results.Cost> compared = new ArrayList<>();
    private final Map<String, LoadTally> tallies = new LinkedHashMap<>();

    private Analysis(SampleSource source) throws IOException {
        this.source = source;
        events = source.events();
        interruptions = new Interruptions(events);
        info = source.info();
        search = info.targets().stream()
                .flatMap(target -> TrialRecord.of(source.end().trials(), SearchLoad.class, target.id()))
                .toList();
        circumstances = new CellAnalysis.Circumstances(
                interruptions,
                info.plan().isScheduled(),
                "inline".equals(info.server().get("design")),
                !info.isOfDisks(),
                info.isOfDisks() || info.plan() instanceof Load,
                info.plan() instanceof Load load && !load.keepSamples(),
                source.end().trials(),
                null);
    }

    /**
     * What {@code results.json} holds, and what the page needs besides.
     *
     * @param sideBySide two directories that were measured side by side, compared; null if there are no two
     */
    public record Outcome(
            Results results, FigureData figures, @Nullable Assessment sideBySide) {}

    /**
     * Of a sample file.
     *
     * @throws io.plog.measure.samples.SampleFileException if it is none, is damaged, or of a newer format
     */
    public static Outcome of(Path samples) throws IOException {
        try (SampleFileReader source = SampleFileReader.open(samples)) {
            return of(source);
        }
    }

    /** What {@code results.json} holds. */
    public static Results results(SampleSource source) throws IOException {
        return of(source).results();
    }

    /** Reads every cell once. */
    public static Outcome of(SampleSource source) throws IOException {
        return new Analysis(source).run();
    }

    private Outcome run() throws IOException {
        for (int bytes : info.plan().sizesBytes().stream().sorted().toList()) {
            analyseSize(bytes);
        }
        if (info.isStudy()) {
            cells.sort(Comparator.comparingInt(found -> found.target().id())); // in the order of its loads
        }
        Results.Partial partial = partial();
        List<LoadSummary> load = load();
        Results.MaxRate maxRate = info.plan() instanceof Load asked && !search.isEmpty()
                ? MaxRates.of(search, asked.loop().connections())
                : null;
        List<Check> validity = Checks.of(
                kind(),
                info,
                source.end().trials(),
                partial,
                cells,
                load,
                events,
                overhead.stream().map(Overheads.Judged::overhead).toList());
        boolean valid = validity.stream().noneMatch(Check::invalidates);
        List<Overheads.Judged> judged = Overheads.together(overhead, valid);
        List<Results.Cell> found = cells.stream().map(CellAnalysis.Found::cell).toList();
        List<Results.Target> targets = targets();
        Results.Environment environment = environment(targets);
        List<Results.Overhead> overheads = info.isStudy()
                ? List.copyOf(designs)
                : judged.stream().map(Overheads.Judged::overhead).toList();
        Results results = new Results(
                Results.SCHEMA_VERSION,
                kind(),
                info.plogVersion(),
                info.startedAt().toString(),
                partial,
                environment,
                info.command(),
                info.plan(),
                found,
                overheads,
                claims(targets, judged, overheads, found).stream()
                        .map(claim -> valid ? claim : claim.notJudged(validity))
                        .toList(),
                validity,
                info.isStudy() || info.plan() instanceof Recovery
                        ? List.of()
                        : StableStorageVerdicts.judge(measured(), found),
                interruptions.pauses(),
                load,
                maxRate,
                maxRate != null
                        ? List.of(new Results.Cost(null, maxRate.sentence()))
                        : costs(targets, overheads, found),
                PlannedFacts.of(
                        info.plan(), found, environment, info.startedAt().toString(), info.plogVersion()));
        return new Outcome(
                results,
                FigureData.of(cells, interruptions.lanes()),
                info.isOfDisks() && targets.size() == 2 ? sideBySide(results) : null);
    }

    private @Nullable Assessment sideBySide(Results results) throws IOException {
        List<Results.Target> both = results.environment().targets();
        Assessor.Input input = new Assessor.Input(results.startedAt(), source, results);
        TargetPair.Names names =
                new TargetPair.Names(both.get(0).name(), both.get(1).name());
        try {
            return Assessor.of(input, input, new Assessor.Request(names, List.of(), false, false));
        } catch (NotComparableException nothingInCommon) {
            return null;
        }
    }

    private List<Claim> claims(
            List<Results.Target> targets,
            List<Overheads.Judged> judged,
            List<Results.Overhead> overheads,
            List<Results.Cell> found) {
        if (info.isStudy()) {
            return StudyClaims.judge(
                    StudyCells.of(info.plan().targets(), found, overheads),
                    info.plan().trials());
        }
        if (!isRun()) {
            return List.of();
        }
        List<CellEstimates> figures = cells.stream()
                .flatMap(cell -> Stream.ofNullable(cell.figures()))
                .toList();
        return Claims.judge(
                new Claims.RunFacts(targets, figures, judged, disks, loopback(), ((Grid) info.plan()).connections()));
    }

    /** Whether client and server talked through the machine's own loopback; null if it is not known. */
    private @Nullable Boolean loopback() {
        return switch (info.client().getOrDefault(ClientFacts.NETWORK, "")) {
            case ClientFacts.LOOPBACK -> true;
            case ClientFacts.REMOTE -> false;
            default -> null;
        };
    }

    private List<Results.Cost> costs(
            List<Results.Target> targets, List<Results.Overhead> overheads, List<Results.Cell> found) {
        if (info.isStudy()) {
            return Headline.sentences(StudyCells.of(info.plan().targets(), found, overheads)).stream()
                    .map(sentence -> new Results.Cost(null, sentence))
                    .toList();
        }
        if (info.plan() instanceof Recovery) {
            return found.stream()
                    .flatMap(cell -> Stream.ofNullable(RecoveryFigures.sentence(cell)))
                    .map(sentence -> new Results.Cost(null, sentence))
                    .toList();
        }
        return info.isOfDisks()
                ? Stream.concat(
                                DiskCells.byDirectory(targets, found).entrySet().stream()
                                        .map(directory -> new Results.Cost(
                                                directory.getKey(),
                                                directory.getValue().cost())),
                                compared.stream())
                        .toList()
                : CostSentences.all(targets, overheads, found);
    }

    /** The cells of one size: the one without logging is kept until the others have been compared with it. */
    private void analyseSize(int bytes) throws IOException {
        List<CellAnalysis.Found> ofSize = new ArrayList<>();
        for (RunInfo.Target target : measured()) {
            Samples samples = source.samples(target, bytes);
            if (samples.count() > 0) {
                CellAnalysis.Found found = CellAnalysis.of(target, bytes, samples, circumstances(target));
                // A study has many cells, of which few are compared.
                ofSize.add(info.isStudy() && !StudyComparisons.isCompared(target) ? found.withoutBlocks() : found);
                tally(target, samples);
            }
        }
        Optional<CellAnalysis.Found> off = ofSize.stream()
                .filter(found -> found.target().forceLabel().equals(ForceLabel.OFF)
                        && found.cell().count() > 0)
                .findFirst();
        for (CellAnalysis.Found found : ofSize) {
            if (isRun()
                    && off.isPresent()
                    && !found.target().forceLabel().equals(ForceLabel.OFF)
                    && found.cell().count() > 0) {
                overhead.add(Overheads.compare(found, off.get()));
            }
        }
        if (info.isStudy()) {
            designs.addAll(StudyComparisons.of(info.plan().targets(), ofSize));
        }
        if (isRun()) {
            disks.addAll(DiskClaims.pairs(ofSize));
        }
        if (info.isOfDisks()) {
            DirectoryComparison.sentences(ofSize).forEach(sentence -> compared.add(new Results.Cost(null, sentence)));
        }
        ofSize.stream().map(CellAnalysis.Found::withoutBlocks).forEach(cells::add);
    }

    /** Each cell of a study has a server and a load of its own. */
    private CellAnalysis.Circumstances circumstances(RunInfo.Target target) {
        if (!(info.plan() instanceof Designs plan)) {
            return circumstances;
        }
        boolean infinite = StudyCell.CAPACITY.equals(target.dimensions().get(StudyCell.LOAD));
        return new CellAnalysis.Circumstances(
                new Interruptions(events.stream()
                        .filter(each -> each.isOfCell(target.id()))
                        .toList()),
                !infinite,
                true,
                true,
                false,
                false,
                List.of(),
                new LoadFigures.Load(plan.span(), !infinite, source.end().trials(), plan.seed()));
    }

    /** Targets of the plan: the logged ones in the server's order, then those without logging. */
    private List<RunInfo.Target> measured() {
        return info.targets().stream()
                .filter(target -> info.plan().targets().contains(target.name()))
                .sorted(Comparator.comparing(target -> target.forceLabel().equals(ForceLabel.OFF)))
                .toList();
    }

    private Results.Environment environment(List<Results.Target> targets) {
        Map<String, String> client = new LinkedHashMap<>(info.client());
        client.putAll(interruptions.facts(SideEvents.CLIENT));
        Map<String, String> server = new LinkedHashMap<>(info.server());
        server.putAll(interruptions.facts(SideEvents.SERVER));
        return new Results.Environment(client, server, targets);
    }

    private Results.Kind kind() {
        return Results.Kind.of(info.plan());
    }

    /** Only a run has targets of a server next to each other, with and without logging; the published claims are about them. */
    private boolean isRun() {
        return kind() == Results.Kind.RUN;
    }

    /** Each target, directory or design once, with what is known of its directory; a directory's cells say how they are forced. */
    private List<Results.Target> targets() {
        Map<String, Results.Target> found = new LinkedHashMap<>();
        for (RunInfo.Target target : measured()) {
            Map<String, String> facts = new LinkedHashMap<>(target.facts());
            facts.remove(StudySamples.LABEL);
            boolean forced = info.isOfDisks() || target.forceLabel().forces();
            found.putIfAbsent(
                    target.name(),
                    new Results.Target(
                            target.id(),
                            target.name(),
                            info.isOfDisks() ? "" : target.force(),
                            forced && !new DiskFacts(facts).inMemory(),
                            facts));
        }
        return List.copyOf(found.values());
    }

    private void tally(RunInfo.Target target, Samples samples) {
        if (info.plan() instanceof Load load) {
            tallies.computeIfAbsent(
                            target.facts().getOrDefault(LoadTargets.SERVER_TARGET, target.name()),
                            name -> new LoadTally(load.span(), load.isScheduled()))
                    .add(samples);
        }
    }

    private List<LoadSummary> load() {
        return tallies.entrySet().stream()
                .map(target -> target.getValue()
                        .summary(
                                target.getKey(),
                                LoadTally.counts(source.end()),
                                source.end().partial()))
                .toList();
    }

    private Results.Partial partial() {
        RunInfo.End end = source.end();
        if (!search.isEmpty() && !search.get(search.size() - 1).last()) {
            return new Results.Partial(true, "the search was not over after " + search.size() + " loads");
        }
        String reason = (source.isCut() ? "the sample file " : "") + end.reason();
        return new Results.Partial(end.partial(), end.partial() ? reason + unanswered(Checks.lost(cells)) : reason);
    }

    /** The outcome of the requests that were under way when the run ended early. */
    private static String unanswered(long lost) {
        if (lost == 0) {
            return "";
        }
        return lost == 1
                ? "; 1 request ended without a reply and is in no figure"
                : "; " + Units.count(lost) + " requests ended without a reply and are in no figure";
    }
}
