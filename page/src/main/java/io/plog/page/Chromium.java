package io.plog.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The browser of the machine, which draws the figures of a page for files. Stateless. */
final class Chromium {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
    private static final Pattern FIGURES = Pattern.compile("data-figures=\"([A-Za-z0-9+/=]*)\"");
    private static final long MOST_SECONDS = 120;

    private Chromium() {}

    static Optional<Path> find() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * All figures of a page by the names of their files, as text.
     *
     * @throws IOException if the browser fails, or does not end within two minutes; the message says which browser
     */
    static Map<String, String> svgs(Path browser, String html) throws IOException {
        Path directory = Files.createTempDirectory("plog-figures");
        try {
            Path page = Files.writeString(directory.resolve("page.html"), html);
            Matcher found = FIGURES.matcher(opened(browser, directory, page.toUri() + "#export"));
            if (!found.find()) {
                throw new IOException(browser + " opened the page and drew no figures");
            }
            Map<String, String> figures = new LinkedHashMap<>();
            new ObjectMapper()
                    .readTree(new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.UTF_8))
                    .properties()
                    .forEach(figure ->
                            figures.put(figure.getKey(), figure.getValue().textValue()));
            return figures;
        } finally {
            delete(directory);
        }
    }

    /**
     * The document at an address as it is after its scripts ran.
     *
     * @param directory for the document and the browser's profile
     * @throws IOException as {@link #svgs}
     */
    static String opened(Path browser, Path directory, String address) throws IOException {
        Path dom = directory.resolve("dom.html");
        List<String> command = new ArrayList<>(List.of(
                browser.toString(),
                "--headless=new",
                "--disable-gpu",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=20000",
                "--dump-dom"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox"); // it refuses to start as root with one
        }
        command.add(address);
        Process process = new ProcessBuilder(command)
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(browser + " did not draw the figures: "
                        + (process.isAlive() ? "it did not end" : "exit code " + process.exitValue()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + browser + " drew the figures", e);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(dom);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            // Its processes may still write their profile; what stays lies in the machine's temporary directory.
        }
    }
}
