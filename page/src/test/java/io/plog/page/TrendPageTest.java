package io.plog.page;

import static io.plog.page.ProbedPage.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.results.Analysis;
import io.plog.results.compare.TestRun;
import io.plog.results.compare.Trend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a trend. */
final class TrendPageTest {
    @TempDir
    private Path directory;

    /** A run each day, of which the last half is slower, the third is not valid, and another is left out. */
    private static Trend trend() throws IOException {
        List<Trend.Member> members = new ArrayList<>();
        for (int day = 1; day <= 20; day++) {
            TestRun run = TestRun.of(200, day)
                    .startedAt(String.format("2026-11-%02dT14:00:00Z", day))
                    .slower("main", day > 10 ? 2 : 1);
            members.add(Trend.Member.of("<b>day " + day, Analysis.results(day == 3 ? run.failing(3) : run)));
        }
        return Trend.of(members, List.of("<i>other: size mix is [1], in day 1 [100]"));
    }

    @Test
    void everyColumnThatIsDrawnIsThere() throws IOException {
        FigureList.check("trend", trend().tables(), Set.of());
    }

    @Test
    void withoutScriptsItNamesTheChanges() throws IOException {
        String html = Page.of(RunPage.of(trend()));
        String plain = html.substring(html.indexOf("<div id=\"plain\">"), html.indexOf("</main>"));
        assertThat(plain).contains("main, 100 B, end to end p50 changed with run 11, 2026-11-11T14:00:00Z: from ");
    }

    @Test
    @Tag("slow")
    void inABrowserEachRunIsAMarkAndEachLevelALine() throws Exception {
        JsonNode found = ProbedPage.opened(directory, Page.of(RunPage.of(trend())), "");
        assertThat(found.path("failed").textValue()).isEmpty();
        assertThat(texts(found.path("sections"))).containsExactly("changes", "trend", "runs");
        assertThat(found.path("scripts").intValue()).isZero();
        JsonNode panels = found.path("curves").path("trend");
        assertThat(panels.size()).as("a panel for each target and size").isEqualTo(4);
        assertThat(panels.path(0).path("stops").intValue()).isEqualTo(2 * 20);
        assertThat(panels.findValues("curves").stream().map(JsonNode::size)).containsExactlyInAnyOrder(4, 4, 0, 0);
        assertThat(found.at("/read/trend").textValue()).contains("run ", "started 2026-11-", "name <b>day ");
        assertThat(found.path("text").textValue()).contains("changed with run 11", "Left out: 1", "not valid");
    }
}
