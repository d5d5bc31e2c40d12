package io.plog.e2e.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.log.storage.LogException;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32C;

/** What two readers of a log must agree on, in a form that can be compared. */
public final class LogFacts {
    private static final List<String> NAMES = List.of(
            "ok", "records", "firstIndex", "lastIndex", "markedIndex", "checkpointIndex", "cleanlyClosed", "tornBytes");

    private LogFacts() {}

    /** From a line of {@code verify --json}. */
    public static Map<String, String> of(JsonNode found) {
        Map<String, String> facts = new LinkedHashMap<>();
        NAMES.forEach(name -> facts.put(name, found.path(name).asText()));
        facts.put(
                "segments",
                StreamSupport.stream(found.path("segments").spliterator(), false)
                        .filter(segment -> !segment.path("state").asText().equals("prepared"))
                        .map(segment -> segment.path("file").asText() + " "
                                + segment.path("content").asText() + " " + segment.path("offset"))
                        .toList()
                        .toString());
        return facts;
    }

    public static Map<String, String> of(LogTools.Inspection found) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("ok", Boolean.toString(found.damage().isEmpty()));
        facts.put("records", Long.toString(found.records()));
        facts.put("firstIndex", Long.toString(found.firstIndex()));
        facts.put("lastIndex", Long.toString(found.lastIndex()));
        facts.put("markedIndex", Long.toString(found.markedIndex()));
        facts.put("checkpointIndex", Long.toString(found.checkpointIndex()));
        facts.put("cleanlyClosed", Boolean.toString(found.cleanlyClosed()));
        facts.put(
                "tornBytes",
                Long.toString(found.segments().stream()
                        .mapToLong(LogTools.Segment::tornBytes)
                        .sum()));
        facts.put(
                "segments",
                found.segments().stream()
                        .filter(segment -> !segment.state().equals("prepared"))
                        .map(segment -> segment.file() + " " + segment.content() + " " + segment.usedBytes())
                        .toList()
                        .toString());
        return facts;
    }

    /** Each record as {@code plog log dump --json} prints it, up to damage, if there is any. */
    public static List<String> records(Path log, long firstIndex, boolean payload) throws IOException {
        return records(List.of(log), firstIndex, payload);
    }

    /** The same for a striped log. */
    public static List<String> records(List<Path> log, long firstIndex, boolean payload) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LogReader reader = LogReader.open(log, firstIndex)) {
            while (reader.next()) {
                lines.add(line(reader.index(), reader.payload(), payload));
            }
        } catch (LogException damaged) {
            // What came before is what there is; the damage itself is for the caller to compare.
        }
        return lines;
    }

    private static String line(long index, ByteBuffer record, boolean payload) {
        String request = "";
        ByteBuffer body = record;
        if (RequestRecord.isRequest(record)) {
            request = ",\"client\":" + Long.toUnsignedString(RequestRecord.client(record)) + ",\"request\":"
                    + Long.toUnsignedString(RequestRecord.request(record));
            body = RequestRecord.payload(record);
        }
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return String.format(
                Locale.ROOT,
                "{\"index\":%d%s,\"length\":%d,\"crc32c\":\"%08x\"%s}",
                index,
                request,
                bytes.length,
                crc.getValue(),
                payload ? ",\"payload\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"" : "");
    }
}
