package io.plog.app.measure;

import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.SizeConverter;
import io.plog.measure.MeasureGrid;
import io.plog.measure.MeasurePlan;
import io.plog.measure.PlanException;
import io.plog.measure.PlanFile;
import io.plog.measure.Warmup;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.stats.text.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that say what to measure, the same for {@code measure} and {@code demo}. An option that is not
 * given has the value of the {@code --plan} file, or null.
 */
public final class GridOptions {
    @Option(
            names = "--plan",
            order = HelpGroups.ADVANCED,
            paramLabel = "FILE",
            description = "File with a plan, in JSON; an option on the command line wins over it.")
    private @Nullable Path plan;

    @Option(
            names = "--dry-run",
            order = HelpGroups.ADVANCED,
            description = "Only print what would be measured, how long it would take and how much it would write.")
    private boolean dryRun;

    @Option(
            names = "--sizes",
            order = HelpGroups.SENT,
            paramLabel = "SIZES",
            split = ",",
            description = "Payload sizes, as 100,1k,64KiB (k is 1000, Ki 1024). Default: 100,1k,10k,50k,100k.")
    private @Nullable List<String> sizes;

    @Option(
            names = {"-n", "--iterations"},
            order = HelpGroups.LIMITS,
            paramLabel = "N",
            description =
                    "Requests that each cell (a size and a target) counts, over all trials. Default: 2000, or fewer"
                            + " where a demo would take too long; with --paper 100000.")
    private @Nullable Long iterations;

    @Option(
            names = "--trials",
            order = HelpGroups.LIMITS,
            paramLabel = "N",
            description = "Number of trials, each with new processes. Default: 1, with --paper 5.")
    private @Nullable Long trials;

    @Option(
            names = "--warmup",
            order = HelpGroups.LIMITS,
            paramLabel = "N",
            description =
                    "Requests of each cell before counting, in each trial: a number; or auto:N, which ends when every"
                            + " cell is steady and after N requests at the latest. Default: auto:1000, with --paper auto:10000.")
    private @Nullable String warmup;

    @Option(
            names = "--blocks",
            order = HelpGroups.ADVANCED,
            paramLabel = "N",
            description = "Number of randomised blocks that each cell is divided into within a trial. Default: 10.")
    private @Nullable Long blocks;

    @Option(
            names = {"-c", "--connections"},
            order = HelpGroups.SENT,
            paramLabel = "N",
            description = "Connections, each with one request outstanding. Default: 1.")
    private @Nullable Long connections;

    @Option(
            names = {"-r", "--rate"},
            order = HelpGroups.SENT,
            paramLabel = "R",
            description = "Requests a second over all connections. Default: as fast as replies come.")
    private @Nullable Double rate;

    @Option(
            names = "--seed",
            order = HelpGroups.ADVANCED,
            paramLabel = "N",
            description = "Seed of order and payloads. Default: a random one.")
    private @Nullable Long seed;

    @Option(
            names = "--paper",
            order = HelpGroups.SENT,
            description = "As in the published study: 100000 counted requests of each cell, in 5 trials.")
    private boolean paper;

    @Option(
            names = "--keep-awake",
            order = HelpGroups.ADVANCED,
            paramLabel = "WHEN",
            defaultValue = "auto",
            converter = KeepAwake.FromLabel.class,
            description = "Keep this machine's processors awake during the run: auto (if the system allows it), on or"
                    + " off. Default: ${DEFAULT-VALUE}. A processor that slept answers tens of microseconds later, and sleeps more without"
                    + " logging than with it.")
    private KeepAwake keepAwake = KeepAwake.AUTO;

    /** Whether this machine's processors are to be kept awake. */
    public KeepAwake keepAwake() {
        return keepAwake;
    }

    /** Whether only the plan is to be printed. */
    public boolean dryRun() {
        return dryRun;
    }

    /** Whether what is not said is to be as in the published study. */
    public boolean paper() {
        return paper;
    }

