package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookKeeperAddressTest {
    @Test
    void anAddressNamesServersALogAndItsQuorum() {
        assertThat(BookKeeperAddress.parse(
                        URI.create("bookkeeper://zk1:2181,zk2:2182/orders?ensemble=4&write=3&ack=2")))
                .isEqualTo(new BookKeeperAddress("zk1:2181,zk2:2182", "orders", new Quorum(4, 3, 2)));
        assertThat(BookKeeperAddress.parse(URI.create("bookkeeper://zk1:2181/r")))
                .isEqualTo(new BookKeeperAddress("zk1:2181", "r", null));
        assertThat(BookKeeperAddress.parse(URI.create("bookkeeper://zk1:2181/r?ensemble=5"))
                        .quorum())
                .isEqualTo(new Quorum(5, 5, 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "bookkeeper:///r | it names no servers of ZooKeeper",
                "bookkeeper://zk1/r | it names no servers of ZooKeeper",
                "bookkeeper://zk1:2181,zk2:65536/r | its port is 65536, not one of 1 to 65535",
                "bookkeeper://zk1:0/r | its port is 0, not one of 1 to 65535",
                "bookkeeper://zk1:2181/ | its name of a log is '/'",
                "bookkeeper://zk1:2181/a/b | its name of a log is '/a/b'",
                "bookkeeper://zk1:2181/.. | its name of a log is '/..'",
                "bookkeeper://zk1:2181/r?copies=3 | it has the unknown parameter 'copies'; there are [ack, ensemble, write]",
                "bookkeeper://zk1:2181/r?ack=many | 'ack=many' is not one number for ack",
                "bookkeeper://zk1:2181/r?ack=2&ack=2 | 'ack=2' is not one number for ack",
                "bookkeeper://zk1:2181/r?ack=1 | ack is 1: expected more than half of write, 3, and not more than it",
                "bookkeeper://zk1:2181/r?write=4 | write is 4: expected 1 to the ensemble, 3"
            })
    void whatIsWrongWithAnAddressIsSaidInOneSentence(String address, String why) {
        assertThatThrownBy(() -> BookKeeperAddress.parse(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not the address of a log, " + address + ": " + why
                        + "; expected bookkeeper://HOST:PORT[,HOST:PORT...]/NAME[?ensemble=3&write=3&ack=2]");
    }
}
