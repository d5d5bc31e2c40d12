package io.plog.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plog.client.CallFailedException;
import io.plog.client.ClientOptions;
import io.plog.client.Reply;
import io.plog.client.RetryListener;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** The example of partitions in {@code docs/embedding.md}, compiled and run: ExamplesTest holds the two together. */
final class Partitioned {
    private Partitioned() {}

    // docs begin
    /** A client of N groups of servers, each with a log of its own. A key belongs to one of them. */
    static final class Partitions implements AutoCloseable {
        private final List<RetryingClient> groups;

        /** @param groups the servers of each group; how many groups there are, and their order, never change */
        Partitions(List<List<InetSocketAddress>> groups) {
            this.groups = groups.stream()
                    .map(servers -> RetryingClient.of(
                            servers, 1, ClientOptions.defaults(), RetryOptions.defaults(), RetryListener.NONE))
                    .toList();
        }

        /** Requests of one key are executed in order, if each waits for the reply to the one before. */
        Reply call(String key, ByteBuffer request) throws CallFailedException {
            return groups.get(partition(key, groups.size())).callAndWait("orders", request);
        }

        /** The same in every process and every release, as String.hashCode in another language would not be. */
        static int partition(String key, int count) {
            CRC32C hash = new CRC32C();
            hash.update(key.getBytes(UTF_8));
            return (int) (hash.getValue() % count);
        }

        @Override
        public void close() {
            groups.forEach(RetryingClient::close);
        }
    }
    // docs end
}
