package io.plog.app.lab;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.cli.JsonText;
import io.plog.protocol.security.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files that a lab's steps wrote, and the numbers in them. For one thread. */
final class LabFiles {
    private static final long MOST_BYTES = 64 << 20;

    private final Path folder;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final TreeMap<String, String> hashes = new TreeMap<>();
    private long seed;

    LabFiles(Path folder) {
        this.folder = folder;
    }

    /** SHA-256 of each file that was read, by its name. */
    Map<String, String> hashes() {
        return hashes;
    }

    double number(Lab.Observed observed) throws IOException {
        String text = text(observed.file());
        if (observed.lines() != null) {
            Pattern pattern = Pattern.compile(observed.lines());
            Stream<Matcher> found = text.lines().map(pattern::matcher).filter(Matcher::find);
            return pattern.matcher("").groupCount() == 0
                    ? found.count()
                    : found.map(match -> match.group(1)).distinct().count();
        }
        JsonNode found = json(observed.file(), text);
        if (observed.cell() != null) {
            found = cell(found, observed.cell());
        }
        JsonNode number = found.at(JsonPointer.compile(observed.at()));
        if (number.isBoolean()) {
            return number.booleanValue() ? 1 : 0;
        }
        if (!number.isNumber()) {
            throw new IOException(observed.file() + " has no number at " + observed.at()
                    + (observed.cell() == null ? "" : " of the cell " + observed.cell())
                    + ": it was written by another command than the step's");
        }
        return number.doubleValue();
    }

    /** The seed of the last run that was read; 0 if there was none. */
    long seed() {
        return seed;
    }

    /** The predictions in {@code answers.txt}, lines of {@code NAME = NUMBER}; those that are not there are missing. */
    Map<String, Double> answers() throws IOException {
        Map<String, Double> answers = new LinkedHashMap<>();
        if (!Files.exists(folder.resolve("answers.txt"))) {
            return answers;
        }
        int number = 0;
        for (String line : text("answers.txt").lines().toList()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("=", 2);
            try {
                answers.put(parts[0].strip(), Double.parseDouble(parts[parts.length - 1].strip()));
            } catch (NumberFormatException e) {
                throw new IOException(
                        "answers.txt, line " + number + ": found \"" + line + "\", expected NAME = NUMBER", e);
            }
        }
        return answers;
    }

    private static JsonNode cell(JsonNode results, Map<String, String> dimensions) {
        for (JsonNode cell : results.path("cells")) {
            if (dimensions.entrySet().stream().allMatch(each -> {
                JsonNode value = cell.has(each.getKey())
                        ? cell.get(each.getKey())
                        : cell.path("dimensions").path(each.getKey());
                String wanted = each.getValue();
                return wanted.endsWith("*")
                        ? value.asText().startsWith(wanted.substring(0, wanted.length() - 1))
                        : value.asText().equals(wanted);
            })) {
                return cell;
            }
        }
        return JsonText.object();
    }

    private JsonNode json(String file, String text) throws IOException {
        try {
            JsonNode read = JsonText.read(text, JsonNode.class);
            seed = read.at("/plan/seed").asLong(seed);
            return read;
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not JSON: do its step again", e);
        }
    }

    private String text(String file) throws IOException {
        @Nullable String known = texts.get(file);
        if (known != null) {
            return known;
        }
        try {
            RegularFile.check(folder.resolve(file), MOST_BYTES);
            byte[] bytes = Files.readAllBytes(folder.resolve(file));
            hashes.put(file, sha256(bytes));
            texts.put(file, decoded(bytes));
            return texts.get(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is missing: do the step that writes it, in the lab's folder", e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no text: do its step again", e);
        }
    }

    /** An old shell of Windows writes what it redirects in UTF-16. */
    private static String decoded(byte[] bytes) throws CharacterCodingException {
        boolean wide = bytes.length >= 2 && bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE;
        String text = (wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8)
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
