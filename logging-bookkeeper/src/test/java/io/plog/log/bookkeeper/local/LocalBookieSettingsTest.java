package io.plog.log.bookkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.Test;

class LocalBookieSettingsTest {
    /** Several journals would send each other's answers, see JournalChangeTest. */
    @Test
    void aBookieForcesItsOneJournalBeforeItAnswersAndSeldomChangesTheFile() throws Exception {
        ServerConfiguration settings = LocalBookie.settings(Path.of("somewhere"), "bookie-1", 2181);
        settings.validate();
        assertThat(settings.getJournalWriteData()).isTrue();
        assertThat(settings.getJournalSyncData()).isTrue();
        assertThat(settings.getJournalDirNames()).hasSize(1);
        assertThat(settings.getMaxJournalSizeMB()).isEqualTo(2_048);
        assertThat(settings.getJournalFlushWhenQueueEmpty()).isTrue();
    }
}
