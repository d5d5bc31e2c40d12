package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ConnectionFailuresTest {
    @Test
    void aClosedPortIsNamedWithTheSystemsWordsAndNothingOfNetty() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        assertThatThrownBy(() -> LinkClient.connect(port))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageStartingWith("no server at 127.0.0.1:" + port + " (Connection refused); start one");
    }

    @Test
    void whateverTheSystemSaysIsShownWithoutTheCallAndTheAddress() {
        ConnectException plain =
                new ConnectException("connect(..) failed with error(-99): Cannot assign requested address");
        ConnectException withAddress = new ConnectException(plain.getMessage() + ": /127.0.0.1:7411");
        withAddress.initCause(plain);

        assertThat(ConnectionFailures.reason(withAddress)).isEqualTo("Cannot assign requested address");
        assertThat(ConnectionFailures.reason(new IOException("unknown host"))).isEqualTo("unknown host");
        assertThat(ConnectionFailures.reason(new IOException())).isEqualTo("IOException");
    }
}
