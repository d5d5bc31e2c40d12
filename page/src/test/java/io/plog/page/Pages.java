package io.plog.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.results.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Pages for tests, and what is packed in them. */
final class Pages {
    private static final Pattern DATA =
            Pattern.compile("<script type=\"text/plain\" id=\"data\">([A-Za-z0-9+/=]+)</script>");

    private Pages() {}

    static PageData data(Analysis.Outcome outcome) {
        return RunPage.of(outcome.results(), outcome.figures(), null);
    }

    static String html(Analysis.Outcome outcome) {
        return Page.of(data(outcome));
    }

    /** What the script of a page reads. */
    static JsonNode packed(String html) throws IOException {
        Matcher data = DATA.matcher(html);
        if (!data.find()) {
            throw new AssertionError("the page has no data");
        }
        return new ObjectMapper()
                .readTree(new GZIPInputStream(
                        new ByteArrayInputStream(Base64.getDecoder().decode(data.group(1)))));
    }
}
