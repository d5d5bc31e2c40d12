package io.plog.examples;

import io.netty.buffer.ByteBuf;
import io.plog.client.ClientOptions;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.log.storage.Force;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The example of {@code docs/embedding.md}, compiled and run: ExamplesTest holds the two together. */
final class DurableService {
    private DurableService() {}

    // docs begin
    /** Adds what each request says, and answers with the sum: 8 bytes each. */
    static final class Adder implements Service {
        private long sum;

        @Override
        public String name() {
            return "adder";
        }

        @Override
        public boolean isStateless() {
            return false;
        }

        @Override
        public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
            reply.setZero(to, length);
            if (length == Long.BYTES) { // a request that makes no sense gets zeros
                sum += request.getLong(from);
                reply.setLong(to, sum);
            }
        }

        @Override
        public Snapshot snapshot() {
            long now = sum;
            return () -> ByteBuffer.allocate(Long.BYTES).putLong(0, now);
        }

        @Override
        public void restore(ByteBuffer state) {
            sum = state.getLong();
        }
    }

    static long add(Path directory, long number) throws Exception {
        TargetOptions adder =
                TargetOptions.logged("adder", directory, Force.FDATASYNC).withService(Adder::new);
        try (PlogServer server =
                        PlogServer.start(ServerOptions.of(List.of(adder)).withPorts(0, ServerOptions.NO_ADMIN));
                RetryingClient client = RetryingClient.of(
                        "127.0.0.1", server.address().getPort(), ClientOptions.defaults(), RetryOptions.defaults())) {
            ByteBuffer request = ByteBuffer.allocate(Long.BYTES).putLong(0, number);
            // Logged, forced, executed once, and answered: also if the connection breaks or the server dies meanwhile.
            return ByteBuffer.wrap(client.callAndWait("adder", request).payload())
                    .getLong();
        }
    }
    // docs end
}
