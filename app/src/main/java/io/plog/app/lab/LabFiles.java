package io.plog.app.lab;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.cli.JsonText;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.protocol.security.RegularFile;
import io.plog.results.Analysis;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that a lab's steps wrote, as far as the lab's record bears them out, and the numbers in them. Figures of runs are computed
 * from their samples, and bugs are looked for again; of the rest the record has the checksum. For one thread.
 */
final class LabFiles {
    private static final long MOST_BYTES = 64 << 20;

    private static final int MOST_HISTORIES_AGAIN = 10; // which appends share a force is the machine's

    private final Path folder;
    private final Evidence.Found record;
    private final @Nullable Rerun again;
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, JsonNode> trees = new HashMap<>();
    private int last; // the line with the beginning of the step that the file before is from

    /** @param again null to take what students built as it was judged */
    LabFiles(Path folder, Evidence.Found record, @Nullable Rerun again) {
        this.folder = folder;
        this.record = record;
        this.again = again;
    }

    /** @throws IOException that says why there is none */
    double number(Lab.Observed observed) throws IOException {
        String text = texts.get(observed.file());
        if (text == null) {
            text = observed.file().endsWith(ResultsFile.RESULTS) ? ofSamples(observed) : printed(observed);
            texts.put(observed.file(), text);
        }
        if (observed.lines() != null) {
            Pattern pattern = Pattern.compile(observed.lines());
            Stream<Matcher> found = text.lines().map(pattern::matcher).filter(Matcher::find);
            return pattern.matcher("").groupCount() == 0
                    ? found.count()
                    : found.map(match -> match.group(1)).distinct().count();
        }
        JsonNode found = trees.get(observed.file());
        if (found == null) {
            found = json(observed.file(), text);
            trees.put(observed.file(), found);
        }
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

    private static JsonNode json(String file, String text) throws IOException {
        try {
            return JsonText.read(text, JsonNode.class);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not JSON: do its step again", e);
        }
    }

    /** The results of a run, from its samples: what stands in its results.json is not read. */
    private String ofSamples(Lab.Observed observed) throws IOException {
        Path file = folder.resolve(observed.file()).resolveSibling(SampleFileWriter.FILE_NAME);
        if (!Files.exists(file)) {
            throw new IOException(folder.relativize(file) + " is missing: do the step that measures it");
        }
        try (SampleFileReader samples = SampleFileReader.open(file)) {
            Instant started = samples.info().startedAt();
            take(
                    observed,
                    step -> !started.isBefore(step.begin()) && step.end() != null && !started.isAfter(step.end()),
                    folder.relativize(file) + " is of a run of " + started
                            + ", which is in none of this record's steps plog " + observed.from());
            return ResultsFile.json(Analysis.results(samples));
        }
    }

    private String printed(Lab.Observed observed) throws IOException {
        String file = observed.file();
        String text = text(folder, file);
        if (observed.from().equals(LabBugCommand.NAME)) {
            for (String row : text.lines().skip(1).toList()) {
                checkAgain(row);
            }
            return text;
        }
        String sum = Evidence.sumOf(text);
        take(
                observed,
                step -> step.printed().equals(sum),
                file + " is not what plog " + observed.from()
                        + " printed in its turn: it was typed, changed or copied, or the steps had another order");
        return again != null && Rerun.isOf(observed.from()) ? again.printed(folder, observed.from()) : text;
    }

    /** Finds the step that a file is from, behind that of the file before. */
    private void take(Lab.Observed observed, Predicate<Evidence.Step> made, String otherwise) throws IOException {
        last = record.steps().stream()
                .filter(step -> step.command().startsWith(observed.from()) && step.began() > last)
                .filter(made)
                .findFirst()
                .orElseThrow(() -> new IOException(otherwise))
                .began();
    }

    private static void checkAgain(String row) throws IOException {
        Matcher found = LabBugCommand.ROW.matcher(row);
        if (!found.matches()) {
            throw new IOException("bugs.csv has the line \"" + row + "\", which plog lab bug did not write");
        }
        if (found.group(4).equals("false")) {
            return;
        }
        long seed = Long.parseLong(found.group(5)) + Long.parseLong(found.group(3)) - 1;
        Set<String> faults = Set.of(found.group(2).split("\\+"));
        BugLoader bug = new BugLoader(Integer.parseInt(found.group(1)));
        for (int i = 0; i < MOST_HISTORIES_AGAIN; i++) {
            if (!bug.history(seed, faults).isEmpty()) {
                return;
            }
        }
        throw new IOException("bugs.csv says that bug " + found.group(1) + " shows with --seed " + seed + " and "
                + found.group(2) + ", and it does not");
    }

    private static String text(Path folder, String file) throws IOException {
        try {
            RegularFile.check(folder.resolve(file), MOST_BYTES);
            return decoded(Files.readAllBytes(folder.resolve(file)));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is missing: do the step that writes it, in the lab's folder", e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no text: do its step again", e);
        }
    }

    /** The predictions in {@code answers.txt}, lines of {@code NAME = NUMBER}; those that are not there are missing. */
    static Map<String, Double> answers(Path folder) throws IOException {
        Map<String, Double> answers = new LinkedHashMap<>();
        if (!Files.exists(folder.resolve("answers.txt"))) {
            return answers;
        }
        int number = 0;
        for (String line : text(folder, "answers.txt").lines().toList()) {
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

    /** An old shell of Windows writes what it redirects in UTF-16. */
    private static String decoded(byte[] bytes) throws CharacterCodingException {
        boolean wide = bytes.length >= 2 && bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE;
        String text = (wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8)
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
