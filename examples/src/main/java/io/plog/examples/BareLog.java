package io.plog.examples;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The example of the README, compiled and run: ExamplesTest holds the two together. */
final class BareLog {
    private BareLog() {}

    /** Logs a request, then replays the log; returns what was replayed. */
    static List<String> run(Path directory) throws IOException, InterruptedException {
        List<String> replayed = new ArrayList<>();
        // README begin
        try (MessageLog log = MessageLog.open(LogOptions.in(directory))) {
            // On start: replay what was acknowledged before, in order.
            try (LogReader reader = log.read(log.firstIndex())) {
                while (reader.next()) {
                    replayed.add(StandardCharsets.UTF_8.decode(reader.payload()).toString());
                }
            }
            // For each request: append, and answer only once this returns. Safe from any number of threads.
            long index = log.appendAndWait(ByteBuffer.wrap("debit 7".getBytes(StandardCharsets.UTF_8)));
            replayed.add("acknowledged as record " + index);
        }
        // README end
        return replayed;
    }
}
