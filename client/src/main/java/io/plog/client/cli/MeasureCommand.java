package io.plog.client.cli;

import io.plog.client.ledger.LedgerOptions;
import io.plog.client.load.MeasurePlan;
import io.plog.client.load.PlanException;
import io.plog.client.report.Report;
import io.plog.client.report.Results;
import io.plog.client.report.TerminalSummary;
import io.plog.protocol.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog measure}: runs the experiment against a server. */
@Command(
        name = "measure",
        description = "Measures what logging costs: every target of a server with every size, in randomised blocks.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early (server gone, Ctrl-C): what was measured is written, marked as partial",
            "2:misused: an option, or a target or size that the server does not have",
            "5:measured, but the run is not valid; the summary says why"
        })
public final class MeasureCommand implements Callable<Integer> {
    private static final int PAPER_BLOCKS = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            defaultValue = HostPort.DEFAULT,
            description = "The server; default ${DEFAULT-VALUE}.")
    private String server = HostPort.DEFAULT;

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            split = ",",
            description = "Payload sizes, as 100,1k,64KiB (k is 1000, Ki 1024); default 100,1k,10k,50k,100k.")
    private @Nullable List<String> sizes;

    @Option(names = "--iterations", paramLabel = "N", description = "Counted requests of each cell; default 2000.")
    private @Nullable Long iterations;

    @Option(names = "--warmup", paramLabel = "N", description = "Requests of each cell before that; default 1000.")
    private long warmup = MeasurePlan.DEFAULT_WARMUP;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Randomised blocks that each cell is divided into; default 10, with --paper 20.")
    private @Nullable Integer blocks;

    @Option(
            names = "--targets",
            paramLabel = "NAMES",
            split = ",",
            description = "Targets to measure, as a,b; default all that the server has.")
    private @Nullable List<String> targets;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections, each with one request outstanding; default 1.")
    private int connections = 1;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "Intended requests a second over all connections; default as fast as replies come.")
    private double rate;

    @Option(names = "--seed", paramLabel = "S", description = "Decides order and payloads; default a random one.")
    private @Nullable Long seed;

    @Option(names = "--paper", description = "As in the published study: 100000 counted requests of each cell.")
    private boolean paper;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the results go; default plog-results/ and the time.")
    private @Nullable Path out;

    @Option(names = "--force", description = "Replace results that are in DIR already.")
    private boolean force;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Append a line for each acknowledgement: client request target index length crc32c.")
    private @Nullable Path ledger;

    @Option(
            names = "--ledger-force",
            description = "Force each line of the ledger before that connection's next request; slows the load down.")
    private boolean ledgerForce;

    @Option(
            names = "--ledger-force-interval",
            paramLabel = "TIME",
            description = "Otherwise: how long a line may wait for its force; default 100ms.")
    private @Nullable String ledgerForceInterval;

    @Option(names = "--csv", description = "Also export all samples as samples.csv.")
    private boolean csv;

    @Option(names = "--json", description = "Print results.json instead of the summary.")
    private boolean json;

    @Override
    public Integer call() {
        try {
            return measure(plan(), out != null ? out : ResultsDirectory.byTime(Instant.now()));
        } catch (IllegalArgumentException | PlanException e) {
            return complain(Failure.MISUSED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            return complain(Failure.FAILED, Failure.sentence(e), e);
        }
    }

    private int measure(MeasurePlan plan, Path directory) throws IOException, PlanException {
        PrintWriter err = spec.commandLine().getErr();
        MeasureRun.Outcome outcome;
        try (MeasureRun run = MeasureRun.open(plan, directory, force, csv)) {
            err.println("seed " + plan.seed() + "; results go to " + directory);
            Interrupts.onFirst(run::stop);
            ProgressPrinter progress = ProgressPrinter.onStandardError(err);
            try {
                outcome = run.run(progress);
            } finally {
                progress.done();
            }
        }
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(json ? Report.json(outcome.results()) : TerminalSummary.of(outcome.results()));
        stdout.flush();
        err.println("report: " + directory.resolve(Report.HTML_FILE));
        return exitCode(outcome);
    }

    private int exitCode(MeasureRun.Outcome outcome) {
        if (outcome.end().partial()) {
            return complain(
                    Failure.FAILED, "the run is partial: " + outcome.end().reason());
        }
        for (Results.Validity check : outcome.results().validity()) {
            if (!check.ok() && check.severity() == Results.Severity.INVALID) {
                return complain(Failure.NOT_VALID, "the run is not valid: " + check.detail());
            }
        }
        return Failure.DONE;
    }

    /** The options as a plan; checks what they say by themselves. */
    private MeasurePlan plan() {
        HostPort address = HostPort.parse(server);
        long counted =
                iterations != null ? iterations : paper ? MeasurePlan.PAPER_ITERATIONS : MeasurePlan.DEFAULT_ITERATIONS;
        int usual = paper ? PAPER_BLOCKS : MeasurePlan.DEFAULT_BLOCKS;
        int chosenBlocks = blocks != null ? blocks : (int) Math.max(1, Math.min(usual, counted));
        long chosenSeed = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
        List<Integer> bytes = sizes == null
                ? MeasurePlan.DEFAULT_SIZES_BYTES
                : sizes.stream().map(MeasureCommand::bytes).toList();
        List<String> names = targets == null ? List.of() : targets;
        String command = "plog measure --server " + address + " --sizes "
                + bytes.stream().map(ByteSize::format).collect(Collectors.joining(","))
                + " --iterations " + counted + " --warmup " + warmup + " --blocks " + chosenBlocks
                + (names.isEmpty() ? "" : " --targets " + String.join(",", names))
                + (connections == 1 ? "" : " --connections " + connections)
                + (rate == 0 ? "" : " --rate " + rate)
                + " --seed " + chosenSeed;
        return new MeasurePlan(
                address.host(),
                address.port(),
                bytes,
                names,
                counted,
                warmup,
                chosenBlocks,
                connections,
                rate,
                chosenSeed,
                ledgerOptions(),
                command);
    }

    private @Nullable LedgerOptions ledgerOptions() {
        if (ledger == null) {
            if (ledgerForce || ledgerForceInterval != null) {
                throw new IllegalArgumentException("--ledger-force and --ledger-force-interval need --ledger FILE");
            }
            return null;
        }
        if (ledgerForce && ledgerForceInterval != null) {
            throw new IllegalArgumentException("--ledger-force and --ledger-force-interval exclude each other");
        }
        Duration interval = ledgerForceInterval == null
                ? LedgerOptions.DEFAULT_FORCE_INTERVAL
                : TimeSpan.parse("--ledger-force-interval", ledgerForceInterval);
        return new LedgerOptions(ledger, ledgerForce, interval);
    }

    private static int bytes(String text) {
        long bytes = ByteSize.parse(text);
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("size " + text + " is over what any server takes");
        }
        return (int) bytes;
    }

    private int complain(int code, String sentence, Throwable cause) {
        complain(code, sentence);
        Failure.trace(cause, spec.commandLine().getErr());
        return code;
    }

    private int complain(int code, String sentence) {
        spec.commandLine().getErr().println("plog measure: " + sentence);
        return code;
    }
}
