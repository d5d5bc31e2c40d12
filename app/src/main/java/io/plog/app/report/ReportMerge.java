package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.page.StudyReport;
import io.plog.report.Report;
import io.plog.report.TerminalSummary;
import io.plog.report.compare.ClientMerge;
import io.plog.report.compare.NotComparableException;
import io.plog.report.results.Check;
import io.plog.report.results.Results;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyMerge;
import io.plog.report.study.StudyResults;
import io.plog.report.study.StudyText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code plog report --merge}: one run of several clients' runs, or one study of several machines' studies. */
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
        if (inputs.stream()
                .anyMatch(input -> ReportInput.studyOf(labelled(input)[1]).isPresent())) {
            return studies(inputs, out, stdout, err);
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
        List<String> notes;
        try {
            notes = ClientMerge.merge(samples, merged);
        } catch (NotComparableException e) {
            throw new CommandException(ExitCode.MISUSED, String.valueOf(e.getMessage()));
        }
        Results results = RunPage.write(merged, out);
        notes.forEach(note -> err.println("plog report: " + note));
        stdout.print(json ? Report.json(results) : TerminalSummary.of(results));
        stdout.flush();
        err.println("report: " + out.resolve(Report.HTML_FILE) + ", merged from " + inputs.size() + " clients");
        return ExitCode.DONE.code();
    }

    private int studies(List<Path> inputs, Path to, PrintWriter stdout, PrintWriter err)
            throws IOException, CommandException {
        Map<String, StudyResults> all = new LinkedHashMap<>();
        for (Path input : inputs) {
            Path[] parts = labelled(input);
            StudyResults study = StudyFile.read(parts[1]);
            Map<String, String> server = study.environment().server();
            String label = parts[0].toString().isEmpty()
                    ? input + ": " + server.getOrDefault("cpu", "unknown") + ", " + server.getOrDefault("cores", "?")
                            + " cores"
                    : parts[0].toString();
            if (all.put(label, study) != null) {
                throw new CommandException(
                        ExitCode.MISUSED,
                        "--merge has two machines called '" + label + "': name them, as fast=DIR slow=DIR");
            }
        }
        StudyResults merged = StudyMerge.of(all);
        ResultsDirectory.prepare(to, overwrite);
        StudyReport.write(merged, to);
        stdout.print(json ? StudyFile.json(merged) : StudyText.of(merged));
        stdout.flush();
        err.println("report: " + to.resolve(Report.HTML_FILE) + ", merged from " + all.size() + " studies");
        for (Check check : merged.validity()) {
            if (check.invalidates()) {
                err.println("plog report: a study is not valid: " + check.detail());
                return ExitCode.NOT_VALID.code();
            }
        }
        return ExitCode.DONE.code();
    }

    /** The name of a study's machine, which may be empty, and the study: {@code NAME=DIR}. */
    private static Path[] labelled(Path input) {
        String text = input.toString();
        int equals = Files.exists(input) ? -1 : text.indexOf('=');
        return new Path[] {Path.of(text.substring(0, Math.max(0, equals))), Path.of(text.substring(equals + 1))};
    }
}
