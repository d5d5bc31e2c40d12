package io.plog.app.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a lab's folder is worth.
 *
 * @param record of what was done there
 * @param observed what was observed, by its name
 * @param found for each expectation an empty text, or why it does not hold
 */
record Judgement(Lab lab, Evidence.Found record, Map<String, Double> observed, Map<Lab.Expectation, String> found) {
    private static final Pattern NAME = Pattern.compile("[\\w.-]+");

    /** @throws IOException if no lab was begun there */
    static Judgement of(Path folder) throws IOException {
        return of(folder, null);
    }

    /** The same; with {@code again} what a student built has the points of another run. */
    static Judgement of(Path folder, @Nullable Rerun again) throws IOException {
        if (!Files.exists(folder.resolve(Evidence.FILE))) {
            throw new IOException("there is no " + Evidence.FILE + " in "
                    + folder.toAbsolutePath().normalize() + ": plog lab begin writes it, as the first step of a lab");
        }
        Evidence.Found record = Evidence.read(folder);
        Lab lab = Lab.of(record.lab());
        LabFiles files = new LabFiles(folder, record, again);
        Map<String, Double> observed = new LinkedHashMap<>();
        Map<String, String> unseen = new LinkedHashMap<>();
        for (Lab.Observed each : lab.observe()) {
            try {
                observed.put(each.name(), files.number(each));
            } catch (IOException e) {
                unseen.put(each.name(), String.valueOf(e.getMessage()));
            }
        }
        Map<Lab.Expectation, String> found = new LinkedHashMap<>();
        for (Lab.Expectation each : lab.expect()) {
            String because = NAME.matcher(each.relation())
                    .results()
                    .map(name -> unseen.getOrDefault(name.group(), ""))
                    .filter(why -> !why.isEmpty())
                    .findFirst()
                    .orElse("");
            boolean holds = because.isEmpty() && new Relation(each.relation()).holds(observed);
            found.put(each, holds || !because.isEmpty() ? because : each.relation() + " does not hold");
        }
        if (!lab.order().isEmpty()) {
            found.put(
                    new Lab.Expectation("the order of the steps", String.join(", then ", lab.order()), 1),
                    disorder(lab, record));
        }
        if (!record.problem().isEmpty()) {
            found.replaceAll((each, why) -> Evidence.FILE + ", " + record.problem());
        }
        return new Judgement(lab, record, observed, found);
    }

    private static String disorder(Lab lab, Evidence.Found record) {
        int line = 0;
        for (String event : lab.order()) {
            int space = event.indexOf(' ');
            boolean begins = event.startsWith("begins ");
            String command = event.substring(space + 1);
            int from = line;
            line = record.steps().stream()
                    .filter(step -> step.command().startsWith(command))
                    .mapToInt(step -> begins ? step.began() : step.ended())
                    .filter(at -> at > from)
                    .min()
                    .orElse(0);
            if (line == 0) {
                return "no plog " + command + " " + event.substring(0, space) + " behind line " + from + " of "
                        + Evidence.FILE;
            }
        }
        return "";
    }

    /** Points, 0 to 100. */
    long score() {
        double all = 0;
        double held = 0;
        for (Map.Entry<Lab.Expectation, String> each : found.entrySet()) {
            all += each.getKey().points();
            held += each.getValue().isEmpty() ? each.getKey().points() : 0;
        }
        return Math.round(100 * held / all);
    }

    /** Whose it is, for people. */
    String student() {
        return record.student() == null ? "nobody" : record.student().name();
    }
}
