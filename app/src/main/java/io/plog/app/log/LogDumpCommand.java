package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plog log dump}: every record in log order. */
@Command(
        name = "dump",
        description = {
            "Prints every record in log order: index, client, request, and length and CRC-32C of the request's payload.",
            "A record that is not a request has no client and no request; its length and CRC are of all of it."
        })
final class LogDumpCommand extends NamedLogCommand {
    @Option(names = "--payload", description = "Also print each payload, in base64.")
    private boolean payload;

    @Option(names = "--from", paramLabel = "INDEX", defaultValue = "0", description = "Begin with this record.")
    private long from;

    @Option(
            names = "--salvage",
            description =
                    "Print every intact record, also those behind damage, and say on stderr what is missing; of a striped log"
                            + " one directory after the other.")
    private boolean salvage;

    @Override
    protected ExitCode run() throws IOException {
        if (salvage) {
            return salvage();
        }
        dump();
        return ExitCode.DONE;
    }

    private void dump() throws IOException {
        log().look(stored -> {
            try (LogReader reader = stored.read(from)) {
                printHeading();
                while (reader.next()) {
                    print(reader.index(), reader.payload());
                }
                return reader.index();
            }
        });
    }

    /** The log is damaged if a record is missing, and the exit code says so; what could be read is there all the same. */
    private ExitCode salvage() throws IOException {
        List<Path> directories = directories("--salvage searches the files of a damaged log; of a log at an address"
                + " what lies behind damage is read with --from INDEX");
        printHeading();
        LogTools.SalvageSummary found = LogTools.salvage(directories, (file, offset, index, payload) -> {
            if (index >= from) {
                print(index, payload);
            }
        });
        out().flush();
        say("salvaged " + records(found.records(), found.firstIndex(), found.lastIndex()) + "; "
                + found.missing() + " between them are missing"
                + (found.acknowledged() > found.lastIndex()
                        ? ", and those up to " + found.acknowledged() + ", which were acknowledged, behind them"
                        : "")
                + (found.unreadableSegments() == 0
                        ? ""
                        : "; " + found.unreadableSegments()
                                + " segments have a damaged header and cannot be searched"));
        found.lost().forEach(each -> say("lost: " + each));
        boolean complete =
                found.missing() == 0 && found.unreadableSegments() == 0 && found.acknowledged() <= found.lastIndex();
        return complete ? ExitCode.DONE : ExitCode.LOG_DAMAGED;
    }

    private void printHeading() {
        if (!isJson()) {
            out().printf("%12s %20s %20s %10s %8s%n", "index", "client", "request", "length", "crc32c");
        }
    }

    private void print(long index, ByteBuffer record) {
        boolean isRequest = RequestRecord.isRequest(record);
        ByteBuffer body = isRequest ? RequestRecord.payload(record) : record;
        out().println(isJson() ? json(index, record, body, isRequest) : row(index, record, body, isRequest));
    }

    private String json(long index, ByteBuffer record, ByteBuffer body, boolean isRequest) {
        ObjectNode json = JsonText.object().put("index", index);
        if (isRequest) {
            // As texts: what reads JSON elsewhere keeps 53 bits of a number.
            json.put("client", Long.toUnsignedString(RequestRecord.client(record)))
                    .put("request", Long.toUnsignedString(RequestRecord.request(record)));
        }
        json.put("length", body.remaining()).put("crc32c", crc(body));
        if (payload) {
            json.put("payload", base64(body));
        }
        return JsonText.line(json);
    }

    private String row(long index, ByteBuffer record, ByteBuffer body, boolean isRequest) {
        String row = String.format(
                "%12d %20s %20s %10d %8s",
                index,
                isRequest ? Long.toUnsignedString(RequestRecord.client(record)) : "-",
                isRequest ? Long.toUnsignedString(RequestRecord.request(record)) : "-",
                body.remaining(),
                crc(body));
        return payload ? row + " " + base64(body) : row;
    }

    private static String crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return String.format("%08x", crc.getValue());
    }

    private static String base64(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }
}
