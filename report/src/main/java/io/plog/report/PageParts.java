package io.plog.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** What every page of ours is put together from: templates, scripts and styles, text made harmless, data. Stateless. */
public final class PageParts {
    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z]+)}}");

    private PageParts() {}

    /**
     * A template with its slots, {@code {{name}}}, filled; what is put in is not looked at again.
     *
     * @param template the resource's name, as {@link #resource} takes it
     * @throws IllegalStateException if a slot has nothing to fill it
     */
    public static String filled(String template, Map<String, String> slots) {
        Matcher matcher = SLOT.matcher(resource(template));
        StringBuilder page = new StringBuilder();
        while (matcher.find()) {
            String slot = slots.get(matcher.group(1));
            if (slot == null) {
                throw new IllegalStateException(
                        template + " has a slot {{" + matcher.group(1) + "}} that nothing fills");
            }
            matcher.appendReplacement(page, Matcher.quoteReplacement(slot));
        }
        return matcher.appendTail(page).toString();
    }

    /** As JSON, deflated and in base64: a quarter of the size, and nothing in it can end the script element that it stands in. */
    public static String data(Object value) {
        byte[] json = Json.compact(value).getBytes(StandardCharsets.UTF_8);
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try (ByteArrayOutputStream deflated = new ByteArrayOutputStream();
                DeflaterOutputStream out = new DeflaterOutputStream(deflated, deflater)) {
            out.write(json);
            out.finish();
            return Base64.getEncoder().encodeToString(deflated.toByteArray());
        } catch (IOException e) {
            throw new IllegalStateException("memory can't be written to", e);
        } finally {
            deflater.end();
        }
    }

    /** Text as it may stand between tags and in quoted attributes. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /**
     * The text of a resource of this package.
     *
     * @throws IllegalStateException if it is missing, which only a broken build can bring about
     */
    public static String resource(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the client's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " can't be read from the client's jar", e);
        }
    }
}
