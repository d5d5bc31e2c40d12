package io.plog.client.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.study.StudyResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StudyReportTest {
    private static final long SEED = 11;

    @TempDir
    private Path out;

    @Test
    void aStudyStaysBelowOneMegabyteAndIsReadAgainAsItWas() throws IOException {
        StudyResults study = SyntheticStudy.of(SEED);
        StudyReport.write(study, out);
        String keep = System.getProperty("plog.keep");
        if (keep != null) {
            StudyReport.write(study, Path.of(keep));
        }
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(1_000_000);
        assertThat(StudyFile.read(out.resolve("study.json"))).isEqualTo(study);
    }
}
