package io.plog.app.log;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.SegmentOffset;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog log show}: the bytes of a segment, with the fields named. */
@Command(
        name = "show",
        description = {
            "Prints the bytes of a segment with each field's name and value, and whether its checks are right:"
                    + " docs/log-format.md has the layout. Changes nothing, and decides nothing: plog log verify does.",
            "Example:",
            "  plog log show --at 4096 --records 3 log/00000000000000000001.seg"
        })
final class LogShowCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", description = "A segment's file, in the log's directory.")
    private Path file;

    @Option(
            names = "--at",
            paramLabel = "OFFSET",
            defaultValue = "0",
            description =
                    "Where to begin, in bytes: 0 for the segment's header (the default), 4096 for its first record, end for"
                            + " where its records end.")
    private String place;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many records to show, one behind the other. Default: ${DEFAULT-VALUE}.")
    private int records;

    @Override
    protected ExitCode run() throws IOException {
        long offset = SegmentOffset.of(file, place);
        if (records < 1) {
            throw new IllegalArgumentException("--records is " + records + ": expected a number from 1");
        }
        PrintWriter out = out();
        try (SegmentBytes bytes = SegmentBytes.open(file)) {
            long at = offset;
            for (int i = 0; i < records && at >= 0; i++) {
                at = at == 0 ? bytes.showHeader(out) : bytes.showRecord(at, out);
            }
        }
        return ExitCode.DONE;
    }
}
