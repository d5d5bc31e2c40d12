package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.UnavailableException;
import io.plog.benchmarks.journal.Workload;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.ForceTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What {@code benchmarks/check-forces} watches from outside: appends at depth 1, between two calls that can be found in a
 * trace, the attempts to open files with these names.
 */
final class ForcedAppends {
    private static final int PAYLOAD_BYTES = 1024;
    private static final int WARM_UP = 50;

    private ForcedAppends() {}

    /** Everybody who takes part, fio included. */
    static List<String> names() {
        return Stream.concat(
                        Arrays.stream(FioMode.values()).map(FioMode::label),
                        Arrays.stream(Contestant.values()).map(Contestant::label))
                .toList();
    }

    /** Appends, each forced at depth 1. */
    static void run(String name, Path directory, int appends) throws Exception {
        for (FioMode mode : FioMode.values()) {
            if (mode.label().equals(name)) {
                Fio fio = new Fio(directory);
                fio.prepare(mode);
                mark(directory, "mark-begin");
                fio.measure(mode, new Cell(1, PAYLOAD_BYTES), 0, 1);
                mark(directory, "mark-end");
                return;
            }
        }
        run(Contestant.ofLabel(name), directory, appends);
    }

    /** Counts what was traced of {@link #run}, prints a line, and returns 0 if every append was forced, else 1. */
    static int count(String name, Path directory, Path trace) throws IOException {
        List<String> lines = Files.readAllLines(trace, StandardCharsets.ISO_8859_1);
        ForceTrace.Count count = ForceTrace.count(lines, directory.toRealPath().toString());
        System.out.printf(
                Locale.ROOT,
                "%-20s %6.2f forces/append  %-11s (%s)%n",
                name,
                count.forcesPerAppend(),
                count.allForced() ? "forced" : "NOT FORCED",
                count.callsAsText());
        return count.allForced() ? 0 : 1;
    }

    private static void run(Contestant contestant, Path directory, int appends) throws Exception {
        ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
        Workload workload = new Workload(directory, 1, PAYLOAD_BYTES);
        try (Journal journal = contestant.open(workload)) {
            append(journal, payload, WARM_UP);
            for (int i = 0; i < appends; i++) {
                mark(directory, "mark-append");
                append(journal, payload, 1);
            }
            mark(directory, "mark-end");
        } catch (UnavailableException e) {
            System.out.println(contestant.label() + " does not take part: " + e.getMessage());
            Runtime.getRuntime().halt(3);
        }
        Runtime.getRuntime().halt(0); // not every contestant ends its threads
    }

    private static void append(Journal journal, ByteBuffer payload, int appends) throws Exception {
        for (int i = 0; i < appends; i++) {
            payload.clear();
            journal.appendAndWait(payload);
        }
    }

    /** An attempt to open a file that does not exist: a system call with a name in it. */
    private static void mark(Path directory, String name) throws IOException {
        try (var file = Files.newByteChannel(directory.resolve(name))) {
            throw new IOException("a file has the name of a mark: " + file);
        } catch (NoSuchFileException e) {
            // as it shall be
        }
    }
}
