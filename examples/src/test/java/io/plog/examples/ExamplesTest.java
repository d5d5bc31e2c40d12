package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.micrometer.LogMeters;
import io.plog.log.storage.Force;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

/** The examples do what they say, and README and {@code docs/embedding.md} quote them as they are. */
final class ExamplesTest {
    /** Tests run in the directory of their module. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path directory;

    @Test
    void theBareLogIsTheCompiledOne() throws Exception {
        assertThat(readme()).contains(example("BareLog"));
    }

    @Test
    void theBareLogReplaysWhatItLogged() throws Exception {
        assertThat(BareLog.run(directory)).containsExactly("debit 7");
        assertThat(BareLog.run(directory)).containsExactly("debit 7", "debit 7");
    }

    @Test
    void theExampleOfASimulatedDiskIsTheOneThatIsRunAndCrashesAtEveryOperation() throws Exception {
        assertThat(document("docs/simdisk.md")).contains(example("PowerCuts"));
        PowerCuts.Starter accounts = log -> {
            Bank.Accounts bank = new Bank.Accounts(log);
            return amount -> bank.book("joint", amount).get();
        };
        assertThat(PowerCuts.run(accounts)).isGreaterThan(10);
    }

    /** What many write first: append, and apply when that returns. */
    @Test
    void theSameTestFindsAStateThatIsNotAppliedInTheOrderOfTheLog() {
        PowerCuts.Starter careless = log -> {
            AtomicLong balance = new AtomicLong();
            return amount -> {
                long index = log.appendAndWait(ByteBuffer.allocate(8).putLong(0, amount));
                while (index == 1 && balance.get() == 0 && log.failure() == null) {
                    Thread.onSpinWait(); // this caller has no processor for a while
                }
                return balance.addAndGet(amount);
            };
        };
        assertThatThrownBy(() -> PowerCuts.run(careless)).isInstanceOf(AssertionError.class);
    }

    @Test
    void theBankOfTheDocumentKeepsItsStateAcrossStartsAndDropsWhatItSaved() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("Bank"));
        LogOptions options = LogOptions.small(directory);
        try (Bank.Accounts bank = new Bank.Accounts(MessageLog.open(options))) {
            assertThat(bank.book("a, b=c", 10).get()).isEqualTo(10);
            assertThat(bank.book("a, b=c", -11).get()).isEqualTo(-1);
            bank.checkpoint();
            assertThat(bank.book("d", 3).get()).isEqualTo(3);
        }
        try (Bank.Accounts bank = new Bank.Accounts(MessageLog.open(options))) {
            assertThat(bank.book("a, b=c", -4).get()).isEqualTo(6);
            assertThat(bank.book("d", 1).get()).isEqualTo(4);
        }
    }

    @Test
    void theServiceOfTheDocumentIsTheOneThatIsServedAndKeepsItsStateAcrossStarts() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("DurableService"));
        assertThat(DurableService.add(directory, 7)).isEqualTo(7);
        assertThat(DurableService.add(directory, 5)).isEqualTo(12);
    }

    @Test
    void thePartitionsOfTheDocumentAreThoseThatAreRunAndEachKeyStaysInItsLog() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("Partitioned"));
        long[] expected = new long[3];
        try (PlogServer first = adder("first");
                PlogServer second = adder("second");
                PlogServer third = adder("third");
                Partitioned.Partitions partitions = new Partitioned.Partitions(
                        List.of(List.of(first.address()), List.of(second.address()), List.of(third.address())))) {
            for (int i = 1; i <= 60; i++) {
                String key = "customer-" + i % 20;
                int partition = Partitioned.Partitions.partition(key, 3);
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
        assertThat(Partitioned.Partitions.partition("customer-1", 3)).isEqualTo(2);
    }

    @Test
    void theMetersOfTheDocumentAreInTheEmbeddersRegistry() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("OwnRegistry"));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PlogServer server = OwnRegistry.start(directory, registry);
        assertThat(registry.get("plog.log.healthy").gauge().value()).isEqualTo(1);
        server.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void theBeansOfTheDocumentAreThoseThatWatchALog() throws Exception {
        assertThat(document("docs/embedding.md")).contains(example("SpringBeans"));
        SpringBeans beans = new SpringBeans(directory);
        LogMeters meters = beans.meters();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        meters.bindTo(registry);
        try (MessageLog log = beans.log(meters)) {
            log.appendAndWait(ByteBuffer.wrap(new byte[8]));
            assertThat(beans.logHealth(log).health().getStatus()).isEqualTo(Status.UP);
            assertThat(registry.get("plog.log.durable.index").gauge().value()).isEqualTo(1);
        }
    }

    private PlogServer adder(String log) throws Exception {
        TargetOptions orders = TargetOptions.logged(
                        "orders", Files.createDirectory(directory.resolve(log)), Force.FDATASYNC)
                .withService(DurableService.Adder::new);
        return PlogServer.start(ServerOptions.of(List.of(orders)).withPorts(0, ServerOptions.NO_ADMIN));
    }

    /** As a document shows it: what stands between the two comments. */
    private static String example(String name) {
        String source = Stream.of("main", "test")
                .map(part -> ROOT.resolve("examples/src/" + part + "/java/io/plog/examples/" + name + ".java"))
                .filter(Files::exists)
                .map(ExamplesTest::text)
                .findFirst()
                .orElseThrow();
        int begin = source.indexOf(" begin\n") + " begin\n".length();
        String example = source.substring(begin, source.lastIndexOf("//", source.indexOf(" end\n", begin)));
        return "```java\n" + example.stripIndent().stripTrailing() + "\n```";
    }

    private static String readme() {
        return document("README.md");
    }

    private static String document(String file) {
        return text(ROOT.resolve(file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
