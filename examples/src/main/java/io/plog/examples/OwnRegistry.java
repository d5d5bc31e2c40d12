package io.plog.examples;

import io.micrometer.core.instrument.MeterRegistry;
import io.plog.log.storage.Force;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The example of meters in {@code docs/embedding.md}, compiled and run: ExamplesTest holds the two together. */
final class OwnRegistry {
    private OwnRegistry() {}

    // docs begin
    static PlogServer start(Path directory, MeterRegistry registry) throws IOException {
        TargetOptions orders = TargetOptions.logged("orders", directory, Force.FDATASYNC);
        ServerOptions options = ServerOptions.of(List.of(orders)).withPorts(0, ServerOptions.NO_ADMIN);
        return PlogServer.start(options, registry, null); // null: no text for an admin port
    }
    // docs end
}
