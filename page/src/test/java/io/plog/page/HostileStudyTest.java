package io.plog.page;

import io.plog.report.HostileJson;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyResults;
import io.plog.report.study.StudyText;
import io.plog.report.study.SyntheticStudy;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A {@code study.json} with any field changed to anything is rendered, or refused in a sentence; see {@link HostileJson}. */
final class HostileStudyTest {
    @TempDir
    private Path directory;

    @Test
    void anyFieldMayBeAnythingAndIsDrawnOrRefusedInASentence() throws IOException {
        HostileJson.areDrawnOrRefusedInASentence(
                SyntheticStudy.of(7),
                directory.resolve(StudyFile.NAME),
                30,
                file -> { // of some 5,000
                    StudyResults study = StudyFile.read(file);
                    Page.of(StudyReport.of(study));
                    StudyText.of(study);
                });
    }
}
