package io.plog.server;

import io.plog.log.testing.MutantSuite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The tests are tested, as those of the log: each deliberate defect of a server whose log others may take over must make a named test
 * fail.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServerMutantTest {
    private final MutantSuite suite = new MutantSuite("io.plog.server", "S", 1, List.of());

    ServerMutantTest() throws Exception {}

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
