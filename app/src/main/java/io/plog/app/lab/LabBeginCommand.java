package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plog lab begin}: starts the record of a lab. */
@Command(
        name = "begin",
        description = {
            "Begins a lab in this folder: from now on each command of plog that runs here adds to the record "
                    + Evidence.FILE + ", signed with your student.key if that is here or in a folder above.",
            "What you predict has to stand in answers.txt before."
        })
final class LabBeginCommand extends ConsoleCommand {
    @Parameters(paramLabel = "N", description = "The lab's number.")
    private int number;

    @Override
    protected ExitCode run() throws IOException {
        Lab lab = Lab.of(number);
        Path folder = Path.of("");
        Map<String, Double> predicted = LabFiles.answers(folder);
        for (String name : lab.predict()) {
            if (!predicted.containsKey(name)) {
                throw new IOException("answers.txt has no line \"" + name + " = NUMBER\": predict it before you look");
            }
        }
        try {
            Evidence.begin(number, folder, predicted);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    "lab " + Evidence.read(folder).lab() + " was begun here: delete " + Evidence.FILE
                            + " to begin again",
                    e);
        }
        LabKey key = LabKey.of(folder);
        out().println("lab " + number + " begins: " + lab.title() + "; the record "
                + (key == null ? "is not signed: for practice only" : "is signed by " + key.name()));
        return ExitCode.DONE;
    }
}
