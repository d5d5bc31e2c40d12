package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The list of promises in {@code docs/invariants.md} names tests that exist. */
class InvariantsTest {
    private static final Pattern NAME = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final int LEAST = 20;

    @Test
    void everyPromiseNamesTestsThatExist() throws Exception {
        List<String> promises;
        try (Stream<String> lines =
                Files.lines(Path.of(System.getProperty("plog.root", ".."), "docs", "invariants.md"))) {
            promises = lines.filter(line -> line.startsWith("| I")).toList();
        }
        assertThat(promises).hasSizeGreaterThanOrEqualTo(LEAST);
        List<String> missing = new ArrayList<>();
        int before = 0;
        for (String promise : promises) {
            int number = Integer.parseInt(promise.substring("| I".length(), promise.indexOf(" |", 1)));
            assertThat(number).as("number of %s", promise).isGreaterThan(before);
            before = number;
            Matcher names = NAME.matcher(promise.substring(promise.lastIndexOf("|", promise.length() - 2)));
            assertThat(names.results().count()).as("tests of %s", promise).isPositive();
            names.reset();
            while (names.find()) {
                if (!isTest(names.group(1), names.group(2))) {
                    missing.add(names.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static String nameOf(String testClass) {
        for (String room : List.of("", "storage.", "file.", "segment.")) {
            String name = "io.plog.log." + room + testClass;
            if (InvariantsTest.class.getResource("/" + name.replace('.', '/') + ".class") != null) {
                return name;
            }
        }
        throw new AssertionError("there is no test " + testClass);
    }

    private static boolean isTest(String testClass, String name) throws ClassNotFoundException {
        for (Method method : Class.forName(nameOf(testClass)).getDeclaredMethods()) {
            List<Class<? extends Annotation>> annotations = Arrays.stream(method.getAnnotations())
                    .<Class<? extends Annotation>>map(Annotation::annotationType)
                    .toList();
            if (method.getName().equals(name)
                    && (annotations.contains(Test.class) || annotations.contains(ParameterizedTest.class))) {
                return true;
            }
        }
        return false;
    }
}
