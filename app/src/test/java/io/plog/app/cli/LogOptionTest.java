package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.server.ServerCommand;
import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.protocol.ServiceKind;
import io.plog.server.options.LogPlace;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LogOptionTest {
    private static TargetOptions read(String option) {
        return LogOption.parse(option);
    }

    @Test
    void theServerMakesEachServiceOfTheList() {
        assertThat(BuiltInService.values())
                .extracting(BuiltInService::label)
                .containsExactlyElementsOf(
                        Stream.of(ServiceKind.values()).map(ServiceKind::label).toList());
    }

    @Test
    void theHelpOfAServerNamesEachServiceAndEachWayOfForcing() {
        String help = new CommandLine(new ServerCommand()).getUsageMessage().replaceAll("\\s+", " ");
        assertThat(help)
                .contains("service=" + ServiceKind.labels("|") + " ")
                .contains(
                        "force=" + Stream.of(Force.values()).map(Force::label).collect(Collectors.joining("|")) + " ");
    }

    @Test
    void theReserveIsASizeAndRoundedUpToWholeSegments() {
        assertThat(read("a=/x").reserveSegments()).isEqualTo(LogOptions.DEFAULT_RESERVE_SEGMENTS);
        assertThat(read("a=/x,reserve=1").reserveSegments()).isEqualTo(1);
        assertThat(read("a=/x,reserve=128MiB").reserveSegments()).isEqualTo(2);
        assertThat(read("a=/x,reserve=129MiB").reserveSegments()).isEqualTo(3);
        assertThat(read("a=/x,reserve=16MiB,segment=1MiB").reserveSegments()).isEqualTo(16);
        assertThat(read("a=/x,segment=1MiB,reserve=16MiB").reserveSegments()).isEqualTo(16);
    }

    @Test
    void anAddressEndsWhereTheNextPartBegins() {
        String address = "bookkeeper://zk1:2181,zk2:2181/orders?ensemble=3&ack=2";
        TargetOptions options = read("r=" + address + ",service=chain,checkpoint=1MiB");
        assertThat(options.place()).isEqualTo(new LogPlace.Address(URI.create(address)));
        assertThat(options.forceLabel()).isEqualTo("quorum");
        assertThat(options.isLogged()).isTrue();
        assertThat(options.checkpointBytes()).isEqualTo(1 << 20);
        assertThat(options.service().get().name()).isEqualTo("chain");
        assertThat(read("r=" + address).place()).isEqualTo(options.place());
    }

    @Test
    void whatOnlyALogInDirectoriesHasIsRefusedOnAnAddress() {
        for (String part : List.of("force=fsync", "reserve=1GiB", "segment=1MiB", "check=start")) {
            assertThatThrownBy(() -> read("r=bookkeeper://zk:2181/orders," + part))
                    .hasMessageContaining(
                            part.substring(0, part.indexOf('=') + 1)
                                    + " is for a log in directories, and bookkeeper://zk:2181/orders is an address: leave it out");
        }
    }

    @Test
    void aReserveThatCannotBeIsRefusedWithWhatCanBe() {
        assertThatThrownBy(() -> read("a=/x,reserve=0"))
                .hasMessageEndingWith("reserve is '0': expected a size of at least 1");
        assertThatThrownBy(() -> read("a=/x,reserve=many")).hasMessageContaining("'many'");
        assertThatThrownBy(() -> read("a=/x,segment=64KiB,reserve=1GiB"))
                .hasMessageEndingWith(
                        "reserve is 1GiB, and a segment 64KiB: expected a reserve of at most 1024 segments."
                                + " Choose a smaller reserve, or larger segments");
        assertThatThrownBy(() -> read("a=/x,prepared=2")).hasMessageContaining("unknown part 'prepared=2'");
    }

    @Test
    void recordsBeforeTheCheckpointAreCheckedInTheBackgroundUnlessTheStartIsAskedTo() {
        assertThat(read("a=/x").checkAtStartBytes()).isEqualTo(512L << 20);
        assertThat(read("a=/x,check=background").checkAtStartBytes()).isZero();
        assertThat(read("a=/x,check=1MiB").checkAtStartBytes()).isEqualTo(1 << 20);
        assertThat(read("a=/x,check=start,retain=1GiB").checkAtStartBytes()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> read("a=/x,check=never"))
                .hasMessageContaining("expected background, start, or the size");
    }

    @Test
    void theDocumentsAndSchemasHaveEachWayOfForcing() throws IOException {
        Path docs =
                Path.of(Objects.requireNonNull(System.getProperty("plog.root"))).resolve("docs");
        List<String> labels = Stream.of(Force.values()).map(Force::label).toList();
        String operations = Files.readString(docs.resolve("operations.md"));
        assertThat(labels).allSatisfy(label -> assertThat(operations).contains("`" + label + "`"));
        List<String> allowed = new ArrayList<>();
        new ObjectMapper()
                .readTree(docs.resolve("results.schema.json").toFile())
                .at("/$defs/force/enum")
                .forEach(each -> allowed.add(each.textValue()));
        assertThat(allowed).containsAll(labels.subList(1, labels.size()));
    }
}
