package io.plog.measure.plan;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what plans ask for. Stateless. */
public final class Values {
    private Values() {}

    /**
     * Checks a number.
     *
     * @throws IllegalArgumentException if it is out of the range; the message names it, its value and the range
     */
    public static void inRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": expected " + least + " to " + most);
        }
    }

    /**
     * Checks a time.
     *
     * @throws IllegalArgumentException if it is out of the range; the message names it, its value and the range
     */
    public static void inRange(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() + " ms: expected " + least.toMillis()
                    + " ms to " + most.toHours() + " h");
        }
    }

    /**
     * A copy of a list that has something.
     *
     * @throws IllegalArgumentException if it is empty, or a value is there twice
     */
    public static <T> List<T> some(String name, List<T> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException(name + " is empty: expected at least one");
        }
        return distinct(name, values);
    }

    /**
     * A copy of the list.
     *
     * @throws IllegalArgumentException if a value is there twice
     */
    public static <T> List<T> distinct(String name, List<T> values) {
        Set<T> seen = new HashSet<>();
        for (T value : values) {
            if (!seen.add(value)) {
                throw new IllegalArgumentException(name + " " + value + " is given twice: expected once");
            }
        }
        return List.copyOf(values);
    }
}
