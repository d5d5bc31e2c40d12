package io.plog.app.load;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.GateOptions;
import io.plog.app.cli.LedgerFileOptions;
import io.plog.app.cli.MeasuringCommand;
import io.plog.app.cli.SecurityOptions;
import io.plog.app.cli.StopSignals;
import io.plog.client.Credentials;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.PlanException;
import io.plog.measure.Resumption;
import io.plog.measure.load.LoadOrder;
import io.plog.measure.load.LoadRun;
import io.plog.measure.plan.Load;
import io.plog.measure.samples.RunInfo;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plog load}: shows how a target bears a load. */
@Command(
        name = "load",
        description = {
            "Sends a load to a target of a server over many connections, and shows its latency, throughput and errors.",
            "The mode decides when a request is sent. closed: when a reply has come. open: at its time, as --rate and"
                    + " --arrivals say, whatever has come back. partly-open: at its time, but one after the other on each"
                    + " connection, and connections are made anew.",
            "Examples:",
            "  plog load -r 2000 -c 50 --arrivals poisson --mix 100=9,10k=1",
            "  plog load --find-max 'p99 < 10ms' -c 50 --server http://localhost:8080/"
        })
public final class LoadCommand extends MeasuringCommand {
    @Option(
            names = "--server",
            paramLabel = "HOST:PORT[,HOST:PORT...]|URL",
            defaultValue = HostPort.DEFAULT,
            description = "Address of the server, or of several of which one serves: the load follows it. Or the URL of"
                    + " any service over HTTP. Default: ${DEFAULT-VALUE}.")
    private String server;

    @Mixin
    private SecurityOptions security;

    @Option(
            names = "--target",
            paramLabel = "NAME",
            description = "Target to load. Default: the only one that the server logs.")
    private @Nullable String target;

    @Mixin
    private LoadOptions options;

    @Mixin
    private LedgerFileOptions ledger;

    @Mixin
    private GateOptions gates;

    private volatile @Nullable LoadRun current;
    private volatile boolean stopAsked;

    @Override
    protected ExitCode run() throws IOException, PlanException, InterruptedException {
        Instant startAt = options.startAt();
        // Options are wrong or right whatever the server says.
        List<Gate> conditions = options.conditions();
        List<Gate> failing = holdAgainst(gates);
        if (!conditions.isEmpty() && (isResumed() || ledger.ledger(false) != null)) {
            throw new IllegalArgumentException(
                    "--find-max begins anew each time and sends many loads: leave out --resume and --ledger");
        }
        if (conditions.isEmpty() && failing.stream().anyMatch(Gate::isOfMaxRate)) {
            throw new IllegalArgumentException("--fail-if is about maxRate, which --find-max finds: give that, too");
        }
        Load unnamed = options.plan(server, target == null ? "" : target);
        HttpService http = HttpService.of(server);
        if (http != null && target != null) {
            throw new IllegalArgumentException("--target is '" + target + "', and the server is " + http
                    + ": a service that is measured over HTTP has none");
        }
        Credentials credentials = security.credentials(server);
        Load plan = target == null && http == null
                ? options.plan(server, onlyTarget(HostPort.parseAll(server), credentials))
                : unnamed;
        Map<String, Object> values = options.values(plan.server(), plan.target());
        LoadOrder order = new LoadOrder(plan, credentials, ledger.ledger(false), options.command(values));
        checkDirectory();
        RunInfo planned = LoadRun.open(order).info();
        Assessor.check(conditions, planned);
        Assessor.check(failing, planned);
        if (options.dryRun()) {
            return options.print(values);
        }
        announce(plan.seed(), conditions.isEmpty() ? plan.mostSamples() : 0, options.bytesPerSample());
        StopSignals.onFirst(this::stop);
        if (startAt != null) {
            await(startAt);
        }
        LoadRun run = LoadRun.open(order);
        Path directory = prepareDirectory();
        writePlan(options, values);
        if (!conditions.isEmpty()) {
            MaxRateRun search = new MaxRateRun(order, conditions, directory, this);
            return measure(Results.Kind.LOAD, directory, search::run);
        }
        Resumption before = resumption(plan);
        return measure(
                Results.Kind.LOAD, directory, before, listener -> begun(run).run(before, startAt, listener));
    }

    /** The same load, which {@link #stop} ends from now on. */
    LoadRun begun(LoadRun run) {
        current = run;
        if (stopAsked) {
            run.stop();
        }
        return run;
    }

    /** Waits until it is time to prepare the load. */
    private void await(Instant startAt) throws PlanException {
        say("begins at " + startAt
                + " by this machine's clock; plog report --merge says by how much the clocks of several differ");
        while (Instant.now().isBefore(startAt.minus(StartTime.PREPARATION))) {
            if (stopAsked) {
                throw new PlanException("interrupted before the load began");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String onlyTarget(List<HostPort> servers, Credentials credentials)
            throws IOException, PlanException {
        List<String> logged = LoadRun.loggedTargets(servers, credentials);
        if (logged.size() != 1) {
            throw new PlanException("a load goes to one target, and the server has "
                    + (logged.isEmpty() ? "none that is logged" : String.join(", ", logged))
                    + ": name it with --target");
        }
        return logged.get(0);
    }

    private void stop() {
        stopAsked = true;
        LoadRun run = current;
        if (run != null) {
            run.stop();
        }
    }
}
