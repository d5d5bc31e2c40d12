package io.plog.report.html;

import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The colours of drawings in a page, which follow its theme. Drawings name their light colours; in a page each becomes a CSS variable
 * that has a dark counterpart as well. Stateless.
 */
final class ThemeColours {
    private static final Pattern LITERAL = Pattern.compile("(fill|stroke)=\"#([0-9a-f]{6}|[0-9a-f]{3})\"");
    private static final Pattern VARIABLE = Pattern.compile("var\\(--c([0-9a-f]{3,6})\\)");

    /** The dark counterparts of paper, grid, words and of the lines that both reports draw most. */
    private static final Map<String, String> DARK = Map.ofEntries(
            Map.entry("fff", "14171b"),
            Map.entry("1b1f24", "e9ecf0"),
            Map.entry("e3e6ea", "292f37"),
            Map.entry("555e69", "a3acb7"),
            Map.entry("666f7a", "a7b0bb"),
            Map.entry("8a929c", "6d7681"),
            Map.entry("b9750a", "f0b44a"),
            // Names: targets and designs.
            Map.entry("0072b2", "4fa8e4"),
            Map.entry("c9540a", "f08a45"),
            Map.entry("00855f", "2fc79a"),
            Map.entry("a8487d", "e69ac4"),
            Map.entry("7a6a00", "d9cc55"),
            Map.entry("5b4bb5", "a79bf5"),
            Map.entry("8a3b12", "d98e63"),
            Map.entry("2f7484", "7cc4d8"),
            // Sizes.
            Map.entry("3b2f9e", "8f86ff"),
            Map.entry("8a2f8f", "d07be0"),
            Map.entry("c43d6b", "f5829f"),
            Map.entry("cf4f4b", "f7927f"),
            Map.entry("d9622b", "f9a35f"),
            Map.entry("b98200", "f7dd72"),
            // Parts of a latency.
            Map.entry("e7c4cf", "8d5a6b"),
            Map.entry("b9c2cc", "4b5663"),
            Map.entry("c8ced6", "4b5663"),
            Map.entry("7a5ea8", "9d80cc"),
            Map.entry("b892d6", "8a66a8"),
            Map.entry("e69f00", "c98b14"),
            Map.entry("8b949e", "77818c"),
            Map.entry("d5d9de", "5b6570"));

    private ThemeColours() {}

    /** The name of a colour in a page. */
    static String variable(String colour) {
        return "var(--c" + colour.substring(1) + ")";
    }

    /** A drawing with variables instead of colours. */
    static String themed(String svg) {
        return LITERAL.matcher(svg).replaceAll("$1=\"var(--c$2)\"");
    }

    /** The variables that a page uses, as a style sheet. */
    static String styleSheet(String page) {
        TreeSet<String> used = new TreeSet<>();
        Matcher variables = VARIABLE.matcher(page);
        while (variables.find()) {
            used.add(variables.group(1));
        }
        StringBuilder css = new StringBuilder(":root {");
        used.forEach(light -> css.append(" --c" + light + ": light-dark(#" + light + ", #" + dark(light) + ");"));
        return css.append(" }\n").toString();
    }

    /** A colour without a counterpart of its own becomes as much lighter as is needed on dark paper. */
    private static String dark(String light) {
        String known = DARK.get(light);
        if (known != null || light.length() != 6) {
            return known != null ? known : light;
        }
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; i < 6; i += 2) {
            mixed.append(String.format("%02x", (Integer.parseInt(light.substring(i, i + 2), 16) * 6 + 255 * 4) / 10));
        }
        return mixed.toString();
    }
}
