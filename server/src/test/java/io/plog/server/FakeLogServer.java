package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.plog.log.storage.Force;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FakeLog;
import io.plog.server.targets.Target;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server over a log that is durable when the test says so; after each test all of its buffers have come back. */
@Timeout(60)
abstract class FakeLogServer {
    @TempDir
    Path directory;

    /** Counts every byte given out. */
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    final FakeLog log = new FakeLog();

    /** The one that was started last; null before. */
    PlogServer server;

    /** On any port, without an admin port. */
    static ServerOptions options(TargetOptions... targets) {
        return ServerOptions.of(List.of(targets)).withPorts(0, ServerOptions.NO_ADMIN);
    }

    TargetOptions logged(String name) {
        return TargetOptions.logged(name, directory, Force.FDATASYNC);
    }

    PlogServer start(ServerOptions options, Target.LogOpener opener) throws Exception {
        server = PlogServer.start(options, allocator, opener);
        return server;
    }

    PlogServer start(ServerOptions options) throws Exception {
        return start(options, (target, state, meters) -> target.isLogged() ? log : null);
    }

    /** On real logs. */
    PlogServer startOnDisk(ServerOptions options) throws Exception {
        return start(options, PlogServer.realLogs(options));
    }

    TestClient client() throws Exception {
        return TestClient.greeted(server.address());
    }

    @AfterEach
    void stopAndFindNothingLeaked() throws Exception {
        if (server == null) {
            return;
        }
        log.end(); // a test that failed may have left threads that wait
        server.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }
}
