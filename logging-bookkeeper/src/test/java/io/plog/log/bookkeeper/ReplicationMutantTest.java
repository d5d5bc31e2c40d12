package io.plog.log.bookkeeper;

import io.plog.log.testing.MutantSuite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests are tested, as those of {@code logging-core}: each deliberate defect must make a named test fail. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReplicationMutantTest {
    private final MutantSuite suite = new MutantSuite("io.plog.log.bookkeeper", "R", 1, List.of());

    ReplicationMutantTest() throws Exception {}

    @Test
    void everyMutantFitsItsClass() {
        suite.assertEachFits();
    }

    @Test
    @Tag("slow")
    void everyMutantIsCaughtByItsTest() {
        suite.assertEachIsCaught();
    }

    @Test
    @Tag("slow")
    void withoutADefectTheSameTestsPassOnTheSameRoute() {
        suite.assertTestsPassWithoutADefect();
    }
}
