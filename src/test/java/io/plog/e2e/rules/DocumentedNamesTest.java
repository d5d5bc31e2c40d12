package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.PlogCommand;
import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Each class, file and option that a document names in backticks is there, and each command of plog that it shows takes its options. */
final class DocumentedNamesTest {
    private static final Path ROOT = DiskDirectory.root();
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern WORD = Pattern.compile("\\w+");

    /** {@code GroupCommit}, {@code TargetState.durable}, {@code MessageLog.open(...)}; behind "..." the rest of a name is left out. */
    private static final Pattern CLASS = Pattern.compile(
            "([A-Z][a-z0-9]+(?:[A-Z]\\w*)+|[A-Z]\\w*(?=\\.[a-z]))(?:\\.(\\w+))?(\\.\\.\\.)?(?:\\(.*\\))?");

    private static final Pattern FILE = Pattern.compile(
            "[a-z][\\w.-]*(?:/[\\w.-]+)+/?|[\\w.-]+\\.(?:java|md|py|json|svg|txt|html|plog|xml|csv|zip|ledger|p12|c)");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
    private static final Pattern KEY = Pattern.compile("([a-z]+)=.*");
    private static final Pattern COMMAND = Pattern.compile("(?:^|[\\s/`(])plog ((?!.*`).*|[^`]*)");

    private static final List<String> SOURCES =
            List.of(".java", ".py", ".xml", ".json", ".yml", ".c", ".conf", ".properties", ".txt");

    private static final CommandLine PLOG = PlogCommand.program();

    /** What the sources say, all in one; their words; by a class's name where it is declared. */
    private static String code = "";

    private static final Set<String> WORDS = new HashSet<>();
    private static final Map<String, String> CLASSES = new TreeMap<>();
    private static final List<String> FILES = new ArrayList<>();

