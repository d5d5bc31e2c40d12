package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Force;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
final class ReadmeTest {
    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void theEmbeddingExampleIsTheCompiledOne() throws Exception {
        assertThat(readme()).contains(example("EmbeddingExample"));
    }

    @Test
    void theEmbeddingExampleReplaysWhatItLogged() throws Exception {
        assertThat(EmbeddingExample.run(directory)).containsExactly("acknowledged as record 1");
        assertThat(EmbeddingExample.run(directory)).containsExactly("debit 7", "acknowledged as record 2");
    }

    @Test
    void theExampleOfASimulatedDiskIsTheOneThatIsRunAndCrashesAtEveryOperation() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("SimulatedDiskExample"));
        assertThat(SimulatedDiskExample.run()).isGreaterThan(10);
    }

    @Test
    void theServiceOfTheDocumentIsTheOneThatIsServedAndKeepsItsStateAcrossStarts() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("ServiceExample"));
        assertThat(ServiceExample.add(directory, 7)).isEqualTo(7);
        assertThat(ServiceExample.add(directory, 5)).isEqualTo(12);
    }

    @Test
    void thePartitionsOfTheDocumentAreThoseThatAreRunAndEachKeyStaysInItsLog() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("PartitionsExample"));
        long[] expected = new long[3];
        try (PlogServer first = adder("first");
                PlogServer second = adder("second");
                PlogServer third = adder("third");
                PartitionsExample.Partitions partitions = new PartitionsExample.Partitions(
                        List.of(List.of(first.address()), List.of(second.address()), List.of(third.address())))) {
            for (int i = 1; i <= 60; i++) {
                String key = "customer-" + i % 20;
                int partition = PartitionsExample.Partitions.partition(key, 3);
                expected[partition] += i;
                ByteBuffer request = ByteBuffer.allocate(Long.BYTES).putLong(0, i);
                assertThat(ByteBuffer.wrap(partitions.call(key, request).payload())
                                .getLong())
                        .as("the sum in the log of %s", key)
                        .isEqualTo(expected[partition]);
            }
        }
        assertThat(expected).doesNotContain(0); // each has had requests
        // Fixed for good: another value would send a key to a log that does not know it.
        assertThat(PartitionsExample.Partitions.partition("customer-1", 3)).isEqualTo(2);
    }

    private PlogServer adder(String log) throws Exception {
        TargetOptions orders = TargetOptions.logged(
                        "orders", Files.createDirectory(directory.resolve(log)), Force.FDATASYNC)
                .withService(ServiceExample.Adder::new);
        return PlogServer.start(ServerOptions.of(List.of(orders)).withPorts(0, ServerOptions.NO_ADMIN));
    }

    /** As a document shows it: what stands between the two comments. */
    private static String example(String name) throws Exception {
        String source = document("src/test/java/io/plog/e2e/" + name + ".java");
        int begin = source.indexOf(" begin\n") + " begin\n".length();
        String example = source.substring(begin, source.lastIndexOf("//", source.indexOf(" end\n", begin)));
        return "```java\n" + example.stripIndent().stripTrailing() + "\n```";
    }

    private static String readme() throws Exception {
        return document("README.md");
    }

    private static String document(String file) throws Exception {
        return Files.readString(DiskDirectory.root().resolve(file));
    }
}
