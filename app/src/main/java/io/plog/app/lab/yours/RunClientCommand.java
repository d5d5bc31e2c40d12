package io.plog.app.lab.yours;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code plog lab run-client}: judges a student's client. */
@Command(
        name = "run-client",
        description = {
            "Judges the client that you wrote in lab 14: lets it talk to a server through a network that loses, repeats, delays and"
                    + " divides frames, kills the server, and prints what each promise got after 3 histories; writes yours.json"
                    + " and, if a promise is broken, the server's log to yours-files. Ends with 0 if all promises hold.",
            "Example:",
            "  plog lab run-client --command 'python3 client.py' --seed 7"
        })
public final class RunClientCommand extends ProgramCommand {
    public RunClientCommand() {
        super("client", 3);
    }

    @Override
    Trial trial(String program, Path folder) throws IOException, InterruptedException {
        return new ClientTrial(program, folder);
    }
}
