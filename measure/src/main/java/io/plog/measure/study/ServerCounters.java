package io.plog.measure.study;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.client.ClientOptions;
import io.plog.measure.AdminClient;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.SampleFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a server's {@code /counters} say at one moment, as far as a study needs it; {@code docs/monitoring.md} describes them.
 *
 * @param processorNanos processor time that the server has used
 * @param readyChannels turns of its event loops by the most channels that completed a read in them, all loops together
 * @param targets those that have a log of their own
 */
public record ServerCounters(long processorNanos, SortedMap<Long, Long> readyChannels, List<OfTarget> targets) {
    /** Up to here each number is counted by itself, beyond in ranges that double. */
    private static final long EXACT = 64;

    /**
     * A target of the server.
     *
     * @param recoveredIndex the last record that its log had when the server started
     * @param openNanos how long the log took to open
     * @param replayed records that were executed again
     * @param replayNanos how long that took
     * @param repeats repeated requests that got their recorded answers
     */
    public record OfTarget(
            String name, long recoveredIndex, long openNanos, long replayed, long replayNanos, long repeats) {}

    /**
     * Asks a server on loopback.
     *
     * @throws IOException if it does not answer, or with something else
     */
    public static ServerCounters of(int adminPort) throws IOException {
        return parse(new AdminClient(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort), ClientOptions.defaults())
                .counters());
    }

    /**
     * Reads what the server answered.
     *
     * @throws IOException if that is something else
     */
    static ServerCounters parse(byte[] json) throws IOException {
        JsonNode root = SampleFormat.JSON.readTree(json);
        if (!root.path("processorNanos").isIntegralNumber()
                || !root.path("loops").isArray()) {
            throw new IOException("its /counters have no processorNanos and loops");
        }
        SortedMap<Long, Long> ready = new TreeMap<>();
        for (JsonNode loop : root.path("loops")) {
            for (JsonNode range : loop.path("readyChannels")) {
                ready.merge(range.path(0).longValue(), range.path(1).longValue(), Long::sum);
            }
        }
        OfTarget[] targets = SampleFormat.JSON.treeToValue(root.path("targets"), OfTarget[].class);
        return new ServerCounters(
                root.path("processorNanos").longValue(), ready, targets == null ? List.of() : List.of(targets));
    }

    /** Processor time used since an earlier moment. */
    public double cpuNanosSince(ServerCounters before) {
        return Math.max(0, (double) processorNanos - before.processorNanos);
    }

    /** The turns since an earlier moment, by how many connections were ready; what was not seen is left out. */
    public List<Bin> readyChannelsSince(ServerCounters before) {
        List<Bin> bins = new ArrayList<>();
        for (Map.Entry<Long, Long> range : readyChannels.entrySet()) {
            long most = range.getKey();
            long count = range.getValue() - before.readyChannels.getOrDefault(most, 0L);
            if (count > 0) {
                bins.add(new Bin(most <= EXACT ? most : most / 2 + 1, most, count));
            }
        }
        return bins;
    }
}
