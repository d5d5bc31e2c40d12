package io.plog.app.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.ParentWatch;
import io.plog.host.Build;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was done in a lab's folder, in {@value #FILE}: {@code plog lab begin} makes it, and from then on every command that runs there
 * adds a line when it begins and another when it ends, in JSON. Each is followed by a tab and its signature with the student's key, and
 * has the checksum of the line before; so none can be taken out, put in or moved. Who has the key could write other lines with a program
 * of their own; so the check takes nothing from it that it can compute.
 */
public final class Evidence {
    static final String FILE = "evidence.txt";
    private static final List<String> JUDGES = List.of("lab begin", "lab check", "lab grade");

    private final Path folder;
    private final int begun; // the number of the line with its beginning
    private final MessageDigest printed = sha256();

    private Evidence(Path folder, int begun) {
        this.folder = folder;
        this.begun = begun;
    }

    /** Begins the record of a lab; signed if there is a key. */
    static void begin(int lab, Path folder, Map<String, Double> predicted) throws IOException {
        LabKey key = LabKey.of(folder);
        Files.createFile(folder.resolve(FILE));
        ObjectNode line = JsonText.object().put("lab", lab);
        line.put("program", Build.current().text());
        if (key != null) {
            line.set("student", JsonText.fields(key.shown()));
        }
        predicted.forEach(line.putObject("predicted")::put);
        append(folder, line);
    }

    /** Notes that a command begins in this folder; null if no lab is done there. */
    public static @Nullable Evidence of(Path folder, String... command) throws IOException {
        String begins = String.join(" ", command);
        if (!Files.exists(folder.resolve(FILE))
                || ParentWatch.hasParent()
                || JUDGES.stream().anyMatch(begins::startsWith)) {
            return null;
        }
        return new Evidence(folder, append(folder, JsonText.object().put("begins", begins)));
    }

    /** Passes on what a command prints, and remembers its checksum. */
    public OutputStream listening(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
                synchronized (printed) {
                    update(printed, bytes, offset, length);
                }
            }
        };
    }

    /** Notes that the command ended. */
    public void ended(int exit) throws IOException {
        synchronized (printed) {
            String sum = HexFormat.of().formatHex(printed.digest());
            append(
                    folder,
                    JsonText.object().put("ends", begun).put("exit", exit).put("printed", sum));
        }
    }

    /** SHA-256 without the ends of lines, which are not the same on every system. */
    static String sumOf(byte[] bytes) {
        MessageDigest sum = sha256();
        update(sum, bytes, 0, bytes.length);
        return HexFormat.of().formatHex(sum.digest());
    }

    static String sumOf(String text) {
        return sumOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void update(MessageDigest sum, byte[] bytes, int offset, int length) {
        for (int at = offset; at < offset + length; at++) {
            if (bytes[at] != '\r' && bytes[at] != '\n') {
                sum.update(bytes[at]);
            }
        }
    }

    /** Adds a line, also while other commands do, and returns its number. */
    private static int append(Path folder, ObjectNode line) throws IOException {
        LabKey key = LabKey.of(folder);
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(FILE).toFile(), "rw")) {
            file.getChannel().lock(); // until it is closed
            byte[] bytes = new byte[Math.toIntExact(file.length())];
            file.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            line.put("at", Instant.now().toString());
            line.put("before", lines.isEmpty() ? "" : sumOf(lines.get(lines.size() - 1)));
            String text = JsonText.line(line);
            file.write((text + "\t" + (key == null ? "" : key.sign(text)) + "\n").getBytes(StandardCharsets.UTF_8));
            return lines.size() + 1;
        }
    }

    /** A new SHA-256, to which bytes are added. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * A record, read again.
     *
     * @param student null if it is nobody's
     * @param steps in the order in which they began
     * @param problem why it proves nothing; empty if it is whole
     */
    record Found(int lab, @Nullable LabKey student, Map<String, Double> predicted, List<Step> steps, String problem) {}

    /**
     * A command that ran.
     *
     * @param began the number of the line with its beginning, from 1
     * @param ended the same of its end; the last line's if it was killed
     * @param end null if it was killed
     * @param printed {@link #sumOf} its standard output
     */
    record Step(
            String command,
            int began,
            Instant begin,
            int ended,
            @Nullable Instant end,
            String printed) {}

    /** @throws IOException if its first line is none */
    static Found read(Path folder) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(FILE));
        List<Step> steps = new ArrayList<>();
        String problem = "";
        JsonNode first = JsonText.object();
        LabKey key = null;
        String before = "";
        for (int number = 1; number <= lines.size() && problem.isEmpty(); number++) {
            String[] parts = (lines.get(number - 1) + "\t ").split("\t", -1);
            try {
                JsonNode line = JsonText.read(parts[0], JsonNode.class);
                if (number == 1) {
                    first = line;
                    key = line.has("student")
                            ? JsonText.read(line.get("student").toString(), LabKey.class)
                            : null;
                }
                if (key != null && !key.isCertified()) {
                    problem = "line 1 names a key that its course has not signed";
                } else if (key != null && !key.signed(parts[0], parts[1])) {
                    problem = "line " + number + " is not signed by " + key.name();
                } else if (!before.equals(line.path("before").asText())) {
                    problem = "line " + number + " does not follow line " + (number - 1)
                            + ": a line was taken out, put in or moved";
                } else {
                    note(line, number, lines.size(), steps);
                }
            } catch (JsonProcessingException | DateTimeException e) {
                problem = "line " + number + " was not written by plog";
            }
            before = sumOf(lines.get(number - 1));
        }
        if (!first.has("lab")) {
            throw new IOException(folder.resolve(FILE) + " has no beginning: plog lab begin writes it");
        }
        Map<String, Double> predicted = new TreeMap<>();
        first.path("predicted")
                .properties()
                .forEach(each -> predicted.put(each.getKey(), each.getValue().asDouble()));
        return new Found(first.path("lab").asInt(), key, predicted, steps, problem);
    }

    private static void note(JsonNode line, int number, int last, List<Step> steps) {
        Instant at = Instant.parse(line.path("at").asText());
        if (line.has("begins")) {
            steps.add(new Step(line.get("begins").asText(), number, at, last, null, ""));
        }
        String printed = line.path("printed").asText();
        steps.replaceAll(step -> step.began == line.path("ends").asInt()
                ? new Step(step.command, step.began, step.begin, number, at, printed)
                : step);
    }
}
