package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What the README quotes of docs/performance.md, which alone was measured. */
final class QuotedFiguresTest {
    private static final Pattern ROW =
            Pattern.compile("\\| (\\d+ x \\d+ KiB(?:, parks)?) \\| ([\\d,]+); [^|]* \\| ([\\d,]+); ");
    private static final Pattern QUOTED = Pattern.compile(
            "reaches ([\\d.]+) of the appends per second of fio's `fdatasync` with one"
                    + " append of 1 KiB at a time, ([\\d.]+) to ([\\d.]+) with 64, and ([\\d.]+) to ([\\d.]+) with 16 of 100 KiB");

    @Test
    void theReadmesSharesOfFioAreThoseOfTheTable() throws Exception {
        Map<String, Double> shares = new TreeMap<>();
        String table = Files.readString(DiskDirectory.root().resolve("docs/performance.md"));
        assertThat(table).contains("| appends/s; p50 µs; p99 µs | fio-fdatasync | plog-fdatasync |");
        ROW.matcher(table)
                .results()
                .forEach(row -> shares.put(row.group(1), number(row.group(3)) / number(row.group(2))));
        String readme =
                Files.readString(DiskDirectory.root().resolve("README.md")).replaceAll("\\s+", " ");
        List<MatchResult> quoted = QUOTED.matcher(readme).results().toList();
        assertThat(quoted).hasSize(1);
        assertThat(List.of(1, 2, 3, 4, 5))
                .extracting(quoted.get(0)::group)
                .containsExactly(
                        text(shares.get("1 x 1 KiB")),
                        text(least(shares, "64 x 1 KiB")),
                        text(most(shares, "64 x 1 KiB")),
                        text(least(shares, "16 x 100 KiB")),
                        text(most(shares, "16 x 100 KiB")));
    }

    private static double least(Map<String, Double> shares, String cell) {
        return both(shares, cell).min().orElseThrow();
    }

    private static double most(Map<String, Double> shares, String cell) {
        return both(shares, cell).max().orElseThrow();
    }

    private static DoubleStream both(Map<String, Double> shares, String cell) {
        return DoubleStream.of(shares.get(cell), shares.get(cell + ", parks"));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    private static String text(double share) {
        return String.format(Locale.ROOT, "%.2f", share);
    }
}
