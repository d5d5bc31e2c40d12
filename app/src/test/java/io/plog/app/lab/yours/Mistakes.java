package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The usual mistakes of a lab, each as edits of its solution: a line with number, name and the number of the promise that it breaks; then
 * snippets behind minuses, and behind pluses what takes their place.
 */
record Mistakes(Path edits, Path solution) {
    private static final Pattern ENTRY = Pattern.compile("(?m)^(\\d+ .*)\\n((?:[-+].*\\n?)+)");
    private static final Pattern EDIT = Pattern.compile("((?:^-.*\\n?)+)((?:^\\+.*\\n?)+)", Pattern.MULTILINE);

    List<String> names() throws IOException {
        return ENTRY.matcher(Files.readString(edits))
                .results()
                .map((MatchResult entry) -> entry.group(1))
                .toList();
    }

    String name(int number) throws IOException {
        return names().stream()
                .filter(name -> name.startsWith(number + " "))
                .findFirst()
                .orElseThrow();
    }

    /** The promise that a mistake breaks, by its kind's list. */
    static Promise promise(String kind, String name) throws IOException {
        return Promise.of(kind).get(Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1)) - 1);
    }

    /** The solution with a mistake. */
    String text(String name) throws IOException {
        String text = Files.readString(solution);
        String of = ENTRY.matcher(Files.readString(edits))
                .results()
                .filter(entry -> entry.group(1).equals(name))
                .findFirst()
                .orElseThrow()
                .group(2);
        Matcher edit = EDIT.matcher(of);
        while (edit.find()) {
            text = solution.toString().endsWith(".py")
                    ? line(text, withoutSigns(edit.group(1)), withoutSigns(edit.group(2)))
                    : edited(text, withoutSigns(edit.group(1)), withoutSigns(edit.group(2)));
        }
        return text;
    }

    /** White space apart. */
    private static String edited(String text, String snippet, String instead) {
        String regex = Arrays.stream(snippet.split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        assertThat(Pattern.compile(regex).matcher(text).results()).as(snippet).hasSize(1);
        return text.replaceFirst(regex, Matcher.quoteReplacement(instead));
    }

    /** Whole lines, which keep the indentation of the first, since it means something. */
    private static String line(String text, String lines, String instead) {
        String regex = lines.lines()
                .map(each -> Pattern.quote(each.strip()))
                .collect(Collectors.joining("\\n *", "(?m)^( *)", "$"));
        assertThat(Pattern.compile(regex).matcher(text).results()).as(lines).hasSize(1);
        Matcher found = Pattern.compile(regex).matcher(text);
        return found.replaceFirst(match ->
                Matcher.quoteReplacement(instead.indent(match.group(1).length()).stripTrailing()));
    }

    private static String withoutSigns(String lines) {
        return lines.replaceAll("(?m)^[-+] ?", "").strip();
    }
}
