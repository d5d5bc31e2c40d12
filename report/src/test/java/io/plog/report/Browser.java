package io.plog.report;

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
import java.util.stream.Stream;

/** Opens a page in Chromium, if the machine has it; otherwise the test is skipped. */
public final class Browser {
    private Browser() {}

    /**
     * The document as it is after its scripts ran.
     *
     * @param directory an empty one, for the page and the browser's profile
     * @param hash what stands behind the page's address, with its {@code #}; or nothing
     */
    public static String opened(Path directory, String html, String hash) throws IOException, InterruptedException {
        Optional<Path> browser = chromium();
        assumeTrue(browser.isPresent(), "needs chromium on the PATH");
        Path page = directory.resolve("report.html");
        Files.writeString(page, html);
        Path dom = directory.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.get().toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--virtual-time-budget=20000",
                        "--dump-dom",
                        page.toUri() + hash)
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(dom);
    }

    /** What a probe left as {@code document.body.dataset.found}: JSON in UTF-8 and Base64. */
    public static JsonNode found(String dom) throws IOException {
        Matcher matcher = Pattern.compile("data-found=\"([^\"]+)\"").matcher(dom);
        assertThat(matcher.find()).as("the probe ran").isTrue();
        return new ObjectMapper()
                .readTree(new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.UTF_8));
    }

    private static Optional<Path> chromium() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
