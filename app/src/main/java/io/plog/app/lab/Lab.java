package io.plog.app.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.plog.app.cli.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a lab observes and expects. It is in the program, so that nobody edits it.
 *
 * @param number from 1
 * @param title its first line
 * @param observe what is read from the files that its steps write
 * @param expect what must hold
 * @param predict what students write into {@code answers.txt} before they begin, by the observation's name
 * @param order what has to happen one after the other: {@code begins} or {@code ends}, and the words that a command begins with
 * @param own files that no two students have alike
 */
record Lab(
        @JsonProperty(value = "lab", required = true) int number,
        @JsonProperty(required = true) String title,
        @JsonProperty(required = true) List<Observed> observe,
        @JsonProperty(required = true) List<Expectation> expect,
        List<String> predict,
        List<String> order,
        List<String> own) {
    Lab {
        predict = predict == null ? List.of() : List.copyOf(predict);
        order = order == null ? List.of() : List.copyOf(order);
        own = own == null ? List.of() : List.copyOf(own);
    }

    /**
     * One number.
     *
     * @param name a word
     * @param file where it stands, below the lab's folder
     * @param from the words with which the command begins that printed or made it
     * @param cell of a results.json, the dimensions of the cell that is meant, where a last * stands for anything; null to look at the whole file
     * @param at JSON pointer to it, or null
     * @param lines instead: the number of lines in which this pattern is found or, if it has a group, of the values that the
     *     group has there
     */
    record Observed(
            @JsonProperty(required = true) String name,
            @JsonProperty(required = true) String file,
            @JsonProperty(required = true) String from,
            @Nullable Map<String, String> cell,
            @Nullable String at,
            @Nullable String lines) {}

    /**
     * A relation between observations.
     *
     * @param relation as {@link Relation} reads it
     * @param because what it shows
     * @param points that it is worth; 1 if all of a lab are worth the same
     */
    record Expectation(
            @JsonProperty(required = true) String relation,
            @JsonProperty(required = true) String because,
            int points) {
        Expectation {
            points = Math.max(1, points);
        }
    }

    /** @throws IllegalArgumentException if there is none with this number */
    static Lab of(int number) throws IOException {
        try (InputStream in = Lab.class.getResourceAsStream("lab-" + number + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("there is no lab " + number);
            }
            return JsonText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), Lab.class);
        }
    }
}
