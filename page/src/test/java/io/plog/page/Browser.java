package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens a page in Chromium, if the machine has it; otherwise the test is skipped. */
public final class Browser {
    private Browser() {}

    /**
     * The document as it is after its scripts ran.
     *
     * @param directory an empty one, for the page and the browser's profile
     * @param hash what stands behind the page's address, with its {@code #}; or nothing
     */
    public static String opened(Path directory, String html, String hash) throws IOException {
        Optional<Path> browser = Chromium.find();
        assumeTrue(browser.isPresent(), "needs chromium on the PATH");
        Path page = directory.resolve("report.html");
        Files.writeString(page, html);
        return Chromium.opened(browser.get(), directory, page.toUri() + hash);
    }

    /** How a page is laid out in a window. */
    private static final String LAYOUT = """
            const page = frame.contentDocument;
            const seen = (one) => one.checkVisibility() && one.getClientRects().length > 0;
            const name = (one) => one.id || one.className || one.tagName;
            const box = (selector) => { const one = [...page.querySelectorAll(selector)].find(seen); return one ? one.getBoundingClientRect() : null; };
            const clipped = [...page.querySelectorAll(".drawing svg")].filter(seen).flatMap((svg) => {
              const paper = svg.getBoundingClientRect();
              const roomOf = (text) => { // what clips it: its panel or the paper
                const panel = text.closest("[clip-path]");
                if (!panel) return paper;
                const [rect, at] = [page.getElementById(panel.getAttribute("clip-path").slice(5, -1)).firstElementChild, panel.getScreenCTM()];
                const left = at.e + at.a * rect.x.baseVal.value;
                return { left, right: left + at.a * rect.width.baseVal.value };
              };
              return [...svg.querySelectorAll("text")].filter(seen).filter((text) => {
                const [words, room] = [text.getBoundingClientRect(), roomOf(text)];
                return words.left < room.left - 1 || words.right > room.right + 1;
              }).map((text) => svg.parentNode.id + ": " + text.textContent);
            });
            return {
              scripted: page.documentElement.dataset.drawn, width: frame.contentWindow.innerWidth,
              wide: page.documentElement.scrollWidth, room: page.documentElement.clientWidth,
              beyond: [...page.querySelectorAll("main *")].filter((one) => seen(one) && !one.closest(".scroll, .drawing, pre, .bar")
                && one.getBoundingClientRect().right > page.documentElement.clientWidth + 1).map(name),
              scrolling: [...page.querySelectorAll(".scroll, .drawing")].filter((one) => seen(one) && one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute("aria-label")),
              scrollingDrawings: [...page.querySelectorAll(".drawing")].filter((one) => seen(one) && one.scrollWidth > one.clientWidth + 1).map((one) => one.id),
              drawings: [...page.querySelectorAll(".drawing")].filter(seen).map((one) => one.id), clipped,
              bottom: ["#verdict .cost", "#verdict .picture .drawing svg", "#verdict .believe", "#verdict .claims"].map((one) => box(one)?.bottom ?? -1),
              top: ["#verdict .cost", "#verdict .picture .drawing svg", "#verdict .believe", "#verdict .claims"].map((one) => box(one)?.top ?? -1),
            };
            """;

    /**
     * How a page is laid out in a window of a size. It stands in a frame, since the browser's own window has a least width.
     */
    public static JsonNode layout(Path directory, String html, int width, int height) throws IOException {
        String frame = html.replace("&", "&amp;").replace("\"", "&quot;");
        String around =
                "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\"><iframe style=\"border:0;width:"
                        + width
                        + "px;height:" + height + "px\" srcdoc=\"" + frame + "\"></iframe><script>"
                        + "const frame = document.querySelector('iframe'); const look = () => {" + LAYOUT + "};"
                        + "(function wait() { if (frame.contentDocument?.documentElement?.dataset.drawn !== 'yes') return setTimeout(wait, 20);"
                        + " document.body.dataset.found = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(look()))));"
                        + " frame.remove(); })();</script></body>";
        return found(opened(directory, around, ""));
    }

    /** What a probe left as {@code document.body.dataset.found}: JSON in UTF-8 and Base64. */
    public static JsonNode found(String dom) throws IOException {
        Matcher matcher = Pattern.compile("data-found=\"([^\"]+)\"").matcher(dom);
        assertThat(matcher.find()).as("the probe ran").isTrue();
        return new ObjectMapper()
                .readTree(new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.UTF_8));
    }
}
