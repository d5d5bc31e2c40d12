package io.plog.app.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab dice}: a service whose replies depend on chance, which its log may hold or lack. */
@Command(
        name = "dice",
        description = {
            "Runs a service that throws a die for each request and replies with the sum so far: replays the log in DIR, executes"
                    + " more requests, prints what it replied, and ends as a crash ends it, without closing its log."
        })
final class LabDiceCommand extends ConsoleCommand {
    private static final int SIDES = 1_000_000; // so many that two throws hardly ever agree

    /** When a throw is logged: never; when the next request comes, behind the reply; or with its request, before the reply. */
    enum Chance {
        unlogged,
        late,
        logged
    }

    @Parameters(paramLabel = "DIR", description = "The log's directory.")
    private Path directory;

    @Option(names = "--requests", paramLabel = "N", description = "How many to execute after the replay. Default: 0")
    private int requests;

    @Option(
            names = "--chance",
            paramLabel = "WHEN",
            defaultValue = "logged",
            description = "When a throw is logged: never (unlogged), after its reply (late), or before it (logged)."
                    + " Default: ${DEFAULT-VALUE}")
    private Chance chance;

    @Override
    @SuppressWarnings("MustBeClosedChecker") // a crash closes nothing
    protected ExitCode run() throws IOException {
        if (requests < 0) {
            throw new IllegalArgumentException("--requests is " + requests + ", expected 0 or more");
        }
        Random die = new SecureRandom();
        long sum = 0;
        int executed = 0;
        int known = 0;
        MessageLog log = MessageLog.open(LogOptions.small(directory));
        try (LogReader records = log.read(log.firstIndex())) {
            while (records.next()) {
                String[] words = new String(records.bytes(), StandardCharsets.UTF_8).split(" ", -1);
                boolean request = words[0].equals("request");
                executed += request ? 1 : 0;
                known += request ? 0 : 1;
                sum += request ? 0 : Integer.parseInt(words[1]);
            }
        }
        sum += die.ints(executed - known, 0, SIDES).asLongStream().sum(); // whose throws the log lacks
        ObjectNode said = JsonText.object()
                .put("crashed", !log.recovery().cleanlyClosed())
                .put("replayed", executed)
                .put("thrownAgain", executed - known)
                .put("sumAfterReplay", sum);
        ArrayNode replies = said.putArray("replies");
        for (int left = requests; left > 0; left--) {
            int thrown = die.nextInt(SIDES);
            ByteBuffer request = record("request " + ++executed);
            log.appendAndWait(chance == Chance.logged ? List.of(request, record("threw " + thrown)) : List.of(request));
            sum += thrown;
            replies.addObject().put("request", executed).put("sum", sum);
            if (chance == Chance.late && left > 1) { // the crash comes between the last reply and this
                log.appendAndWait(record("threw " + thrown));
            }
        }
        out().println(said.put("sum", sum));
        return ExitCode.DONE;
    }

    private static ByteBuffer record(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
