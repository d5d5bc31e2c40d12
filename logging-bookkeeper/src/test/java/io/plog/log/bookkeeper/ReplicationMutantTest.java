package io.plog.log.bookkeeper;

import io.plog.log.testing.MutantSuite;
import java.util.List;

/** The tests are tested, as those of {@code logging-core}: each deliberate defect must make a named test fail. */
class ReplicationMutantTest extends MutantSuite {
    ReplicationMutantTest() throws Exception {
        super("io.plog.log.bookkeeper", "R", 1, List.of());
    }
}
