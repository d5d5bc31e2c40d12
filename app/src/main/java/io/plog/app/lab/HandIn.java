package io.plog.app.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.app.cli.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a student hands in: a file {@code lab-N.json}. Its signature shows a slip or a careless edit, and is no proof: whoever has
 * the program can make another one.
 *
 * @param lab its number
 * @param program version and commit of the plog that checked
 * @param seed of the run that was observed; 0 if there was none
 * @param observed each number by its name
 * @param holds whether each relation holds
 * @param predicted what the student expected, by the observation's name
 * @param inputs SHA-256 of each file that was read
 * @param signature SHA-256 of all this
 */
record HandIn(
        @JsonProperty(required = true) int lab,
        @JsonProperty(required = true) String program,
        long seed,
        @JsonProperty(required = true) Map<String, Double> observed,
        @JsonProperty(required = true) Map<String, Boolean> holds,
        @JsonProperty(required = true) Map<String, Double> predicted,
        @JsonProperty(required = true) Map<String, String> inputs,
        @JsonProperty(required = true) String signature) {
    HandIn signed() {
        return new HandIn(lab, program, seed, observed, holds, predicted, inputs, expectedSignature());
    }

    boolean isAsSigned() {
        return signature.equals(expectedSignature());
    }

    private String expectedSignature() {
        String all = JsonText.line(List.of(lab, program, seed, observed, holds, predicted, inputs));
        return LabFiles.sha256(all.getBytes(StandardCharsets.UTF_8));
    }

    static HandIn read(String text) throws JsonProcessingException {
        return JsonText.read(text, HandIn.class);
    }
}
