package io.plog.app.powercut;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.SecurityOptions;
import io.plog.app.cli.StopSignals;
import io.plog.app.powercut.PowerCutMachine.Outcome;
import io.plog.app.powercut.PowerCutMachine.Verdict;
import io.plog.client.ClientOptions;
import io.plog.measure.HostPort;
import io.plog.measure.PlanException;
import io.plog.simdisk.ModelledDisk;
import io.plog.simdisk.PowerSwitch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog powercut}: the power-cut test, guided. */
@Command(
        name = "powercut",
        description = {
            "Guides through the power-cut test: whether what was acknowledged survives on this disk. On the machine under"
                    + " test it takes a directory on that disk, serves two logs, and after each cut audits what is left."
                    + " On another machine it takes --server, notes what was acknowledged, says when to pull the plug, and"
                    + " waits for the machine. With sim:MODEL@DIR it does both here, and cuts by itself.",
            "The second log, the control, is never forced: only a cut that makes it lose something has reached the cache.",
            "Examples:",
            "  plog powercut --rounds 5 sim:ssd@cuts",
            "  plog powercut --bind 0.0.0.0 --insecure /mnt/ssd/cuts"
        })
public final class PowerCutCommand extends ConsoleCommand {
    private static final int LEAST_SECONDS = 10;
    private static final int MOST_SECONDS = 120;
    private static final Duration LONG = Duration.ofHours(24);
    private static final Duration CUT_PATIENCE = Duration.ofSeconds(10);

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description =
                    "Of the machine under test: for logs, ledgers and evidence; sim:MODEL@DIR for a simulated disk.")
    private @Nullable String place;

    @Option(names = "--server", paramLabel = "HOST:PORT", description = "Of the other machine: the machine under test.")
    private @Nullable String server;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "ledgers",
            description = "Of the other machine: where ledgers go. Default: ${DEFAULT-VALUE}.")
    private Path ledgers;

    @Mixin
    private SecurityOptions security;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address that the machine under test serves on. Default: ${DEFAULT-VALUE}.")
    private String bind;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7411",
            description = "Its port. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--insecure", description = "Serve beyond this machine without TLS and tokens, as for plog server.")
    private boolean insecure;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Cuts of a simulated disk. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides payloads, times and what a simulated disk keeps. Default: random, and said.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print the rounds as one JSON object.")
    private boolean json;

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        if ((place == null) == (server == null)) {
            throw new IllegalArgumentException(
                    "expected either DIR, on the machine under test, or --server HOST:PORT, on" + " the other one");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + ": expected at least 1");
        }
        if (place == null) {
            return load(HostPort.parse(String.valueOf(server)), random());
        }
        DirectoryArgument argument = DirectoryArgument.parse(place);
        if (Files.exists(argument.directory()) && !Files.isDirectory(argument.directory())) {
            throw new NotDirectoryException(argument.directory().toString());
        }
        PowerCutMachine machine =
                new PowerCutMachine(argument.in(Files.createDirectories(argument.directory())), this::say);
        return argument.model() == null ? serve(machine) : simulate(machine, random());
    }

    private Random random() {
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        say("seed " + chosen);
        return new Random(chosen);
    }

    /** The other machine. */
    private ExitCode load(HostPort address, Random random) throws IOException, InterruptedException {
        ClientOptions options = security.credentials(address.toString()).in(ClientOptions.defaults());
        Thread waiting = Thread.currentThread();
        StopSignals.onFirst(() -> {
            stopped.countDown();
            waiting.interrupt();
        });
        while (stopped.getCount() > 0) {
            say("waiting for the machine at " + address + "; Ctrl-C ends it");
            try (CutLoad load = new CutLoad(address.unresolved(), options, ledgers, random.nextLong())) {
                int seconds = LEAST_SECONDS + random.nextInt(MOST_SECONDS - LEAST_SECONDS);
                say("round " + load.round() + ": the server is there; the plug is to be pulled in " + seconds + " s");
                String lost = load.await(Long.MAX_VALUE, Duration.ofSeconds(seconds));
                if (lost.isEmpty()) {
                    say("round " + load.round() + ": PULL THE PLUG NOW; " + load.acknowledged()
                            + " acknowledged so far");
                    lost = load.await(Long.MAX_VALUE, LONG);
                }
                say("round " + load.round() + ": the machine is gone (" + lost + ") after " + load.acknowledged()
                        + " acknowledgements. Start it, copy " + load.ledgerFile() + " to round-" + load.round()
                        + "/ledger in its directory, and run plog powercut there again");
            } catch (InterruptedException | IOException e) {
                if (stopped.getCount() > 0) {
                    throw e;
                }
                say("ended; the ledgers are in " + ledgers);
            }
        }
        return ExitCode.DONE;
    }

    /** The machine under test: judges the last round if it is not over, and begins the next. */
    private ExitCode serve(PowerCutMachine machine) throws IOException, PlanException, InterruptedException {
        int round = machine.lastRound();
        if (!machine.isOver(round)) {
            machine.keep(round);
            if (!Files.exists(machine.ledger(round))) {
                throw new PlanException("round " + round + " was begun, and its ledger is not here: copy round-" + round
                        + ".ledger from the other machine to " + machine.ledger(round) + " and run this again");
            }
            Outcome judged = machine.judge(round).log();
            if (judged == Outcome.UNTESTED) {
                summary(machine.verdicts());
                return ExitCode.NOT_VALID; // run once more it begins the next round
            }
        }
        if (summary(machine.verdicts()) == ExitCode.CHECK_FAILED) {
            return ExitCode.CHECK_FAILED;
        }
        StopSignals.onFirst(stopped::countDown);
        List<String> options = insecure ? List.of("--insecure") : List.of();
        try (ChildProcess serving = machine.begin(round + 1, bind, port, options)) {
            say("round " + (round + 1) + ": serves at " + bind + ":" + serving.port()
                    + "; on the other machine run: plog" + " powercut --server " + bind + ":" + serving.port()
                    + "; after the cut run this again");
            while (serving.isAlive() && !stopped.await(1, TimeUnit.SECONDS)) {
                // The plug is pulled in here.
            }
            if (!serving.isAlive()) {
                throw new IOException(serving.ending());
            }
            serving.stop();
        }
        return ExitCode.DONE;
    }

    /** Both machines, and the cuts. */
    private ExitCode simulate(PowerCutMachine machine, Random random)
            throws IOException, PlanException, InterruptedException {
        int first = machine.lastRound() + 1;
        for (int round = first; round < first + rounds; round++) {
            List<DirectoryArgument> disks = new ArrayList<>();
            try (ChildProcess serving = machine.begin(round, "127.0.0.1", 0, List.of())) {
                disks.add(machine.log());
                disks.add(machine.control(round));
                InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", serving.port());
                Path own = machine.ledger(round).resolveSibling("client");
                try (CutLoad load = new CutLoad(address, ClientOptions.defaults(), own, random.nextLong())) {
                    load.await(200 + random.nextInt(2_000), LONG);
                    for (DirectoryArgument disk : disks) {
                        PowerSwitch.cut(
                                disk.directory(), ModelledDisk.Survivors.RANDOM, random.nextInt(), CUT_PATIENCE);
                    }
                    serving.kill();
                    load.await(Long.MAX_VALUE, CUT_PATIENCE);
                    say("round " + round + ": cut after " + load.acknowledged() + " acknowledgements");
                }
                Files.move(own.resolve("round-" + round + ".ledger"), machine.ledger(round));
            }
            machine.keep(round);
            if (machine.judge(round).log() == Outcome.LOST) {
                break;
            }
        }
        return summary(machine.verdicts());
    }

    private static long count(List<Verdict> verdicts, Outcome log) {
        return verdicts.stream().filter(each -> each.log() == log).count();
    }

    /** Says what all rounds show together. */
    private ExitCode summary(List<Verdict> verdicts) {
        long broken = count(verdicts, Outcome.LOST);
        long untested = count(verdicts, Outcome.UNTESTED);
        long reached = verdicts.stream()
                .filter(each -> each.log() == Outcome.HOLDS && each.reached())
                .count();
        if (json) {
            ObjectNode all = JsonText.object()
                    .put("lost", broken)
                    .put("untested", untested)
                    .put("reachedCache", reached);
            all.set("rounds", JsonText.array(verdicts.stream().map(JsonText::fields)));
            out().println(JsonText.line(all));
        } else if (broken > 0) {
            out().println(broken + " of " + verdicts.size()
                    + " rounds lost what was acknowledged: the evidence is in its" + " folder; report it");
        } else if (!verdicts.isEmpty()) {
            out().println(verdicts.size() + (verdicts.size() == 1 ? " round" : " rounds")
                    + (untested > 0 ? ", of which " + untested + " did not test the log" : "")
                    + ", nothing acknowledged was lost; in " + reached + " of them the cut reached the cache"
                    + (reached == 0
                            ? ", so they show nothing of the disk"
                            : String.format(
                                    Locale.ROOT,
                                    ": with 95 %% confidence fewer than %.0f %% of such cuts lose something",
                                    Math.min(100, 100 * (1 - Math.pow(0.05, 1.0 / reached))))));
        }
        out().flush();
        return broken > 0 ? ExitCode.CHECK_FAILED : untested > 0 ? ExitCode.NOT_VALID : ExitCode.DONE;
    }
}
