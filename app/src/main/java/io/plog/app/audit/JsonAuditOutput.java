package io.plog.app.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plog.app.cli.LogArgument;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints an audit as one JSON object: first all violations, then the result. */
final class JsonAuditOutput implements AuditOutput {
    private final PrintWriter out;
    private final JsonGenerator json;
    private boolean begun;

    JsonAuditOutput(PrintWriter out) throws IOException {
        this.out = out;
        this.json = new JsonFactory()
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
    }

    /** Not before there is something to say: misuse prints nothing on standard output. */
    private void begin() throws IOException {
        if (!begun) {
            begun = true;
            json.writeStartObject();
            json.writeArrayFieldStart("violations");
        }
    }

    @Override
    public void violation(Violation violation) {
        try {
            begin();
            json.writeStartObject();
            json.writeStringField("kind", violation.kind().name());
            if (violation.kind() != Violation.Kind.GAP) {
                json.writeStringField("client", Long.toUnsignedString(violation.client()));
                json.writeStringField("request", Long.toUnsignedString(violation.request()));
            }
            place("acknowledged", violation.acknowledged());
            place("found", violation.found());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void place(String name, Violation.@Nullable Place place) throws IOException {
        if (place != null) {
            json.writeObjectFieldStart(name);
            json.writeNumberField("index", place.index());
            json.writeNumberField("length", place.length());
            json.writeStringField("crc32c", String.format("%08x", place.crc32c()));
            json.writeEndObject();
        }
    }

    @Override
    public void result(LedgerFiles ledger, LogArgument log, Audit.Result result) throws IOException {
        begin();
        json.writeEndArray();
        json.writeBooleanField("ok", result.holds());
        json.writeStringField("log", log.describe());
        json.writeStringField("target", ledger.target());
        json.writeNumberField("ledgerLines", ledger.lines());
        json.writeNumberField("otherTargets", ledger.ofOthers());
        json.writeNumberField("unlogged", ledger.unlogged());
        json.writeNumberField("repeated", ledger.repeats());
        json.writeNumberField("acknowledged", result.acknowledged());
        json.writeNumberField("intact", result.intact());
        json.writeNumberField("dropped", result.dropped());
        json.writeNumberField("wrong", result.wrong());
        json.writeNumberField("records", result.records());
        json.writeNumberField("firstIndex", result.firstIndex());
        json.writeNumberField("lastIndex", result.lastIndex());
        json.writeNumberField("checkpointIndex", result.checkpointIndex());
        json.writeObjectFieldStart("counts");
        for (Map.Entry<Violation.Kind, Long> count : result.counts().entrySet()) {
            json.writeNumberField(count.getKey().name(), count.getValue());
        }
        json.writeEndObject();
        json.writeStringField(
                "damage", result.damage() == null ? "" : result.damage().getMessage());
        json.writeEndObject();
    }

    @Override
    public void close() throws IOException {
        json.close();
        if (begun) {
            out.println();
        }
        out.flush();
    }
}
