package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PublisherTest {
    @Test
    void onlyWhatStandsBetweenTheMarksIsReplaced() {
        String page = "before\n<!-- sustained: begin -->\nold\n<!-- sustained: end -->\nafter\n";
        String published = Publisher.replaceFigures(page, "sustained", "new\n");
        assertThat(published).isEqualTo("before\n<!-- sustained: begin -->\n\nnew\n\n<!-- sustained: end -->\nafter\n");
        assertThat(Publisher.replaceFigures(published, "sustained", "new")).isEqualTo(published);
    }

    @Test
    void aPageWithoutMarksIsLeftAlone() {
        assertThatThrownBy(() -> Publisher.replaceFigures("no marks", "growing", "new"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<!-- growing: begin -->");
    }
}
