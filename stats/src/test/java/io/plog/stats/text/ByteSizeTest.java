package io.plog.stats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "100, 100",
        "100B, 100",
        "1k, 1000",
        "1K, 1000",
        "1kB, 1000",
        "50k, 50000",
        "64KiB, 65536",
        "64Ki, 65536",
        "1M, 1000000",
        "1MiB, 1048576",
        "2G, 2000000000",
        "2GiB, 2147483648",
        "1 MiB, 1048576"
    })
    void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1.5k", "1kiB", "1T", "1 0", "0x10", "1234567890123456789", "999999999999G"})
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ByteSize.parse(text))
                .withMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "100, 100",
        "1000, 1k",
        "1024, 1KiB",
        "1025, 1025",
        "50000, 50k",
        "65536, 64KiB",
        "1000000, 1M",
        "1048576, 1MiB",
        "3221225472, 3GiB",
        "100000, 100k"
    })
    void sizesAreWrittenShortAndExact(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }
}
