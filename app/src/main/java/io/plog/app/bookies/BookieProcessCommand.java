package io.plog.app.bookies;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What {@code plog bookies} starts; not for people. BookKeeper is on the class path then, and gives the tool that does the work. */
@Command(name = BookieProcessCommand.NAME, hidden = true)
public final class BookieProcessCommand extends ConsoleCommand {
    static final String NAME = "bookie-process";

    @Parameters(arity = "1..*")
    private List<String> arguments = new ArrayList<>();

    @Override
    protected ExitCode run() throws IOException {
        ToolProvider tool = ToolProvider.findFirst("plog-bookies")
                .orElseThrow(() -> new IllegalArgumentException(
                        "this command belongs to plog bookies, which starts it with BookKeeper"));
        int code = tool.run(out(), err(), arguments.toArray(String[]::new));
        return code == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
}
