package io.plog.measure;

import io.plog.client.ClientOptions;
import io.plog.client.RpcException;
import io.plog.measure.samples.RunInfo;
import java.util.Arrays;

/** Estimates how long a plan takes from a few requests to each cell. For one thread. */
public final class Probe {
    /** Requests to each cell; a logged target logs them like any other. */
    public static final int REQUESTS = 20;

    /** A record's own header and the request's. */
    private static final long RECORD_OVERHEAD_BYTES = 64;

    /** What a sample takes in the file, roughly. */
    private static final long SAMPLE_BYTES = 30;

    private Probe() {}

    /**
     * What a plan costs.
     *
     * @param leastSeconds if every warm-up that may end by evidence did so at once
     * @param mostSeconds if none did
     * @param loggedBytes what each logged target's log grows by at most, padding of its way of forcing not included
     * @param resultBytes what the samples take here, roughly
     */
    public record Cost(double leastSeconds, double mostSeconds, long loggedBytes, long resultBytes) {}

    /**
     * Sends the requests and estimates from their times.
     *
     * @param info as {@link Experiment#check} found it
     * @throws RpcException if the server cannot be reached or refuses
     */
    public static Cost cost(MeasurePlan plan, RunInfo info) throws RpcException {
        double secondsOfOne = 0;
        try (MeasuringConnection connection =
                MeasuringConnection.connect(plan.host(), plan.port(), ClientOptions.defaults())) {
            long number = 0;
            for (int size : plan.grid().sizesBytes()) {
                for (RunInfo.Target target : info.targets()) {
                    connection.prepare(target.id(), size, plan.grid().seed());
                    long[] nanos = new long[REQUESTS];
                    for (int i = 0; i < REQUESTS; i++) {
                        connection.exchange(++number);
                        connection.checkReply();
                        nanos[i] = connection.receivedNanos() - connection.sentNanos();
                    }
                    Arrays.sort(nanos);
                    secondsOfOne += nanos[REQUESTS / 2] / 1e9;
                }
            }
        }
        return estimate(plan, info.targets().size(), secondsOfOne);
    }

    /**
     * Without asking a server.
     *
     * @param secondsOfOne what one request to each cell takes, one after the other
     */
    public static Cost estimate(MeasurePlan plan, int targets, double secondsOfOne) {
        long most = plan.grid().warmup().requests() * plan.grid().trials();
        long least = plan.grid().warmup().byEvidence() ? 0 : most;
        long payload = plan.grid().sizesBytes().stream()
                .mapToLong(size -> size + RECORD_OVERHEAD_BYTES)
                .sum();
        long cells = (long) plan.grid().sizesBytes().size() * targets;
        return new Cost(
                seconds(plan, plan.grid().iterations() + least, cells, secondsOfOne),
                seconds(plan, plan.grid().iterations() + most, cells, secondsOfOne),
                payload * (plan.grid().iterations() + most),
                SAMPLE_BYTES * cells * (plan.grid().iterations() + most));
    }

    private static double seconds(MeasurePlan plan, long requests, long cells, double secondsOfOne) {
        return plan.grid().ratePerSecond() > 0
                ? requests * cells / plan.grid().ratePerSecond()
                : requests * secondsOfOne;
    }
}
