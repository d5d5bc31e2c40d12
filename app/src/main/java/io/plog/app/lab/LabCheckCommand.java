package io.plog.app.lab;

import io.plog.app.cli.CommandException;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plog lab check}: holds what a lab's steps wrote against what the lab says. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Reads what the steps of a lab wrote, says what was observed and whether it is what the lab expects, compares"
                    + " it with your predictions in answers.txt, and writes lab-N.json to hand in.",
            "Run it in the lab's folder after the last step."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:everything is as the lab expects",
            "1:a file is missing, or is not what the step writes",
            "2:misused",
            "4:something is not as the lab expects: its text says what that may mean"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LabCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "N", description = "The lab's number.")
    private int number;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The lab's folder. Default: this one.")
    private Path folder;

    @Override
    public Integer call() throws IOException, CommandException {
        Lab lab = Lab.read(number, folder);
        PrintWriter out = spec.commandLine().getOut();
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
                        Build.current().version() + ", commit "
                                + Build.current().commit(),
                        files.seed(),
                        observed,
                        holds,
                        predicted,
                        files.hashes(),
                        "")
                .signed();
        Path written = folder.resolve("lab-" + number + ".json");
        Files.writeString(written, JsonText.line(handIn) + "\n");
        out.println("hand in    " + written);
        return (holds.containsValue(false) ? ExitCode.CHECK_FAILED : ExitCode.DONE).code();
    }

    private static String prediction(String name, double observed, Map<String, Double> predicted) {
        Double yours = predicted.get(name);
        return "predicted  " + name + ": "
                + (yours == null
                        ? "nothing; write \"" + name + " = NUMBER\" into answers.txt before you look"
                        : Units.threeDigits(yours) + ", observed " + Units.threeDigits(observed)
                                + (yours > 0 ? ", which is " + Units.ratio(observed / yours) : ""));
    }
}
