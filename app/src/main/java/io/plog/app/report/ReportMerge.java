package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.compare.ClientMerge;
import io.plog.report.compare.NotComparableException;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code plog report --merge}: one run of several clients' runs. */
final class ReportMerge {
    private final @Nullable Path out;
    private final boolean overwrite;
    private final boolean json;

    ReportMerge(@Nullable Path out, boolean overwrite, boolean json) {
        this.out = out;
        this.overwrite = overwrite;
        this.json = json;
    }

    int run(List<Path> inputs, PrintWriter stdout, PrintWriter err) throws IOException, CommandException {
        if (inputs.size() < 2 || out == null) {
            throw new CommandException(
                    ExitCode.MISUSED, "--merge takes at least two results and --out DIR for the merged run");
        }
        List<Path> samples = new ArrayList<>();
        for (Path input : inputs) {
            Path file = ReportInput.samplesOf(input);
            if (file.toAbsolutePath()
                    .normalize()
                    .startsWith(out.toAbsolutePath().normalize())) {
                throw new CommandException(
                        ExitCode.MISUSED, "--out " + out + " holds " + input + ", which is to be merged");
            }
            samples.add(file);
        }
        ResultsDirectory.prepare(out, overwrite);
        Path merged = out.resolve(SampleFileWriter.FILE_NAME);
        List<String> warnings;
        try {
            warnings = ClientMerge.merge(samples, merged);
        } catch (NotComparableException e) {
            throw new CommandException(ExitCode.MISUSED, String.valueOf(e.getMessage()));
        }
        Results results = RunPage.write(merged, out);
        warnings.forEach(warning -> err.println("plog report: " + warning));
        stdout.print(json ? Report.json(results) : TerminalSummary.of(results));
        stdout.flush();
        err.println("report: " + out.resolve(Report.HTML_FILE) + ", merged from " + inputs.size() + " clients");
        return ExitCode.DONE.code();
    }
}
