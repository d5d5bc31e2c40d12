package io.plog.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.table.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A page as one file that opens offline: the template, its scripts, and the data. The data are packed, so nothing that they hold can
 * end the element that they stand in; the scripts put them into the page as text only. The content security policy forbids every
 * access to a network. Stateless; safe for any thread.
 */
public final class Page {
    /** The library that draws, from the jar of its own that the program contains. */
    static final String LIBRARY = "/META-INF/resources/webjars/d3/7.9.0/";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final List<String> SCRIPTS =
            List.of("text.js", "palette.js", "scale.js", "figure.js", "page.js", "blocks.js");

    /** Readers without scripts see tables of at most so many rows; the others are in the files next to the page. */
    private static final int MOST_PLAIN_ROWS = 100;

    private Page() {}

    /**
     * The page.
     *
     * @throws IllegalStateException if a part of it is missing from the program, which only a broken build can bring about
     */
    public static String of(PageData data) {
        return of(data, "", Stream.of());
    }

    /**
     * The page as {@code plog view} serves it: it asks its own server for its data again when they have changed.
     *
     * @throws IllegalStateException as {@link #of}
     */
    public static String served(PageData data) {
        return of(data, "; connect-src 'self'", Stream.of("view.js"));
    }

    private static String of(PageData data, String access, Stream<String> more) {
        ObjectNode list = list(data.kind());
        String scripts = Stream.of(
                        SCRIPTS.stream(), Stream.of(list.path("script").textValue()), more)
                .flatMap(names -> names)
                .map(Page::resource)
                .collect(Collectors.joining("\n"));
        return filled(
                resource("page.html"),
                Map.of(
                        "title", text(data.title()),
                        "kind", text(data.kind()),
                        "access", access,
                        "styles", resource("page.css") + foot(data.source()),
                        "plain", plain(data),
                        "data", packed(data),
                        "licence", resource(LIBRARY + "LICENSE").strip(),
                        "library", resource(LIBRARY + "dist/d3.min.js").strip(),
                        "script", scripts));
    }

    /**
     * Writes a page, whole or not at all.
     *
     * @param directory created if it is missing
     * @param name of the file; one that is there is replaced
     */
    public static void write(PageData data, Path directory, String name) throws IOException {
        FigureFiles.write(Map.of(name, of(data)), directory);
    }

    /** Sections, figures and dimensions of a kind of page. */
    static ObjectNode list(String kind) {
        try {
            return (ObjectNode) JSON.readTree(resource(kind + ".json"));
        } catch (IOException e) {
            throw new IllegalStateException("the list of " + kind + " pages is no JSON", e);
        }
    }

    /** The data of a page, as its script takes them: JSON, compressed, in Base64. */
    public static String packed(PageData data) {
        ObjectNode all = JSON.createObjectNode();
        all.put("kind", data.kind()).put("title", data.title()).put("source", data.source());
        all.set("documents", JSON.valueToTree(data.documents()));
        all.set(
                "tables",
                JSON.valueToTree(data.tables().stream().map(Table::packed).toList()));
        all.set("list", list(data.kind()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            JSON.writeValue(gzip, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // into memory it can always be written
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /** Findings and short tables as markup. */
    private static String plain(PageData data) {
        String findings = data.findings().stream()
                .map(each -> "<p>" + text(each) + "</p>\n")
                .collect(Collectors.joining());
        return findings
                + data.tables().stream()
                        .filter(table -> table.rows().size() <= MOST_PLAIN_ROWS)
                        .map(Page::plain)
                        .collect(Collectors.joining());
    }

    private static String plain(Table table) {
        String head = table.columns().stream()
                .map(column -> "<th>" + text(column.heading()) + "</th>")
                .collect(Collectors.joining());
        return "<table><caption>" + text(table.name()) + "</caption><tr>" + head + "</tr>\n"
                + table.rows().stream()
                        .map(row -> row.stream()
                                .map(value -> "<td>" + text(Objects.toString(value, "–")) + "</td>")
                                .collect(Collectors.joining("", "<tr>", "</tr>\n")))
                        .collect(Collectors.joining())
                + "</table>\n";
    }

    /** The foot of each printed page; the escapes keep a text within its string, and out of markup. */
    private static String foot(String source) {
        String escaped = source.chars()
                .mapToObj(c -> c < ' ' || c == '"' || c == '\\' || c == '<'
                        ? String.format(Locale.ROOT, "\\%06x", c)
                        : String.valueOf((char) c))
                .collect(Collectors.joining());
        return "@page { @bottom-left { content: \"" + escaped + "\"; font: 7pt sans-serif; } @bottom-right { content:"
                + " counter(page) \" / \" counter(pages); font: 7pt sans-serif; } }\n";
    }

    private static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A template with its slots, {@code {{name}}}, filled. Slots in the inserted text are left alone. */
    private static String filled(String template, Map<String, String> slots) {
        return SLOT.matcher(template)
                .replaceAll(slot -> Matcher.quoteReplacement(
                        Objects.requireNonNull(slots.get(slot.group(1)), () -> "nothing fills " + slot.group())));
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " can't be read from the program", e);
        }
    }
}
