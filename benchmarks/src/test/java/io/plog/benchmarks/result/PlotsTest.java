package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class PlotsTest {
    private final CampaignSummary summary = CampaignSummary.of(Example.results());

    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void theBarsAreAsLongAsTheRatios() throws Exception {
        Document document = parsed(ThroughputPlot.render(summary));
        // Two panels with plog-fdatasync, plog-direct and the peer, in this order.
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(6);
        double first = width(document, 0);
        assertThat(width(document, 1) / first).isBetween(1.20, 1.22); // 0.97 / 0.80
        assertThat(width(document, 2) / first).isBetween(0.62, 0.63); // 0.50 / 0.80
    }

    private static double width(Document document, int bar) {
        Element rectangle = (Element) document.getElementsByTagName("rect").item(bar);
        return Double.parseDouble(rectangle.getAttribute("width"));
    }

    @Test
    void onlyDepthOneHasALatencyPanel() throws Exception {
        Document document = parsed(LatencyPlot.render(summary));
        // Both fio modes, the plain loop, plog twice, the peer: one curve each, in one panel.
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(6);
    }

    @Test
    void aSlowerContestantHasTheHigherCurve() throws Exception {
        Document document = parsed(LatencyPlot.render(summary));
        double plog = lastHeight(document, 0);
        double peer = lastHeight(document, 5);
        assertThat(peer).isLessThan(plog); // coordinates grow downwards
    }

    private static double lastHeight(Document document, int curve) {
        String points = ((Element) document.getElementsByTagName("polyline").item(curve)).getAttribute("points");
        return Double.parseDouble(points.substring(points.lastIndexOf(',') + 1));
    }

    @Test
    void aNameIsEscaped() {
        assertThat(ThroughputPlot.render(summary)).contains("a&lt;b").doesNotContain("a<b");
    }

    @Test
    void thereIsNoBackgroundThatWouldGlareOnADarkPage() {
        assertThat(ThroughputPlot.render(summary)).doesNotContain("white").doesNotContain("#fff");
    }
}
