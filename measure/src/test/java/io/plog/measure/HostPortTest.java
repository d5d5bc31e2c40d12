package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "localhost, localhost, 7411",
        "a_b.example:1, a_b.example, 1",
        "[::1]:80, ::1, 80",
        "[fe80::1%eth0], fe80::1%eth0, 7411",
        "bücher.example:99, xn--bcher-kva.example, 99",
    })
    void anAddressIsReadAsPeopleWriteIt(String text, String host, int port) {
        assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port));
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, localhost, 80, http://localhost:80/",
        "https://my_service/a?b=c, my_service, 443, https://my_service:443/a?b=c",
        "http://my_service:8080/, my_service, 8080, http://my_service:8080/",
        "HTTP://[::1]:90/x, ::1, 90, http://[::1]:90/x",
        "http://bücher.example/straße, xn--bcher-kva.example, 80, http://xn--bcher-kva.example:80/stra%C3%9Fe",
    })
    void aUrlHasAnyHostThatAnAddressMayHave(String text, String host, int port, String same) {
        HttpService service = Objects.requireNonNull(HttpService.of(text));
        assertThat(service.address()).isEqualTo(new HostPort(host, port));
        assertThat(service).hasToString(same);
    }

    @Test
    void whatIsNoAddressIsSaidToBeNone() {
        for (String text :
                new String[] {"http://me@my_service/", "http:///path", "http://a:b:c/", "http://a b/", "http://:80/"}) {
            assertThatThrownBy(() -> HttpService.of(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--server is '");
        }
    }
}
