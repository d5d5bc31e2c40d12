package io.plog.app.lab.yours;

import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code plog lab run-recovery}: judges a student's recovery. */
@Command(
        name = "run-recovery",
        description = {
            "Judges the recovery that you wrote in lab 15: gives it logs that were closed, lost power or were damaged, compares what it"
                    + " says with what plog's own recovery finds, and prints what each promise got after 100 histories; writes"
                    + " yours.json, and keeps each log that it misread in yours-files. Ends with 0 if all promises hold.",
            "Example:",
            "  plog lab run-recovery --command 'python3 recovery.py' --seed 7"
        })
public final class RunRecoveryCommand extends ProgramCommand {
    public RunRecoveryCommand() {
        super("recovery", 100);
    }

    @Override
    Trial trial(String program, Path folder) {
        return new RecoveryTrial(program, folder);
    }
}
