package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.page.StudyReport;
import io.plog.report.Report;
import io.plog.report.results.ResultsJson;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyResults;
import io.plog.report.study.StudyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code plog report} with a load study: renders it again from its {@code study.json}. */
final class ReportStudy {
    private final @Nullable Path out;
    private final @Nullable Path figures;
    private final boolean overwrite;
    private final boolean json;

    ReportStudy(@Nullable Path out, @Nullable Path figures, boolean overwrite, boolean json) {
        this.out = out;
        this.figures = figures;
        this.overwrite = overwrite;
        this.json = json;
    }

    /**
     * Renders it and says the exit code.
     *
     * @throws IOException if the study can't be read or a file can't be written
     */
    int run(Path studyFile, CommandLine command) throws IOException, CommandException {
        Path parent = studyFile.toAbsolutePath().getParent();
        Path directory = out != null ? out : parent != null ? parent : studyFile;
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new CommandException(ExitCode.FAILED, "--out " + directory + " is a file, expected a directory");
        }
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
            if (!overwrite && Files.exists(out.resolve(StudyReport.STUDY_FILE))) {
                throw new IOException("--out " + out + " holds a study already (" + StudyReport.STUDY_FILE
                        + "); name another directory, or replace it with --overwrite");
            }
        }
        StudyResults study = StudyFile.read(studyFile);
        String drawn = figures == null ? "" : StudyReport.writeFigures(study, figures, overwrite);
        if (out != null) {
            StudyReport.write(study, directory);
        } else {
            StudyReport.render(study, directory);
        }
        command.getOut().print(json ? ResultsJson.pretty(study) : StudyText.of(study));
        command.getOut().flush();
        command.getErr().println("report: " + directory.resolve(Report.HTML_FILE));
        if (figures != null) {
            command.getErr().println("figures: " + drawn);
        }
        return ExitCode.DONE.code();
    }
}