    /**
     * Options over the plan file.
     *
     * @throws PlanException if the file is no plan
     * @throws IOException if it cannot be read
     */
    public PlanFile chosen() throws IOException, PlanException {
        PlanFile given = PlanFile.EMPTY
                .with("sizes", sizes)
                .with("iterations", iterations)
                .with("trials", trials)
                .with("warmup", warmup)
                .with("blocks", blocks)
                .with("connections", connections)
                .with("rate", rate)
                .with("seed", seed);
        return plan == null ? given : given.orElse(PlanFile.read(plan));
    }

    /**
     * The plan with every key filled in that has a default.
     *
     * @param usual counted requests of each cell if neither the options nor the plan say it
     */
    public PlanFile withDefaults(PlanFile file, long usual) {
        long counted = file.iterations() != null ? file.iterations() : usual;
        long trialsOrUsual = file.trials() != null ? file.trials() : paper ? MeasureGrid.PAPER_TRIALS : 1;
        long fitting = Math.max(1, Math.min(MeasureGrid.DEFAULT_BLOCKS, counted / Math.max(1, trialsOrUsual)));
        PlanFile defaults = PlanFile.EMPTY
                .with(
                        "sizes",
                        MeasureGrid.DEFAULT_SIZES_BYTES.stream()
                                .map(ByteSize::format)
                                .toList())
                .with("iterations", counted)
                .with("trials", trialsOrUsual)
                .with("blocks", fitting)
                .with("connections", 1)
                .with("seed", new SecureRandom().nextInt(Integer.MAX_VALUE));
        Warmup filledIn = warmup(file.warmup(), paper ? Warmup.PAPER_MOST : Warmup.DEFAULT_MOST);
        return file.with("warmup", filledIn.label()).orElse(defaults);
    }

    /** What of the command line repeats a plan, seed included: with a space before each option. */
    public static String command(PlanFile plan) {
        return " --sizes " + String.join(",", Objects.requireNonNull(plan.sizes()))
                + " --iterations " + plan.iterations()
                + (Objects.equals(plan.trials(), 1L) ? "" : " --trials " + plan.trials())
                + " --warmup " + plan.warmup()
                + " --blocks " + plan.blocks()
                + (Objects.equals(plan.connections(), 1L) ? "" : " --connections " + plan.connections())
                + (plan.rate() == null ? "" : " --rate " + plan.rate())
                + " --seed " + plan.seed();
    }

    /**
     * The checked plan.
     *
     * @param file with every default filled in
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static MeasurePlan plan(
            PlanFile file, String host, int port, @Nullable LedgerOptions ledger, String command) {
        MeasureGrid grid = new MeasureGrid(
                Objects.requireNonNull(file.sizes()).stream()
                        .map(SizeConverter::parseInt)
                        .toList(),
                file.targets() == null ? List.of() : file.targets(),
                Objects.requireNonNull(file.iterations()),
                count("trials", file.trials(), 1),
                warmup(file.warmup(), Warmup.DEFAULT_MOST),
                count("blocks", file.blocks(), MeasureGrid.DEFAULT_BLOCKS),
                count("connections", file.connections(), 1),
                file.rate() == null ? 0 : file.rate(),
                Objects.requireNonNull(file.seed()));
        return new MeasurePlan(host, port, grid, ledger, command);
    }

    /**
     * A warm-up as people write it.
     *
     * @param most of one that ends by evidence and does not say it
     * @throws IllegalArgumentException if it is none
     */
    public static Warmup warmup(@Nullable String text, long most) {
        if (text == null || text.equals(Warmup.AUTO)) {
            return Warmup.untilSteady(most);
        }
        boolean evidence = text.startsWith(Warmup.AUTO + ":");
        try {
            long requests = Long.parseLong(evidence ? text.substring(Warmup.AUTO.length() + 1) : text);
            return new Warmup(requests, evidence);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "warmup is '" + text + "': expected a number, auto, or auto:N for at most N requests", e);
        }
    }

    /**
     * A whole number for which an int is enough.
     *
     * @throws IllegalArgumentException if it is beyond one
     */
    public static int count(String name, @Nullable Long value, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " is " + value + ": expected 0 to " + Integer.MAX_VALUE);
        }
        return (int) (long) value;
    }
}
