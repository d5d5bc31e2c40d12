package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A log on bookies against plain use of BookKeeper's client: what {@code replicated.json} holds.
 *
 * @param schemaVersion 1
 * @param environment where it ran
 * @param command how it was started
 * @param seed of the order within the rounds
 * @param rounds how many rounds counted
 * @param seconds how long each measurement took
 * @param speeds each round's values, without the warm-up
 * @param recoveries each round's values
 */
public record ReplicatedResults(
        int schemaVersion,
        Map<String, String> environment,
        String command,
        long seed,
        int rounds,
        double seconds,
        List<Speed> speeds,
        List<Recovery> recoveries) {

    /** The log on bookies. */
    public static final String PLOG = "plog";

    /** BookKeeper's client by itself. */
    public static final String PLAIN = "plain";

    /**
     * One measurement.
     *
     * @param way {@link #PLOG} or {@link #PLAIN}
     * @param round from 1
     */
    public record Speed(
            String way,
            int outstanding,
            int bytes,
            int round,
            double perSecond,
            double p50Micros,
            double p99Micros,
            double othersShare) {}

    /**
     * A log is taken over from its writer, and read.
     *
     * @param records how many it has, each of {@code recordBytes}
     * @param openSeconds until another record could be appended
     * @param readSeconds until all were read
     */
    public record Recovery(int records, int recordBytes, int round, double openSeconds, double readSeconds) {}

    /** As Markdown: speed, recovery, and where it ran. */
    public String markdown() {
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, "`%s`, %d rounds, seed %d.%n%n", command, rounds, seed));
        MarkdownTable speed = new MarkdownTable(
                "outstanding x bytes",
                "plain, /s",
                "plog, /s",
                "plog over plain, of each round",
                "plain p50 ms",
                "plain p99 ms",
                "plog p50 ms",
                "plog p99 ms");
        Map<String, List<Speed>> byCell = new LinkedHashMap<>();
        speeds.forEach(
                each -> byCell.computeIfAbsent(each.outstanding() + " x " + each.bytes(), key -> new ArrayList<>())
                        .add(each));
        byCell.forEach((cell, all) -> {
            List<Speed> plain =
                    all.stream().filter(each -> each.way().equals(PLAIN)).toList();
            List<Speed> plog =
                    all.stream().filter(each -> each.way().equals(PLOG)).toList();
            speed.row(
                    cell,
                    Medians.of(plain, Speed::perSecond),
                    Medians.of(plog, Speed::perSecond),
                    ratios(plog, plain),
                    Medians.of(plain, each -> each.p50Micros() / 1e3),
                    Medians.of(plain, each -> each.p99Micros() / 1e3),
                    Medians.of(plog, each -> each.p50Micros() / 1e3),
                    Medians.of(plog, each -> each.p99Micros() / 1e3));
        });
        MarkdownTable recovery = new MarkdownTable("records of the log", "bytes of each", "taken over, s", "read, s");
        Map<Integer, List<Recovery>> byLength = new LinkedHashMap<>();
        recoveries.forEach(each -> byLength.computeIfAbsent(each.records(), key -> new ArrayList<>())
                .add(each));
        byLength.forEach((records, all) -> recovery.row(
                records.toString(),
                (double) all.get(0).recordBytes(),
                Medians.of(all, Recovery::openSeconds),
                Medians.of(all, Recovery::readSeconds)));
        text.append(speed).append('\n').append(recovery).append('\n');
        environment.forEach((name, value) -> text.append("- " + name + ": " + value + "\n"));
        text.append("- processor time of others meanwhile, %, median: "
                + MarkdownTable.number(Medians.of(speeds, each -> 100 * each.othersShare())) + "\n");
        return text.toString();
    }

    /** The median of the rounds' ratios, the least and the greatest; a round without both does not count. */
    private static String ratios(List<Speed> plog, List<Speed> plain) {
        double[] ratios = plog.stream()
                .flatMapToDouble(mine -> plain.stream()
                        .filter(other -> other.round() == mine.round())
                        .mapToDouble(other -> mine.perSecond() / other.perSecond()))
                .sorted()
                .toArray();
        return ratios.length == 0
                ? "-"
                : String.format(
                        Locale.ROOT, "%.2f (%.2f to %.2f)", Medians.of(ratios), ratios[0], ratios[ratios.length - 1]);
    }
}
