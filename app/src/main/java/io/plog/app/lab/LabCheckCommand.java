package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plog lab check}: holds what a lab's steps wrote against their record and against what the lab says. */
@Command(
        name = "check",
        description = {
            "Reads the record of a lab's steps, computes anew what can be computed from logs and samples, says what was observed"
                    + " and whether it is what the lab expects, beside what you predicted, and counts the points.",
            "Run it in the lab's folder after the last step."
        })
final class LabCheckCommand extends ConsoleCommand {
    @Parameters(
            index = "0",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The lab's folder. Default: this one.")
    private Path folder;

    @Override
    protected ExitCode run() throws IOException {
        Judgement judged = Judgement.of(folder);
        Evidence.Found record = judged.record();
        PrintWriter out = out();
        out.println("lab " + record.lab() + ": " + judged.lab().title());
        out.println("record     " + record.steps().size() + " commands, "
                + (record.student() == null ? "not signed: for practice only" : "signed by " + judged.student()));
        judged.observed().forEach((name, value) -> {
            Double predicted = record.predicted().get(name);
            String beside = predicted == null ? "" : "  predicted " + Units.threeDigits(predicted);
            out.printf(Locale.ROOT, "observed   %-28s %s%s%n", name, Units.threeDigits(value), beside);
        });
        judged.found()
                .forEach((each, why) -> out.println(
                        why.isEmpty()
                                ? "holds      " + each.relation() + ": " + each.because()
                                : "NOT SO     " + (why.startsWith(each.relation()) ? "" : each.relation() + ": ")
                                        + why));
        out.println("score      " + judged.score() + " of 100");
        out.println("hand in    this folder, with " + Evidence.FILE);
        return judged.score() < 100 ? ExitCode.CHECK_FAILED : ExitCode.DONE;
    }
}
