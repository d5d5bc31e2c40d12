package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LogFacts;
import io.plog.e2e.support.PythonReader;
import io.plog.log.LogOptions;
import io.plog.log.LogTools;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.NewerFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written once is read for ever, and what a newer plog writes is no damage; {@code src/test/golden/README.md} says what it is. */
final class GoldenLogTest {
    private static final Path GOLDEN = DiskDirectory.root().resolve("src/test/golden");

    /** In bytes: a mark leaves room for a seal, as log-format.md says. */
    private static final int ROOM_FOR_A_MARK = 2 * 12_288;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    /** What is known of a golden log. */
    private record Known(int exit, ObjectNode verdict, List<String> records) {
        static Known of(String name) throws IOException {
            List<String> lines = Files.readAllLines(GOLDEN.resolve(name + ".txt"));
            return new Known(
                    Integer.parseInt(lines.get(0).substring("exit ".length())),
                    (ObjectNode) new ObjectMapper().readTree(lines.get(1)),
                    lines.subList(2, lines.size()));
        }

        String place() {
            return verdict.path("directory").asText() + " "
                    + verdict.path("file").asText() + " at " + verdict.path("offset");
        }
    }

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            return files.map(file -> GOLDEN.relativize(file).toString())
                    .filter(name -> name.endsWith(".zip"))
                    .map(name -> name.substring(0, name.length() - ".zip".length()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void noGoldenLogIsMissing() throws Exception {
        assertThat(names()).hasSize(45);
    }

    @ParameterizedTest
    @MethodSource("names")
    void theLogIsReadAsItWasWritten(String name) throws Exception {
        Known known = Known.of(name);
        List<Path> log = unpack(name);
        if (isOfTheFuture(name)) {
            assertThatThrownBy(() -> LogTools.inspect(log)).isInstanceOf(NewerFormatException.class);
            return;
        }
        LogTools.Inspection found = LogTools.inspect(log);
        if (known.exit() == 1) {
            assertThat(found.logId()).isEmpty();
            return;
        }
        assertThat(LogFacts.of(found)).isEqualTo(LogFacts.of(known.verdict()));
        assertThat(found.damage().map(GoldenLogTest::place))
                .isEqualTo(known.exit() == 0 ? Optional.empty() : Optional.of(known.place()));
        assertThat(LogFacts.records(log, found.firstIndex(), false)).isEqualTo(known.records());
    }

    @ParameterizedTest
    @MethodSource("names")
    void theLogIsOpenedOrRefusedAsItWas(String name) throws Exception {
        Known known = Known.of(name);
        List<Path> log = unpack(name);
        LogOptions options = LogOptions.in(log).withMaxRecordBytes(16 * 1024).withSegmentBytes(64 * 1024);
        if (known.exit() == 3 || isOfTheFuture(name)) {
            Map<Path, ByteBuffer> before = Directories.contents(log);
            assertThatThrownBy(() -> MessageLog.open(options).close()).satisfies(refusal -> {
                if (refusal instanceof LogDamagedException damage) {
                    assertThat(place(damage)).isEqualTo(known.place());
                } else {
                    assertThat(refusal).isInstanceOf(NewerFormatException.class);
                }
                assertThat(refusal instanceof NewerFormatException).isEqualTo(isOfTheFuture(name));
            });
            assertThat(Directories.contents(log)).isEqualTo(before);
            return;
        }
        long next = known.verdict().path("lastIndex").asLong() + 1;
        try (MessageLog opened = MessageLog.open(options)) {
            assertThat(opened.appendAndWait(ByteBuffer.wrap(new byte[] {5}))).isEqualTo(next);
        }
        long first = LogTools.inspect(log).firstIndex();
        List<String> records = LogFacts.records(log, first, false);
        assertThat(records.subList(0, records.size() - 1)).isEqualTo(known.records());
        assertThat(LogTools.inspect(log))
                .satisfiesAnyOf(
                        closed -> assertThat(closed.cleanlyClosed()).isTrue(),
                        full -> assertThat(full.segments()).anyMatch(GoldenLogTest::lacksRoomForAMark));
    }

    @Test
    void whatIsBesideTheRecordsIsThere() throws Exception {
        try (MessageLog log = MessageLog.open(LogOptions.in(unpack("format-2/cells")))) {
            assertThat(log.cell("term"))
                    .hasValueSatisfying(cell -> assertThat(cell).hasSize(12));
            assertThat(log.cell("first"))
                    .hasValueSatisfying(cell -> assertThat(cell).hasSize(8));
        }
        try (MessageLog log = MessageLog.open(LogOptions.in(unpack("format-2/emptied-for-a-state")))) {
            assertThat(log.checkpoint())
                    .hasValueSatisfying(state -> assertThat(state.index()).isEqualTo(89));
        }
    }

    @Test
    void theReaderInPythonReadsThemAsItDid() throws Exception {
        List<String> names = names();
        List<Path> logs = new ArrayList<>();
        for (String name : names) {
            logs.add(nameOf(unpack(name)));
        }
        List<PythonReader.Answer> verdicts = PythonReader.run(logs, "verify", "--json");
        List<PythonReader.Answer> dumps = PythonReader.run(logs, "dump");
        for (int i = 0; i < logs.size(); i++) {
            Known known = Known.of(names.get(i));
            assertThat(verdicts.get(i).exit()).as(names.get(i)).isEqualTo(known.exit());
            if (known.exit() != 1) {
                ObjectNode verdict = (ObjectNode) verdicts.get(i).json();
                verdict.remove(List.of("expected", "found"));
                shortenDirectories(verdict);
                assertThat(verdict).as(names.get(i)).isEqualTo(known.verdict());
            }
            assertThat(dumps.get(i).numbered()).as(names.get(i)).isEqualTo(known.records());
        }
    }

    /** Written as a later version of plog may write it: nothing is wrong with it, and it is not read. */
    private static boolean isOfTheFuture(String name) {
        return name.startsWith("future/");
    }

    /** These segments are so small that a mark, which a busy machine makes due, may take the room of the closing mark. */
    private static boolean lacksRoomForAMark(LogTools.Segment segment) {
        return segment.state().equals("active") && segment.usedBytes() + ROOM_FOR_A_MARK > segment.fileBytes();
    }

    /** A log's directory; of a striped one, whose directories are 1, 2 and so on in the zip file, all of them in order. */
    private List<Path> unpack(String name) throws IOException {
        Path log = Files.createDirectories(directory.resolve(name));
        Set<Path> stripes = new TreeSet<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(GOLDEN.resolve(name + ".zip")))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = log.resolve(entry.getName());
                Files.createDirectories(file.resolveSibling(""));
                stripes.add(file.resolveSibling(""));
                Files.write(file, zip.readAllBytes());
            }
        }
        return List.copyOf(stripes);
    }

    /** As the reader in Python takes it. */
    private static Path nameOf(List<Path> log) {
        return Path.of(log.stream().map(Path::toString).collect(Collectors.joining("+")));
    }

    /** What is known names a striped log's directories as in the zip file. */
    private static void shortenDirectories(ObjectNode verdict) {
        shortenDirectory(verdict);
        verdict.path("segments").forEach(segment -> shortenDirectory((ObjectNode) segment));
    }

    private static void shortenDirectory(ObjectNode node) {
        if (node.has("directory")) {
            node.put("directory", lastName(node.path("directory").asText()));
        }
    }

    private static String place(LogDamagedException damage) {
        return lastName(damage.directory()) + " " + damage.file() + " at " + damage.offset();
    }

    private static String lastName(String path) {
        return String.valueOf(Path.of(path).getFileName());
    }
}
