package io.plog.app.bookies;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.spi.ToolProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code plog bookies} starts; not for people. BookKeeper is on the class path then, and gives the tool that does the work. */
@Command(name = BookieProcessCommand.NAME, hidden = true)
public final class BookieProcessCommand implements Callable<Integer> {
    static final String NAME = "bookie-process";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Parameters(arity = "1..*")
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws CommandException {
        ToolProvider tool = ToolProvider.findFirst("plog-bookies")
                .orElseThrow(() -> new CommandException(
                        ExitCode.MISUSED, "this command belongs to plog bookies, which starts it with BookKeeper"));
        return tool.run(spec.commandLine().getOut(), spec.commandLine().getErr(), arguments.toArray(String[]::new));
    }
}
