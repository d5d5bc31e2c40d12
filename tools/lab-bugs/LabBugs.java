import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles the bugs of lab 9: defects of logging-core's list of mutants, each as the classes that differ from the right ones, in
 * a folder of its number. The build of {@code app} runs it, with logging-core's classes on its class path:
 * {@code java LabBugs.java LOGGING_CORE OUT}.
 */
public final class LabBugs {
    private static final List<String> MUTANTS = List.of("M1", "M7", "M5", "M3", "M12", "M26", "M13", "M34");
    private static final Pattern EDIT = Pattern.compile("((?:^-.*\\n?)+)((?:^\\+.*\\n?)+)", Pattern.MULTILINE);

    private LabBugs() {}

    public static void main(String[] args) throws IOException {
        Path module = Path.of(args[0]);
        Path out = Path.of(args[1]);
        Path mutants = module.resolve("src/test/mutants.txt");
        Path made = out.resolve("made");
        if (made.toFile().lastModified() > newest(module.resolve("src")) && Files.readString(made).equals("" + MUTANTS)) {
            return; // spares each build two seconds
        }
        if (Files.exists(out)) {
            delete(out);
        }
        String list = Files.readString(mutants);
        for (int bug = 1; bug <= MUTANTS.size(); bug++) {
            String id = MUTANTS.get(bug - 1);
            Matcher entry = Pattern.compile("(?m)^" + id + " .*\\nin (\\w+), .*\\n((?:[-+].*\\n?)+)").matcher(list);
            if (!entry.find()) {
                throw new IOException(mutants + " has no " + id);
            }
            Path source = sourceOf(module.resolve("src/main/java/io/plog/log"), entry.group(1) + ".java");
            compile(edited(source, entry.group(2)), source.getFileName(), out.resolve("" + bug));
        }
        Files.writeString(made, "" + MUTANTS);
    }

    private static Path sourceOf(Path root, String name) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }

    /** When the newest file or directory below was changed; a deleted file changes its directory. */
    private static long newest(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(file -> file.toFile().lastModified()).max().getAsLong();
        }
    }

    /** A bug whose mutant was exchanged must not keep classes of the old one. */
    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }

    private static String edited(Path source, String edits) throws IOException {
        String text = Files.readString(source);
        Matcher edit = EDIT.matcher(edits);
        while (edit.find()) {
            String snippet = withoutSigns(edit.group(1));
            String regex = Arrays.stream(snippet.split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
            String changed = text.replaceFirst(regex, Matcher.quoteReplacement(withoutSigns(edit.group(2))));
            if (changed.equals(text)) {
                throw new IOException(source + " has no " + snippet);
            }
            text = changed;
        }
        return text;
    }

    private static String withoutSigns(String lines) {
        return lines.replaceAll("(?m)^[-+] ?", "").strip();
    }

    private static void compile(String text, Path name, Path out) throws IOException {
        Path directory = Files.createTempDirectory("plog-lab-bug");
        Path source = Files.writeString(directory.resolve(name), text);
        Files.createDirectories(out);
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-nowarn", "-proc:none", "-g:none", "--release", "17", "-d", out.toString(), "-cp",
                        System.getProperty("java.class.path"), source.toString());
        Files.delete(source);
        Files.delete(directory);
        if (exit != 0) {
            throw new IOException(name + " does not compile with its defect");
        }
    }
}
