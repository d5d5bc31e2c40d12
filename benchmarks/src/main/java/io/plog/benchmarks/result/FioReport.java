package io.plog.benchmarks.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What fio reports of one job that wrote, read from its JSON.
 *
 * <p>With {@code fdatasync} fio gives two distributions, of the write and of the force, and not that of their sum, which is
 * the latency of an append. For a share q this takes the greater of "the write's q and the force's median" and "the write's
 * median and the force's q": exact for the median where one of the two hardly varies, and never more than the two shares
 * added, so that it does not flatter whatever is compared with fio.
 *
 * @param writes how many writes there were
 * @param writesPerSecond writes, each with its force
 * @param seconds how long the job ran
 * @param cpuMicrosPerWrite processor time of the job, user and system
 * @param latencyMicros of a write with its force, at {@link #SHARES}
 */
public record FioReport(
        long writes, double writesPerSecond, double seconds, double cpuMicrosPerWrite, List<Double> latencyMicros) {
    /** The shares of the requests at which fio is asked for the latency. */
    public static final List<Double> SHARES = List.of(0.5, 0.99, 0.999, 1.0);

    /** The value of fio's option {@code --percentile_list}. */
    public static String percentileList() {
        return String.join(
                ":", SHARES.stream().map(share -> percent(share, "%.2f")).toList());
    }

    private static String percent(double share, String format) {
        return String.format(Locale.ROOT, format, share * 100);
    }

    /**
     * Reads fio's output.
     *
     * @param json what {@code fio --output-format=json} printed; lines before the first brace are skipped
     * @throws IllegalArgumentException if it is not that
     */
    public static FioReport parse(String json) {
        int start = json.indexOf('{');
        if (start < 0) {
            throw new IllegalArgumentException("fio printed no JSON: " + json.strip());
        }
        JsonNode job;
        try {
            job = new ObjectMapper()
                    .readTree(json.substring(start))
                    .path("jobs")
                    .path(0);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("fio's JSON cannot be read: " + e.getMessage(), e);
        }
        JsonNode write = job.path("write");
        long writes = write.path("total_ios").asLong();
        if (writes == 0 || job.path("error").asInt() != 0) {
            throw new IllegalArgumentException("fio wrote nothing, error " + job.path("error"));
        }
        double seconds = write.path("runtime").asDouble() / 1e3;
        double cpuShare = (job.path("usr_cpu").asDouble() + job.path("sys_cpu").asDouble()) / 100;
        List<Double> writeMicros = micros(write);
        List<Double> forceMicros = micros(job.path("sync"));
        return new FioReport(
                writes,
                write.path("iops").asDouble(),
                seconds,
                cpuShare * job.path("job_runtime").asDouble() * 1e3 / writes,
                forceMicros.isEmpty() ? writeMicros : sum(writeMicros, forceMicros));
    }

    /** The latency at one of {@link #SHARES}. */
    public double latencyMicros(double share) {
        return latencyMicros.get(SHARES.indexOf(share));
    }

    private static List<Double> micros(JsonNode node) {
        JsonNode percentiles = node.path("lat_ns").path("percentile");
        List<Double> values = new ArrayList<>();
        for (double share : SHARES) {
            JsonNode value = percentiles.path(percent(share, "%.6f"));
            if (value.isMissingNode()) {
                return List.of();
            }
            values.add(value.asDouble() / 1e3);
        }
        return values;
    }

    private static List<Double> sum(List<Double> writes, List<Double> forces) {
        int median = SHARES.indexOf(0.5);
        List<Double> sums = new ArrayList<>();
        for (int i = 0; i < SHARES.size(); i++) {
            double writeSlow = writes.get(i) + forces.get(median);
            double forceSlow = writes.get(median) + forces.get(i);
            sums.add(Math.max(writeSlow, forceSlow));
        }
        return sums;
    }
}
