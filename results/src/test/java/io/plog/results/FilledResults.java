package io.plog.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.TrialRecord.RateAnswer;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.MaxRates;
import io.plog.results.cells.MaxRatesTest;
import io.plog.results.model.Results;
import io.plog.stats.Percentile;
import java.io.IOException;
import java.util.List;

/** The results of a synthetic run with everything in them that a run may lack: intervals, peaks, shifts, parts, pauses, stableStorage. */
public final class FilledResults {
    public static final List<Double> QUANTILES =
            List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] PARTS = {
        "schedule lag", "network and client", "waiting", "batch wait", "write", "force", "execution", "reply"
    };

    private FilledResults() {}

    public static Analysis.Outcome of(SampleSource run) throws IOException {
        Analysis.Outcome plain = Analysis.of(run);
        ObjectNode results = JSON.valueToTree(plain.results());
        results.path("cells").forEach(cell -> fillCell((ObjectNode) cell));
        results.findValues("components").stream()
                .filter(JsonNode::isObject)
                .forEach(components -> fillComponents((ObjectNode) components));
        results.path("overhead").forEach(overhead -> fillOverhead((ObjectNode) overhead));
        ArrayNode stableStorage = results.putArray("stableStorage");
        stableStorage.add(
                stableStorage("fdatasync", "volatile-cache", "a force takes 86 µs, and a turn of the disk 8,333 µs"));
        stableStorage.add(stableStorage("write", "cannot-tell", "nothing is forced"));
        ArrayNode pauses = results.putArray("pauses");
        pauses.addObject()
                .put("side", "server")
                .put("kind", "gc")
                .put("count", 3)
                .put("totalMicros", 5400.0)
                .put("maxMicros", 2100.0);
        results.set(
                "maxRate",
                JSON.valueToTree(MaxRates.of(
                        List.of(
                                MaxRatesTest.load(4_870, true, RateAnswer.KEPT),
                                MaxRatesTest.load(5_110, true, RateAnswer.MISSED)),
                        16)));
        FigureData figures = plain.figures();
        return new Analysis.Outcome(
                JSON.treeToValue(results, Results.class), new FigureData(figures.curves(), lanes(figures)), null);
    }

    /** Three events in every cell's time, and one after all of them. */
    private static List<FigureData.Lane> lanes(FigureData figures) {
        int last = figures.curves().stream()
                .flatMapToInt(curve -> java.util.Arrays.stream(curve.series().endMillis()))
                .max()
                .orElse(1000);
        return List.of(
                new FigureData.Lane("client", "hiccup", new double[] {last * 0.1, last * 0.4}, new double[] {2.5, 1}),
                new FigureData.Lane("server", "gc", new double[] {last * 0.3}, new double[] {12}),
                new FigureData.Lane("machine", "steal", new double[] {last + 5000.0}, new double[] {1}));
    }

    /** The same run without any interval of a mean. */
    public static Results withoutMeanIntervals(Results found) throws IOException {
        ObjectNode results = JSON.valueToTree(found);
        results.findParents("meanInterval").forEach(of -> ((ObjectNode) of).putNull("meanInterval"));
        return JSON.treeToValue(results, Results.class);
    }

    /** The same of a service over HTTP. */
    public static Results overHttp(Results found) throws IOException {
        ObjectNode results = JSON.valueToTree(found);
        results.findValues("facts").forEach(of -> ((ObjectNode) of).put("service", "http"));
        return JSON.treeToValue(results, Results.class);
    }

    private static void fillCell(ObjectNode cell) {
        for (String field : new String[] {"logMicros", "endToEndMicros"}) {
            if (cell.get(field) instanceof ObjectNode found) {
                fillDistribution(found);
            }
        }
        cell.set("endToEndPeaks", peaks(cell.path("endToEndMicros").path("p50").doubleValue()));
        ArrayNode slowest = (ArrayNode) cell.path("slowest");
        for (int i = slowest.size(); i < 20; i++) {
            slowest.add(((ObjectNode) slowest.get(i - 1).deepCopy())
                    .put(
                            "endToEndMicros",
                            slowest.get(i - 1).path("endToEndMicros").doubleValue() * 0.99));
        }
        for (JsonNode slow : slowest) {
            ((ObjectNode) slow).set("parts", parts(slow.path("endToEndMicros").doubleValue()));
            ArrayNode overlaps = ((ObjectNode) slow).putArray("overlaps");
            overlaps.addObject()
                    .put("side", "server")
                    .put("kind", "gc")
                    .put("micros", 800.0)
                    .put("detail", "young <collection>");
        }
        ObjectNode overTime = cell.putObject("overTime");
        ArrayNode slots = overTime.putArray("slots");
        for (int second = 0; second < 3; second++) {
            ObjectNode slot = slots.addObject().put("startSeconds", second).put("count", 100);
            slot.put("p50", 90.0).put("p99", 120.0 + second).put("p999", 150.0);
        }
        overTime.putArray("levels");
        overTime.set("worst", slowest.deepCopy());
    }

    private static void fillDistribution(ObjectNode distribution) {
        double mean = distribution.path("mean").doubleValue();
        distribution.putObject("meanInterval").put("low", mean * 0.98).put("high", mean * 1.03);
        ArrayNode quantiles = distribution.putArray("quantiles");
        for (Percentile percentile : Percentile.values()) {
            double micros = distribution.path(percentile.label()).doubleValue();
            quantile(quantiles, percentile.q(), micros, percentile.q() < Percentile.P999.q());
        }
    }

    private static void quantile(ArrayNode quantiles, double q, double micros, boolean bounded) {
        ObjectNode quantile = quantiles.addObject().put("q", q).put("micros", micros);
        ObjectNode interval = quantile.putObject("interval").put("low", micros * 0.95);
        if (bounded) {
            interval.put("high", micros * 1.1);
        } else {
            interval.putNull("high");
        }
    }

    private static ArrayNode peaks(double median) {
        ArrayNode peaks = JSON.createArrayNode();
        peaks.addObject().put("micros", median * 0.9).put("share", 0.7);
        peaks.addObject().put("micros", median * 1.3).put("share", 0.3);
        return peaks;
    }

    private static void fillComponents(ObjectNode cell) {
        double total = cell.path("endToEndMicros").doubleValue();
        cell.set("parts", parts(total));
        cell.set("atMedian", parts(total * 0.9));
        cell.set("atP99", parts(total * 4));
    }

    private static ArrayNode parts(double total) {
        ArrayNode parts = JSON.createArrayNode();
        double[] shares = {0.01, 0.25, 0.04, 0.01, 0.14, 0.45, 0.02, 0.08};
        for (int i = 0; i < PARTS.length; i++) {
            parts.addObject()
                    .put("name", PARTS[i])
                    .put("micros", Math.round(total * shares[i] * 1000) / 1000.0)
                    .put("share", shares[i]);
        }
        return parts;
    }

    private static void fillOverhead(ObjectNode overhead) {
        double added = overhead.path("meanMicros").doubleValue()
                - overhead.path("offMeanMicros").doubleValue();
        ArrayNode shift = overhead.putArray("shift");
        for (double q : QUANTILES) {
            double micros = added * (0.6 + q) + (q > 0.98 ? 20 * added * (q - 0.98) / 0.02 : 0);
            ObjectNode one = shift.addObject().put("q", q).put("micros", micros);
            ObjectNode interval = one.putObject("interval").put("low", micros * 0.8);
            if (q < 0.999) {
                interval.put("high", micros * 1.3);
            } else {
                interval.putNull("high");
            }
        }
    }

    private static ObjectNode stableStorage(String target, String verdict, String reason) {
        ObjectNode stableStorage = JSON.createObjectNode().put("target", target).put("verdict", verdict);
        stableStorage.putArray("reasons").add(reason).add("only a power cut and plog audit prove it");
        return stableStorage;
    }
}
