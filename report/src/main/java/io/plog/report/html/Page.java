package io.plog.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page as one file that opens offline. All that it says is in it as text and drawings; its script only reads values from the
 * drawings, zooms, filters, changes the theme and saves. Its content security policy forbids every access to a network, so nothing
 * in it can start one unnoticed. Stateless; safe for any thread.
 */
public final class Page {
    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z]+)}}");

    private Page() {}

    /**
     * The page.
     *
     * @param title of the document
     * @param source where its data come from, for the foot of each printed page
     * @param body its header, choices and sections, as markup
     * @throws IllegalStateException if the template or a part of it is missing, which only a broken build can bring about
     */
    public static String of(String title, String source, String body) {
        return filled(
                resource("page.html"),
                Map.of(
                        "title",
                        Html.text(title),
                        "styles",
                        ThemeColours.styleSheet(body) + resource("page.css") + foot(source),
                        "body",
                        body,
                        "script",
                        resource("page.js")));
    }

    /** The foot of each printed page; the escapes keep a text within its string, and out of markup. */
    private static String foot(String source) {
        StringBuilder escaped = new StringBuilder();
        source.chars()
                .forEach(c -> escaped.append(
                        c < ' ' || c == '"' || c == '\\' || c == '<'
                                ? String.format(Locale.ROOT, "\\%06x", c)
                                : String.valueOf((char) c)));
        return "@page { @bottom-left { content: \"" + escaped + "\"; font: 7pt sans-serif; } @bottom-right { content:"
                + " counter(page) \" / \" counter(pages); font: 7pt sans-serif; } }\n";
    }

    /** The section that lists the files; {@code beside} names those beside the page. */
    public static Section files(String beside) {
        return new Section("files", "Files")
                .add(
                        "<p class=\"reading\">" + Html.text(beside)
                                + " <code>plog report RESULTS --figures DIR</code> writes each figure as SVG and what it draws as CSV.</p>\n");
    }

    /** A template with its slots, {@code {{name}}}, filled. Slots in the inserted text are left alone. */
    private static String filled(String template, Map<String, String> slots) {
        Matcher matcher = SLOT.matcher(template);
        StringBuilder page = new StringBuilder();
        while (matcher.find()) {
            String slot = slots.get(matcher.group(1));
            if (slot == null) {
                throw new IllegalStateException("the page has a slot {{" + matcher.group(1) + "}} that nothing fills");
            }
            matcher.appendReplacement(page, Matcher.quoteReplacement(slot));
        }
        return matcher.appendTail(page).toString();
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the report's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " can't be read from the report's jar", e);
        }
    }
}
