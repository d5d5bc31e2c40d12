package consumer;

import io.plog.client.ClientOptions;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Uses the log, the server and the client as somebody else's program does. */
public final class Consumer {
    private Consumer() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createDirectory(Path.of(args[0]));
        try (MessageLog log = MessageLog.open(LogOptions.in(directory))) {
            System.out.println("record " + log.appendAndWait(ByteBuffer.wrap(new byte[8])));
        }
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.unlogged("off")));
        try (PlogServer server = PlogServer.start(options.withPorts(0, ServerOptions.NO_ADMIN));
                RetryingClient client = RetryingClient.of(
                        "127.0.0.1",
                        server.address().getPort(),
                        ClientOptions.defaults(),
                        RetryOptions.defaults())) {
            System.out.println("answered " + client.callAndWait("off", ByteBuffer.allocate(8)).payload().length);
        }
    }
}
