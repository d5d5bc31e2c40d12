package io.plog.server;

import io.plog.log.testing.MutantSuite;
import java.util.List;

/**
 * The tests are tested, as those of the log: each deliberate defect of a server whose log others may take over must make a named test
 * fail.
 */
class ServerMutantTest extends MutantSuite {
    ServerMutantTest() throws Exception {
        super("io.plog.server", "S", 1, List.of());
    }
}
