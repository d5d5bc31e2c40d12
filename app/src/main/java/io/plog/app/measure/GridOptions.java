package io.plog.app.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.HelpGroups;
import io.plog.measure.PlanException;
import io.plog.measure.PlanJson;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Warmup;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that say what to measure, the same for {@code measure} and {@code demo}. Each has the name of its key in
 * {@link RunPlan}, and is null if it is not given.
 */
@SuppressWarnings("UnusedVariable") // most are read by their keys
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
            description = "Only check the plan and print it as --plan takes it, every default filled in.")
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
            description = "Number of trials, each with new processes. Default: 3, with --paper 5.")
    private @Nullable Long trials;

    @Option(
            names = "--warmup",
            order = HelpGroups.LIMITS,
            paramLabel = "N",
            description =
                    "Requests of each cell before counting, in each trial: a number; or auto:N, which ends when every"
                            + " cell is steady and the just-in-time compilers rest, and after N requests or N times 12 ms at the"
                            + " latest. Default: auto:600, with --paper auto:10000.")
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

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

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
     * Options, those that the command has besides included, over the plan file. The seed is always said.
     *
     * @throws PlanException if the file is no plan
     * @throws IOException if it cannot be read
     */
    public ObjectNode asked() throws IOException, PlanException {
        ObjectNode asked = PlanJson.empty();
        PlanJson.put(asked, "seed", new SecureRandom().nextInt(Integer.MAX_VALUE));
        if (plan != null) {
            asked.setAll(PlanJson.read(plan));
        }
        return asked.setAll(given());
    }

    /** What options alone say. */
    ObjectNode given() {
        ObjectNode given = PlanJson.empty();
        for (OptionSpec option : spec.options()) {
            String key = PlanJson.key(option.longestName());
            Object value = option.getValue();
            if (PlanJson.KEYS.contains(key) && value != null) {
                PlanJson.put(given, key, value);
            }
        }
        return given;
    }

    /**
     * The checked plan, with every default filled in.
     *
     * @param usual counted requests of each cell unless it is said, or {@code --paper}
     * @throws IllegalArgumentException if a value is of another type or out of its range
     */
    public RunPlan plan(ObjectNode asked, long usual) {
        Warmup most = Warmup.untilSteady(paper ? Warmup.PAPER_MOST : Warmup.DEFAULT_MOST);
        if (asked.path("warmup").asText(Warmup.AUTO).equals(Warmup.AUTO)) {
            PlanJson.put(asked, "warmup", most);
        }
        unlessSaid(asked, "iterations", paper ? RunPlan.PAPER_ITERATIONS : usual);
        int trials = paper ? RunPlan.PAPER_TRIALS : RunPlan.DEFAULT.trials();
        long fitting = asked.path("iterations").asLong()
                / Math.max(1, asked.path("blocks").asLong(1));
        unlessSaid(asked, "trials", Math.max(1, Math.min(trials, fitting)));
        long each = asked.path("iterations").asLong()
                / Math.max(1, asked.path("trials").asLong());
        unlessSaid(asked, "blocks", Math.max(1, Math.min(RunPlan.DEFAULT.blocks(), each)));
        return PlanJson.plan(asked);
    }

    private static void unlessSaid(ObjectNode asked, String key, long value) {
        if (!asked.has(key)) {
            asked.put(key, value);
        }
    }
}
