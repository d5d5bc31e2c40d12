package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Holds what a client noted as acknowledged against what {@code plog log dump} finds in a log. */
public final class LogContents {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LogContents() {}

    /** One record, as both sides describe it. */
    public record Entry(long index, String client, String request, int length, String crc32c) {}

    /** All records of a log in log order. */
    public static List<Entry> dump(Path log) throws IOException {
        return entries(LocalRun.of("log dump --json %s", log).exited(0));
    }

    /** The records that a {@code plog log dump --json} printed. */
    public static List<Entry> entries(CommandOutput dump) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String line : dump.out()) {
            JsonNode record = JSON.readTree(line);
            entries.add(new Entry(
                    record.path("index").longValue(),
                    record.path("client").asText(),
                    record.path("request").asText(),
                    record.path("length").intValue(),
                    record.path("crc32c").asText()));
        }
        return entries;
    }

    /** What the ledger says was acknowledged by a target. */
    public static List<Entry> ledger(Path ledger, int target) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String line : Files.readAllLines(ledger)) {
            String[] words = line.split(" ", -1);
            assertThat(words).as("a line of the ledger: %s", line).hasSize(6);
            if (Integer.parseInt(words[2]) == target) {
                entries.add(
                        new Entry(Long.parseLong(words[3]), words[0], words[1], Integer.parseInt(words[4]), words[5]));
            }
        }
        return entries;
    }

    /** Checks that every acknowledged record is in the log, in its place, once, and that the log has no gap. */
    public static void check(List<Entry> acknowledged, List<Entry> log) {
        assertThat(acknowledged).as("acknowledged records").isNotEmpty();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < log.size(); i++) {
            Entry entry = log.get(i);
            assertThat(entry.index).isEqualTo(log.get(0).index + i);
            assertThat(seen.add(entry.client + " " + entry.request))
                    .as("%s is in the log once", entry)
                    .isTrue();
        }
        for (Entry entry : acknowledged) {
            long place = entry.index - log.get(0).index;
            assertThat(place).as("place of %s", entry).isBetween(0L, log.size() - 1L);
            assertThat(log.get((int) place)).isEqualTo(entry);
        }
    }
}
