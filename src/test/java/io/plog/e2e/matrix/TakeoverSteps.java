package io.plog.e2e.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long the steps of takeovers took, from what servers said about each. */
final class TakeoverSteps {
    private static final Pattern SENTENCE = Pattern.compile("serves the log .*, fenced and opened in (\\d+) ms,"
            + " replayed (\\d+) records in (\\d+) ms, serves (\\d+) ms after its turn came");
    private static final List<String> STEPS =
            List.of("fenced and opened, ms", "records replayed", "replayed, ms", "from its turn until it serves, ms");

    private final List<List<Long>> byStep = new ArrayList<>();
    private final int count;

    private TakeoverSteps(List<List<Long>> byTakeover) {
        count = byTakeover.size();
        for (int i = 0; i < STEPS.size(); i++) {
            int step = i;
            byStep.add(byTakeover.stream()
                    .map(numbers -> numbers.get(step))
                    .sorted()
                    .toList());
        }
    }

    /** @param lines what servers said; lines about something else are passed over */
    static TakeoverSteps of(List<String> lines) {
        List<List<Long>> byTakeover = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = SENTENCE.matcher(line);
            if (matcher.find()) {
                byTakeover.add(List.of(number(matcher, 1), number(matcher, 2), number(matcher, 3), number(matcher, 4)));
            }
        }
        return new TakeoverSteps(byTakeover);
    }

    private static long number(Matcher matcher, int group) {
        return Long.parseLong(matcher.group(group));
    }

    int count() {
        return count;
    }

    /** A row for each step, with its median and its worst; empty if there was no takeover. */
    String table() {
        if (count == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder("| step of " + count + " takeovers | median | worst |\n|---|--:|--:|\n");
        for (int i = 0; i < STEPS.size(); i++) {
            List<Long> sorted = byStep.get(i);
            text.append(String.format(
                    Locale.ROOT, "| %s | %d | %d |%n", STEPS.get(i), sorted.get(count / 2), sorted.get(count - 1)));
        }
        return text.toString();
    }
}
