package io.plog.client.study;

import io.plog.client.study.StudyResults.Bin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server's {@code /metrics} say at one moment, as far as a study needs it.
 *
 * @param processCpuNanos processor time that the server has used; null if it does not say
 * @param readyChannels connections with something to read in a turn of an event loop: how many turns had at most so many, by
 *     that bound, as Prometheus has histograms; empty if it does not say
 */
record ServerCounters(@Nullable Double processCpuNanos, SortedMap<Double, Double> readyChannels) {
    private static final String PROCESS_CPU = "process_cpu_time_ns_total";
    private static final String READY_CHANNELS = "plog_ready_channels";

    /** A line of the text format: name, labels, value. */
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{([^}]*)})?\\s+(\\S+)(?:\\s.*)?");

    private static final Pattern BOUND = Pattern.compile("(?:^|,)le=\"([^\"]+)\"");

    /** Reads the text format of Prometheus; lines that are none are skipped. */
    static ServerCounters parse(String text) {
        Double cpu = null;
        SortedMap<Double, Double> ready = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            Matcher found = LINE.matcher(line);
            if (line.startsWith("#") || !found.matches()) {
                continue;
            }
            String name = found.group(1);
            if (name.equals(PROCESS_CPU)) {
                cpu = number(found.group(3));
            } else if (name.startsWith(READY_CHANNELS) && name.endsWith("_bucket") && found.group(2) != null) {
                Matcher bound = BOUND.matcher(found.group(2));
                if (bound.find()) {
                    // Of several event loops, the turns are added up.
                    ready.merge(number(bound.group(1)), number(found.group(3)), Double::sum);
                }
            }
        }
        return new ServerCounters(cpu, ready);
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "NaN" -> Double.NaN;
            default -> Double.parseDouble(text);
        };
    }

    /** Processor time used since an earlier moment; null if it is not known. */
    @Nullable
    Double cpuNanosSince(ServerCounters before) {
        return processCpuNanos == null || before.processCpuNanos == null
                ? null
                : Math.max(0, processCpuNanos - before.processCpuNanos);
    }

    /** The turns since an earlier moment, by how many connections were ready; empty bins are left out. */
    List<Bin> readyChannelsSince(ServerCounters before) {
        List<Bin> bins = new ArrayList<>();
        double below = 0;
        long from = 0;
        for (Map.Entry<Double, Double> bucket : readyChannels.entrySet()) {
            double upTo = bucket.getValue() - before.readyChannels.getOrDefault(bucket.getKey(), 0.0);
            long count = Math.round(upTo - below);
            long to = bucket.getKey().isInfinite() ? from : (long) Math.floor(bucket.getKey());
            if (count > 0) {
                bins.add(new Bin(from, Math.max(from, to), count));
            }
            below = Math.max(below, upTo);
            from = to + 1;
        }
        return bins;
    }
}