    @BeforeAll
    static void readSources() throws IOException {
        StringBuilder all = new StringBuilder();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean isBuilt = name.equals("target") || name.startsWith(".");
                return isBuilt && !directory.equals(ROOT) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                FILES.add(ROOT.relativize(file).toString());
                boolean isScript = !name.contains(".") && Files.isExecutable(file);
                if (isScript || SOURCES.stream().anyMatch(name::endsWith)) {
                    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                    all.append(text).append('\n');
                    if (name.endsWith(".java")) {
                        CLASSES.merge(name.substring(0, name.length() - ".java".length()), text, String::concat);
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        code = all.toString();
        addWords(code, WORDS);
    }

    private static void addWords(String text, Set<String> words) {
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            words.add(word.group());
        }
    }

    /** But for the reports to others, which name what is theirs. */
    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            files.filter(file -> file.toString().endsWith(".md")
                                            && !file.toString().contains("upstream"))
                                    .sorted())
                    .toList();
        }
    }

    @Test
    void eachNameInBackticksIsInTheCode() throws Exception {
        List<String> wrong = new ArrayList<>();
        int looked = 0;
        for (Path document : documents()) {
            List<String> lines = Files.readAllLines(document);
            Set<String> shown = new HashSet<>(); // in its own fences, such as a file of BookKeeper's
            forEachLine(lines, true, (number, line) -> addWords(line, shown));
            List<String> here = new ArrayList<>();
            int[] names = {0};
            forEachLine(lines, false, (number, line) -> {
                Matcher quoted = QUOTED.matcher(line);
                while (quoted.find()) {
                    names[0]++;
                    String reason = whatIsWrongWith(quoted.group(1), shown);
                    if (!reason.isEmpty()) {
                        here.add(ROOT.relativize(document) + ":" + number + ": `" + quoted.group(1) + "`: " + reason);
                    }
                }
            });
            looked += names[0];
            wrong.addAll(here);
        }
        assertThat(looked).isGreaterThan(1_000);
        assertThat(wrong).isEmpty();
    }

    /** Returns an empty string for what is right, or is no name. */
    private static String whatIsWrongWith(String quoted, Set<String> shown) {
        Matcher named = CLASS.matcher(quoted);
        if (named.matches() && !FILE.matcher(quoted).matches()) {
            return classIsThere(named, shown);
        }
        if (FILE.matcher(quoted).matches()) {
            boolean there = FILES.stream().anyMatch(file -> isOrEnds(file, quoted)) || code.contains(quoted);
            return there || shown.containsAll(List.of(quoted.split("\\W+")))
                    ? ""
                    : "no such file, and no source names it";
        }
        if (quoted.startsWith("--")) {
            return OPTION.matcher(quoted)
                    .results()
                    .map(option -> option.group())
                    .filter(option -> !code.contains('"' + option) && !code.contains(' ' + option))
                    .map(option -> option + " is no option of anything")
                    .findFirst()
                    .orElse("");
        }
        Matcher key = KEY.matcher(quoted);
        if (key.matches()) {
            boolean there = code.contains('"' + key.group(1)) || code.contains(key.group(1) + "=");
            return there || shown.contains(key.group(1)) ? "" : "no source reads '" + key.group(1) + "='";
        }
        return "";
    }

    private static String classIsThere(Matcher named, Set<String> shown) {
        String type = named.group(1);
        if (!WORDS.contains(type) && !shown.contains(type)) {
            return "no source names " + type;
        }
        String member = named.group(2);
        String source = CLASSES.get(type);
        if (member == null || source == null) {
            return "";
        }
        boolean there = Pattern.compile("\\b" + member + (named.group(3) == null ? "\\b" : ""))
                .matcher(source)
                .find();
        return there ? "" : type + " has no " + member;
    }

    private static boolean isOrEnds(String file, String name) {
        String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        return ("/" + file + "/").contains("/" + path + "/");
    }

    @Test
    void eachCommandOfPlogThatIsShownTakesItsOptions() throws Exception {
        List<String> wrong = new ArrayList<>();
        int[] commands = {0};
        for (Path document : documents()) {
            LineVisitor visitor = (number, line) -> {
                Matcher command = COMMAND.matcher(line);
                while (command.find()) {
                    commands[0]++;
                    whatItDoesNotTake(command.group(1).replaceAll("\\s[#|<>&].*", ""))
                            .forEach(what -> wrong.add(ROOT.relativize(document) + ":" + number + ": " + what));
                }
            };
            List<String> lines = Files.readAllLines(document);
            forEachLine(lines, true, visitor);
            forEachLine(lines, false, (number, line) -> {
                Matcher quoted = QUOTED.matcher(line);
                while (quoted.find()) {
                    visitor.visit(number, quoted.group(1));
                }
            });
        }
        assertThat(commands[0]).isGreaterThan(50);
        assertThat(wrong).isEmpty();
    }

    /** On systems that no test runs on, and by hand before a release. */
    @Test
    void eachCommandThatIsTriedElsewhereTakesItsOptions() throws Exception {
        String script = Files.readString(ROOT.resolve("tools/elsewhere"));
        List<String> tried = Pattern.compile(
                        "(?m)^ *(?:plog(?: '[0-9 ]+'| [0-9])?|\"\\$launcher\") ([a-z-].*?)(?:  .*| >.*)?$")
                .matcher(script)
                .results()
                .map(command -> command.group(1))
                .toList();
        assertThat(tried).hasSizeGreaterThan(20);
        assertThat(tried.stream().flatMap(words -> whatItDoesNotTake(words).stream()))
                .isEmpty();
        assertThat(tried)
                .allMatch(words -> words.matches("(--version|nonsense)\\b.*")
                        || PLOG.getSubcommands().containsKey(words.split(" ")[0]));
        assertThat(Files.readString(ROOT.resolve(".github/workflows/build.yml")))
                .contains("tools/elsewhere ./plog\n", "tools/elsewhere ./plog.cmd\n");
    }

    /** As Prometheus writes them, with their units. */
    @Test
    void theListOfMetersHasEachMeterAndNoOther() throws Exception {
        Set<String> meters = namesOf("\"(plog\\.[a-z.]+)\"", CLASSES.get("Meters") + CLASSES.get("LogMeters"));
        Set<String> listed = namesOf("`(plog_[a-z_]+)`", Files.readString(ROOT.resolve("docs/monitoring.md")));
        assertThat(meters).hasSizeGreaterThan(30);
        assertThat(meters)
                .as("listed in docs/monitoring.md")
                .allMatch(meter -> listed.stream().anyMatch(name -> isNameOf(name, meter)));
        assertThat(listed)
                .as("meters that are there")
                .allMatch(name -> meters.stream().anyMatch(meter -> isNameOf(name, meter)));
    }

    private static boolean isNameOf(String name, String meter) {
        return name.matches(meter.replace('.', '_') + "(_records|_bytes|_seconds)?(_total)?");
    }

    private static Set<String> namesOf(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> whatItDoesNotTake(String words) {
        CommandLine command = PLOG;
        String name = "plog";
        for (String word : words.split("\\s+")) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                break;
            }
            command = next;
            name += " " + word;
        }
        Set<String> taken = command.getCommandSpec().optionsMap().keySet();
        List<String> wrong = new ArrayList<>();
        Matcher option = OPTION.matcher(words);
        while (option.find()) {
            if (!taken.contains(option.group())) {
                wrong.add(name + " has no option " + option.group());
            }
        }
        return wrong;
    }

    private static void forEachLine(List<String> lines, boolean fenced, LineVisitor visitor) {
        boolean within = false;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().startsWith("```")) {
                within = !within;
            } else if (within == fenced) {
                visitor.visit(i + 1, lines.get(i));
            }
        }
    }

    private interface LineVisitor {
        void visit(int number, String line);
    }
}
