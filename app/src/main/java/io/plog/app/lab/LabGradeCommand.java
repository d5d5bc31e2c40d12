package io.plog.app.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.app.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plog lab grade}: a line for each file that was handed in. */
@Command(
        name = "grade",
        mixinStandardHelpOptions = true,
        description = {
            "Lists what was handed in, a line for each file: how many of the lab's expectations held, which did not, and"
                    + " whether two have the same inputs.",
            "The signature in a file shows a careless edit; it proves nothing, since everybody has this program."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all of them hold", "1:a file cannot be read", "2:misused", "4:one does not hold, or is none"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LabGradeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files lab-N.json that plog lab check wrote.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        boolean all = true;
        Map<Map<String, String>, Path> seen = new HashMap<>();
        for (Path file : files) {
            String wrong;
            try {
                HandIn handIn = HandIn.read(Files.readString(file));
                Path same = seen.putIfAbsent(handIn.inputs(), file);
                wrong = problem(handIn, same);
                long held =
                        handIn.holds().values().stream().filter(each -> each).count();
                out.println(file + ": lab " + handIn.lab() + ", " + held + " of "
                        + handIn.holds().size() + " hold, seed " + handIn.seed()
                        + (wrong.isEmpty() ? "" : ": " + wrong));
            } catch (NoSuchFileException e) {
                throw new IOException(file + " does not exist", e);
            } catch (JsonProcessingException | CharacterCodingException e) {
                wrong = "is not a file that plog lab check wrote";
                out.println(file + ": " + wrong);
            }
            all &= wrong.isEmpty();
        }
        return (all ? ExitCode.DONE : ExitCode.CHECK_FAILED).code();
    }

    private static String problem(HandIn handIn, @Nullable Path same) {
        if (!handIn.isAsSigned()) {
            return "was changed after it was written";
        }
        if (same != null) {
            return "has the same inputs as " + same;
        }
        return handIn.holds().entrySet().stream()
                .filter(each -> !each.getValue())
                .map(each -> "not so: " + each.getKey())
                .collect(Collectors.joining("; "));
    }
}
