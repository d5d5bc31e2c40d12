package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.page.DiskPage;
import io.plog.report.Report;
import io.plog.report.disk.DiskFile;
import io.plog.report.disk.DiskGate;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskText;
import io.plog.report.results.ResultsJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code plog report} with the results of {@code plog disk}: renders them again, compares two, and judges gates. */
final class ReportDisk {
    private final CompareOptions options;
    private final @Nullable Path out;
    private final @Nullable Path figures;
    private final boolean overwrite;
    private final boolean json;

    ReportDisk(CompareOptions options, @Nullable Path out, @Nullable Path figures, boolean overwrite, boolean json) {
        this.options = options;
        this.out = out;
        this.figures = figures;
        this.overwrite = overwrite;
        this.json = json;
    }

    /**
     * Does it and says the exit code.
     *
     * @param files one or two {@code disk.json}; of two the first is the baseline
     */
    int run(List<Path> files, CommandLine command) throws IOException, CommandException {
        checkOptions(files);
        List<Path> all = Stream.concat(
                        Stream.ofNullable(options.baseline).flatMap(path -> ReportInput.diskOf(path).stream()),
                        files.stream())
                .toList();
        if (all.size() > 2 || (options.baseline != null && all.size() == files.size())) {
            throw new CommandException(
                    ExitCode.MISUSED,
                    "two results of plog disk can be compared, and only with each other; given were " + files.size()
                            + (options.baseline == null ? "" : " and the --baseline " + options.baseline));
        }
        DiskResults results = DiskFile.read(all.get(all.size() - 1));
        DiskPair pair = all.size() == 2 ? pair(DiskFile.read(all.get(0)), results, all) : null;
        List<DiskGates.Judged> gates = judge(results);
        if (figures != null) {
            command.getErr().println("figures: " + DiskPage.writeFigures(results, figures, overwrite));
        }
        writePage(results, gates, pair, all.get(all.size() - 1), command);
        command.getOut().print(json ? ResultsJson.pretty(results) : pair == null ? DiskText.of(results) : pair.text());
        command.getOut().flush();
        command.getErr().print(DiskGates.text(gates));
        command.getErr().flush();
        return (DiskGates.fail(gates, options.strict) ? ExitCode.CHECK_FAILED : ExitCode.DONE).code();
    }

    private void checkOptions(List<Path> files) throws CommandException {
        if (options.merge || options.targets != null || options.markdown != null) {
            throw new CommandException(
                    ExitCode.MISUSED,
                    files.get(0)
                            + ": is a result of plog disk; --merge, --compare and --markdown are for runs of plog"
                            + " measure");
        }
    }

    private static DiskPair pair(DiskResults a, DiskResults b, List<Path> names) throws CommandException {
        try {
            return DiskPair.of(
                    a.directories().get(0), b.directories().get(0), name(names.get(0), a), name(names.get(1), b));
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.MISUSED, String.valueOf(e.getMessage()));
        }
    }

    private static String name(Path file, DiskResults results) {
        return results.directories().get(0).path() + " of " + file;
    }

    private List<DiskGates.Judged> judge(DiskResults results) throws CommandException {
        List<String> texts = options.gates;
        try {
            return texts == null
                    ? List.of()
                    : DiskGates.judge(texts.stream().map(DiskGate::parse).toList(), results);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.MISUSED, "--fail-if: " + e.getMessage());
        }
    }

    /** Beside the results unless told otherwise; a comparison only where it is told, since it is of two. */
    private void writePage(
            DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair, Path file, CommandLine command)
            throws IOException {
        Path directory;
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
            DiskPage.write(results, gates, pair, out);
            directory = out;
        } else if (pair == null) {
            Path parent = file.toAbsolutePath().getParent();
            directory = parent != null ? parent : file;
            DiskPage.render(results, gates, null, directory);
        } else {
            return;
        }
        command.getErr().println("report: " + directory.resolve(Report.HTML_FILE));
    }
}
