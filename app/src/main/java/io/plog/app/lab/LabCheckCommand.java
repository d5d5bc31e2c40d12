package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.host.Build;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plog lab check}: holds what a lab's steps wrote against what the lab says. */
@Command(
        name = "check",
        description = {
            "Reads what the steps of a lab wrote, says what was observed and whether it is what the lab expects, compares"
                    + " it with your predictions in answers.txt, and writes lab-N.json to hand in.",
            "Run it in the lab's folder after the last step."
        })
final class LabCheckCommand extends ConsoleCommand {
    @Parameters(index = "0", paramLabel = "N", description = "The lab's number.")
    private int number;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The lab's folder. Default: this one.")
    private Path folder;

    @Override
    protected ExitCode run() throws IOException {
        Lab lab = Lab.read(number, folder);
        PrintWriter out = out();
        LabFiles files = new LabFiles(folder);
        Map<String, Double> observed = new LinkedHashMap<>();
        out.println("lab " + number + ": " + lab.title());
        for (Lab.Observed each : lab.observe()) {
            observed.put(each.name(), files.number(each));
            out.printf(Locale.ROOT, "observed   %-28s %s%n", each.name(), Units.threeDigits(observed.get(each.name())));
        }
        Map<String, Double> predicted = files.answers();
        for (String name : lab.predict()) {
            out.println(prediction(name, observed.getOrDefault(name, 0.0), predicted));
        }
        Map<String, Boolean> holds = new LinkedHashMap<>();
        for (Lab.Expectation each : lab.expect()) {
            boolean found = new Relation(each.relation()).holds(observed);
            holds.put(each.relation(), found);
            out.println((found ? "holds      " : "NOT SO     ") + each.relation() + ": " + each.because());
        }
        HandIn handIn = new HandIn(
                number,
                Build.current().version() + ", commit " + Build.current().commit(),
                files.seed(),
                observed,
                holds,
                predicted,
                files.hashes());
        Path written = folder.resolve("lab-" + number + ".json");
        Files.writeString(written, JsonText.fields(handIn).toPrettyString() + "\n");
        out.println("hand in    " + written);
        return holds.containsValue(false) ? ExitCode.CHECK_FAILED : ExitCode.DONE;
    }

    /**
     * What a student hands in: a file {@code lab-N.json}.
     *
     * @param program version and commit of the plog that checked
     * @param seed of the run that was observed; 0 if there was none
     * @param observed each number by its name
     * @param holds whether each relation holds
     * @param predicted what the student expected, by the observation's name
     * @param inputs SHA-256 of each file that was read
     */
    private record HandIn(
            int lab,
            String program,
            long seed,
            Map<String, Double> observed,
            Map<String, Boolean> holds,
            Map<String, Double> predicted,
            Map<String, String> inputs) {}

    private static String prediction(String name, double observed, Map<String, Double> predicted) {
        Double yours = predicted.get(name);
        return "predicted  " + name + ": "
                + (yours == null
                        ? "nothing; write \"" + name + " = NUMBER\" into answers.txt before you look"
                        : Units.threeDigits(yours) + ", observed " + Units.threeDigits(observed)
                                + (yours > 0 ? ", which is " + Units.ratio(observed / yours) : ""));
    }
}
