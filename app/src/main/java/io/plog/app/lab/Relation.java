package io.plog.app.lab;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A relation between numbers that have names: {@code A OP B}, where OP is {@code <}, {@code >}, {@code <=}, {@code >=},
 * {@code =} or {@code !=}, and each side is a name or a number, or a product or a sum of two. Immutable.
 *
 * @param text as it was written
 */
record Relation(String text) {
    private static final String TERM = "([\\w.-]+)";
    private static final String SIDE = TERM + "(?:\\s+([*+])\\s+" + TERM + ")?";
    private static final Pattern FORM = Pattern.compile(SIDE + "\\s+(<|>|<=|>=|=|!=)\\s+" + SIDE);
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

    Relation {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no relation: expected one like \"a > 3 * b\" or \"a + b = c\"");
        }
    }

    /** Whether it holds for these numbers; each name must be among them. */
    boolean holds(Map<String, Double> numbers) {
        Matcher parts = parts();
        double left = side(parts, 1, numbers);
        double right = side(parts, 5, numbers);
        return switch (parts.group(4)) {
            case "<" -> left < right;
            case ">" -> left > right;
            case "<=" -> left <= right;
            case ">=" -> left >= right;
            case "!=" -> left != right;
            default -> left == right;
        };
    }

    private Matcher parts() {
        Matcher parts = FORM.matcher(text);
        parts.matches();
        return parts;
    }

    private static double side(Matcher parts, int first, Map<String, Double> numbers) {
        double left = term(parts.group(first), numbers);
        String operator = parts.group(first + 1);
        if (operator == null) {
            return left;
        }
        double right = term(parts.group(first + 2), numbers);
        return operator.equals("*") ? left * right : left + right;
    }

    private static double term(String term, Map<String, Double> numbers) {
        if (NUMBER.matcher(term).matches()) {
            return Double.parseDouble(term);
        }
        Double number = numbers.get(term);
        if (number == null) {
            throw new IllegalArgumentException("\"" + term + "\" is not observed");
        }
        return number;
    }
}
