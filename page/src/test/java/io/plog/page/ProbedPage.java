package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A page in Chromium, with a probe appended that says what the page's script did; nothing in the page itself knows about it. */
public final class ProbedPage {
    /** Tells how the page is, reads every figure with the arrow keys, and resets a zoom. */
    private static final String PROBE = """
            <script>
            addEventListener("error", (e) => { root.dataset.failed = e.message; });
            (function wait() {
              if (root.dataset.drawn !== "yes" && !root.dataset.failed) return setTimeout(wait, 20);
              const press = (name, key) => drawn.get(name).element.dispatchEvent(new KeyboardEvent("keydown", { key }));
              const seen = (one) => one.getClientRects().length > 0;
              const found = { theme: root.dataset.theme, axis: root.dataset.axis, failed: root.dataset.failed || "",
                background: getComputedStyle(document.body).backgroundColor, text: document.querySelector("main").textContent,
                scripts: document.querySelectorAll("main script, main iframe, main img, main b[onclick]").length,
                sections: [...document.querySelectorAll("main > section")].map((s) => s.id),
                ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
                empty: [...document.querySelectorAll("main > section")].filter((s) => s.querySelector(".empty")).map((s) => s.id),
                contents: [...document.querySelectorAll(".contents a")].map((a) => a.hash.slice(1)),
                figures: [...drawn.keys()].map((name) => name + suffix(name)),
                words: [...document.querySelectorAll("details")].filter((one) => one.firstChild.textContent === "In words" && one.querySelector("p")).map((one) => one.lastChild.textContent.length),
                pressed: [...document.querySelectorAll("[aria-pressed=true]")].map((b) => b.textContent),
                rows: [...document.querySelectorAll("#slowest tr[data-row]")].filter(seen).map((r) => JSON.parse(r.dataset.row).payload),
                tables: [...document.querySelectorAll("table")].map((one) => [...one.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent).join(" | "))),
                claims: [...document.querySelectorAll("tr.claim")].map((row) => [...row.children].map((cell) => cell.textContent)),
                key: drawn.has("ecdf-logging") ? [...new Set(drawn.get("ecdf-logging").panels.flatMap((panel) => panel.curves.map((curve) => curve.label)))] : [],
                box: drawn.has("ecdf-logging") ? drawn.get("ecdf-logging").svg.getAttribute("viewBox") : "",
                curves: Object.fromEntries([...drawn].map(([name, figure]) => [name, figure.panels.map((panel) => ({ x: panel.x.domain, y: panel.y.domain, height: panel.height, stops: panel.stops.length,
                  curves: panel.curves.map((curve) => ({ label: curve.label, points: curve.points.map(([x, y]) => [panel.x.at(x), panel.y.at(y)]) })) }))])),
                rules: Object.fromEntries([...drawn].map(([name, figure]) => [name, figure.svg.querySelectorAll(".rule").length])),
                both: [[-3, 2e4], [-40, 2e4], [-5e3, 5e3], [-3, 30], [-2e6, 3e6], [-2e6, 3], [-0.5, 3]].flatMap((domain) => [60, 110, 190, 400].map((height) =>
                  makeScale({ scale: "both", unit: "µs" }, domain, [height, 0]))).map((scale) => scale.ticks.filter((tick) => tick.label).map((tick) => [tick.value, scale.place(tick.value), tick.label])),
                misread: [...document.querySelectorAll("h1, h2, h3, h4")].filter((one, i, all) => i > 0 && one.tagName[1] - all[i - 1].tagName[1] > 1).map((one) => "level of " + one.textContent)
                  .concat([...document.querySelectorAll("th")].filter((one) => !one.textContent.trim()).map((one) => "a head without words in " + one.closest("table").textContent))
                  .concat([...document.querySelectorAll("main [role=region]")].map((one) => "one more landmark, " + one.getAttribute("aria-label"))),
                read: {} };
              for (const name of drawn.keys()) {
                for (let i = 0; i < 21 || (tip.hidden && i < 100); i++) press(name, "ArrowRight");
                found.read[name] = tip.hidden ? "" : tip.textContent;
              }
              if (drawn.has("ecdf-logging")) press("ecdf-logging", "0");
              found.hashAfterReset = location.hash;
              found.svg = drawn.has("means") ? svgText("means") : "";
              found.csv = Object.fromEntries([...data.tables.keys()].map((name) => [name, csvText(name)]));
              document.body.dataset.found = btoa(Array.from(new TextEncoder().encode(JSON.stringify(found)), (byte) => String.fromCharCode(byte)).join(""));
            })();
            </script>
            """;

    private ProbedPage() {}

    /** What the probe says of a page opened at an address that ends with {@code hash}; who is read the page to finds their way. */
    public static JsonNode opened(Path directory, String html, String hash) throws Exception {
        JsonNode found = Browser.found(
                Browser.opened(directory, html.replace("</body>\n</html>", PROBE + "</body>\n</html>"), hash));
        assertThat(texts(found.path("misread"))).isEmpty();
        return found;
    }

    /** The texts of a list that the probe says. */
    public static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asText()));
        return texts;
    }
}
