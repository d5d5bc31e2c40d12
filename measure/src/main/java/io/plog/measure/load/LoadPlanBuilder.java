package io.plog.measure.load;

import io.plog.measure.ledger.LedgerOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the values of a {@link LoadPlan}; each is checked by {@link #build}. Not thread-safe. */
public final class LoadPlanBuilder {
    private LoadPlan.Destination destination;
    private LoadMode mode = LoadMode.CLOSED;
    private int connections = 1;
    private int outstanding = 1;
    private double ratePerSecond;
    private ArrivalTimes.Kind arrivals = ArrivalTimes.Kind.CONSTANT;
    private int requestsPerConnection;
    private Mix mix = Mix.only(100);
    private double loggedShare = 1;
    private long seed = 1;
    private Duration warmUp = LoadPlan.DEFAULT_WARM_UP;
    private Duration duration = LoadPlan.DEFAULT_DURATION;
    private long requests;
    private int blocks = 10;
    private int mostOutstanding = LoadPlan.DEFAULT_MOST_OUTSTANDING;
    private @Nullable LedgerOptions ledger;
    private String command = "";

    LoadPlanBuilder(LoadPlan.Destination destination) {
        this.destination = destination;
    }

    LoadPlanBuilder(LoadPlan plan) {
        destination = plan.destination();
        mode = plan.mode();
        connections = plan.connections();
        outstanding = plan.outstanding();
        ratePerSecond = plan.ratePerSecond();
        arrivals = plan.arrivals();
        requestsPerConnection = plan.requestsPerConnection();
        mix = plan.mix();
        loggedShare = plan.loggedShare();
        seed = plan.seed();
        warmUp = plan.warmUp();
        duration = plan.duration();
        requests = plan.requests();
        blocks = plan.blocks();
        mostOutstanding = plan.mostOutstanding();
        ledger = plan.ledger();
        command = plan.command();
    }

    /** Another target. */
    public LoadPlanBuilder target(String name) {
        destination = new LoadPlan.Destination(destination.host(), destination.port(), name, destination.others());
        return this;
    }

    /** Servers that take over from the first one. */
    public LoadPlanBuilder others(List<LoadPlan.Server> servers) {
        destination = new LoadPlan.Destination(destination.host(), destination.port(), destination.target(), servers);
        return this;
    }

    /** A closed loop. */
    public LoadPlanBuilder closed(int withConnections, int withOutstanding) {
        mode = LoadMode.CLOSED;
        connections = withConnections;
        outstanding = withOutstanding;
        ratePerSecond = 0;
        requestsPerConnection = 0;
        return this;
    }

    /** An open loop. */
    public LoadPlanBuilder open(int withConnections, double atRatePerSecond, ArrivalTimes.Kind withArrivals) {
        mode = LoadMode.OPEN;
        connections = withConnections;
        ratePerSecond = atRatePerSecond;
        arrivals = withArrivals;
        requestsPerConnection = 0;
        return this;
    }

    /** A partly open loop. */
    public LoadPlanBuilder partlyOpen(
            int withConnections, int requestsOnEach, double atRatePerSecond, ArrivalTimes.Kind withArrivals) {
        mode = LoadMode.PARTLY_OPEN;
        connections = withConnections;
        requestsPerConnection = requestsOnEach;
        ratePerSecond = atRatePerSecond;
        arrivals = withArrivals;
        return this;
    }

    /** After how many replies connections are made anew, in a closed loop too; 0 for never. */
    public LoadPlanBuilder requestsPerConnection(int requestsOnEach) {
        requestsPerConnection = requestsOnEach;
        return this;
    }

    /** The payload sizes. */
    public LoadPlanBuilder mix(Mix sizes) {
        mix = sizes;
        return this;
    }

    /** The share of the requests that are to be logged, 0 to 1. */
    public LoadPlanBuilder loggedShare(double share) {
        loggedShare = share;
        return this;
    }

    /** How long to send before counting. */
    public LoadPlanBuilder warmUp(Duration time) {
        warmUp = time;
        return this;
    }

    /** How long to send and count. */
    public LoadPlanBuilder duration(Duration time) {
        duration = time;
        requests = 0;
        return this;
    }

    /** How many requests to count. */
    public LoadPlanBuilder requests(long count) {
        requests = count;
        duration = Duration.ZERO;
        return this;
    }

    /** How many requests may be without reply before the run is given up. */
    public LoadPlanBuilder mostOutstanding(int count) {
        mostOutstanding = count;
        return this;
    }

    /** Into how many stretches the time is cut. */
    public LoadPlanBuilder blocks(int count) {
        blocks = count;
        return this;
    }

    /** Decides everything that is drawn. */
    public LoadPlanBuilder seed(long value) {
        seed = value;
        return this;
    }

    /** Where acknowledgements are written down. */
    public LoadPlanBuilder ledger(@Nullable LedgerOptions options) {
        ledger = options;
        return this;
    }

    /** The command line that repeats it. */
    public LoadPlanBuilder command(String line) {
        command = line;
        return this;
    }

    /**
     * The checked plan.
     *
     * @throws IllegalArgumentException as {@link LoadPlan}
     */
    public LoadPlan build() {
        return new LoadPlan(
                destination,
                new ArrivalModel(mode, connections, outstanding, ratePerSecond, arrivals, requestsPerConnection),
                new LoadPlan.RequestMix(mix, loggedShare, seed),
                new LoadLength(warmUp, duration, requests, blocks),
                mostOutstanding,
                ledger,
                command);
    }
}
