package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PublisherTest {
    @Test
    void onlyWhatStandsBetweenTheMarksIsReplaced() {
        String page = "before\n" + Publisher.BEGIN + "\nold\n" + Publisher.END + "\nafter\n";
        String published = Publisher.replaceFigures(page, "new\n");
        assertThat(published).isEqualTo("before\n" + Publisher.BEGIN + "\n\nnew\n\n" + Publisher.END + "\nafter\n");
        assertThat(Publisher.replaceFigures(published, "new")).isEqualTo(published);
    }

    @Test
    void aPageWithoutMarksIsLeftAlone() {
        assertThatThrownBy(() -> Publisher.replaceFigures("no marks", "new"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Publisher.BEGIN);
    }
}
