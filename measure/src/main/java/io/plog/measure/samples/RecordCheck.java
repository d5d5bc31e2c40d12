package io.plog.measure.samples;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether what was read from JSON can be what plog wrote: whatever computes or draws relies on it. JSON says numbers that no double
 * holds, the text {@code "NaN"} is taken for a number, and a {@code null} for a list. Stateless; safe for any thread.
 */
final class RecordCheck {
    /** No figure is larger: in microseconds it is 30 years, and the product of any twenty is still a double. */
    static final double LARGEST = 1e15;

    private RecordCheck() {}

    /**
     * What is wrong: the place, what was found and what was expected; empty if nothing is.
     *
     * @param record a record of numbers, texts, and lists, maps and records of them; what may be null in it is marked so
     */
    static Optional<String> objection(Record record) {
        return ofComponents("", record);
    }

    private static Optional<String> ofComponents(String path, Record record) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String at = path + component.getName();
            Object value = value(component, record);
            boolean mayLack = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            Optional<String> wrong = value == null && mayLack ? Optional.empty() : of(at, value);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> of(String at, @Nullable Object value) {
        if (value == null) {
            return Optional.of(at + " is null, expected a value");
        }
        if (value instanceof Double number) {
            return Math.abs(number) <= LARGEST // not so of NaN
                    ? Optional.empty()
                    : Optional.of(at + " is " + number + ", expected a number of at most " + LARGEST);
        }
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                Optional<String> wrong = of(at + "[" + i + "]", list.get(i));
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Optional<String> wrong = of(at + "." + entry.getKey(), entry.getValue());
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        } else if (value instanceof Record record) {
            return ofComponents(at + ".", record);
        }
        return Optional.empty();
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the accessors of " + record.getClass() + " are not public", e);
        }
    }
}
