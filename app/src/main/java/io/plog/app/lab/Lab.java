package io.plog.app.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.app.cli.JsonText;
import io.plog.protocol.security.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a lab observes and expects: its {@code check.json}.
 *
 * @param number from 1
 * @param title its first line
 * @param observe what is read from the files that its steps write
 * @param expect what must hold
 * @param predict what students write into {@code answers.txt} before they look, by the observation's name
 */
record Lab(
        @JsonProperty(value = "lab", required = true) int number,
        @JsonProperty(required = true) String title,
        @JsonProperty(required = true) List<Observed> observe,
        @JsonProperty(required = true) List<Expectation> expect,
        List<String> predict) {
    static final String FILE = "check.json";

    Lab {
        predict = predict == null ? List.of() : List.copyOf(predict);
    }

    /**
     * One number.
     *
     * @param name a word
     * @param file where it stands, below the lab's folder
     * @param cell of a results.json, the dimensions of the cell that is meant, where a last * stands for anything; null to look at the whole file
     * @param at JSON pointer to it, or null
     * @param lines instead: the number of lines in which this pattern is found or, if it has a group, of the values that the
     *     group has there
     */
    record Observed(
            @JsonProperty(required = true) String name,
            @JsonProperty(required = true) String file,
            @Nullable Map<String, String> cell,
            @Nullable String at,
            @Nullable String lines) {}

    /**
     * A relation between observations.
     *
     * @param relation as {@link Relation} reads it
     * @param because what it shows
     */
    record Expectation(
            @JsonProperty(required = true) String relation,
            @JsonProperty(required = true) String because) {}

    static Lab read(int number, Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        Lab lab;
        try {
            lab = JsonText.read(RegularFile.text(file, StandardCharsets.UTF_8), Lab.class);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "there is no " + FILE + " in " + folder.toAbsolutePath().normalize()
                            + ": expected the folder of lab " + number,
                    e);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not the check of a lab: " + e.getOriginalMessage(), e);
        }
        if (lab.number != number) {
            throw new IOException(folder.toAbsolutePath().normalize() + " is the folder of lab " + lab.number
                    + ", not of lab " + number);
        }
        return lab;
    }
}
