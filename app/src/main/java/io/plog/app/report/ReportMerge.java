package io.plog.app.report;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.results.TerminalSummary;
import io.plog.results.compare.ClientMerge;
import io.plog.results.compare.NotComparableException;
import io.plog.results.compare.StudyMerge;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code plog report --merge}: one run of several clients' runs, or one study of several machines' studies. */
final class ReportMerge {
    private final ReportCommand command;

    ReportMerge(ReportCommand command) {
        this.command = command;
    }

    ExitCode run() throws IOException, NotComparableException {
        List<Path> inputs = command.inputs;
        Path out = command.out;
        if (inputs.size() < 2 || out == null) {
            throw new IllegalArgumentException("--merge takes at least two results and --out DIR for the merged run");
        }
        Map<String, Path> samples = new LinkedHashMap<>();
        boolean studies = false;
        for (Path input : inputs) {
            Path[] parts = labelled(input);
            Path file = ReportCommand.samplesOf(parts[1]);
            if (file.toAbsolutePath()
                    .normalize()
                    .startsWith(out.toAbsolutePath().normalize())) {
                throw new IllegalArgumentException("--out " + out + " holds " + input + ", which is to be merged");
            }
            RunInfo info = info(file);
            studies |= info.isStudy();
            String label = parts[0].toString();
            if (samples.put(label.isEmpty() ? label(input, info) : label, file) != null) {
                throw new IllegalArgumentException(
                        info.isStudy()
                                ? "--merge has two machines called '" + label + "': name them, as fast=DIR slow=DIR"
                                : input + " was given twice; its samples would count twice");
            }
        }
        ResultsDirectory.prepare(out, command.overwrite);
        Path merged = out.resolve(SampleFileWriter.FILE_NAME);
        List<String> notes = List.of();
        if (studies) {
            StudyMerge.merge(samples, merged);
        } else {
            notes = ClientMerge.merge(List.copyOf(samples.values()), merged);
        }
        Results results = RunPage.write(merged, out);
        notes.forEach(note -> command.complain(note));
        command.print(command.json ? ResultsFile.json(results) : TerminalSummary.of(results));
        command.say("report: " + out.resolve(ResultsFile.HTML) + ", merged from " + inputs.size()
                + (studies ? " studies" : " clients"));
        return ExitCode.DONE;
    }

    private static RunInfo info(Path samples) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(samples)) {
            return reader.info();
        }
    }

    /** What a machine is called whose study has no name. */
    private static String label(Path input, RunInfo info) {
        return input + ": " + info.server().getOrDefault("cpu", "unknown") + ", "
                + info.server().getOrDefault("cores", "?") + " cores";
    }

    /** The name of a study's machine, which may be empty, and the study: {@code NAME=DIR}. */
    private static Path[] labelled(Path input) {
        String text = input.toString();
        int equals = Files.exists(input) ? -1 : text.indexOf('=');
        return new Path[] {Path.of(text.substring(0, Math.max(0, equals))), Path.of(text.substring(equals + 1))};
    }
}
