package io.plog.host.events;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Public records as JSON, without a JSON library, which the server does not have. Stateless; safe for any thread. */
public final class RecordJson {
    private RecordJson() {}

    /**
     * One line of JSON: an object with the record's components as members, but for those that are null.
     *
     * @param record of numbers, texts, records, and lists and maps of these
     */
    public static String of(Record record) {
        StringBuilder text = new StringBuilder(1_024);
        value(text, record);
        return text.append('\n').toString();
    }

    private static void value(StringBuilder text, @Nullable Object value) {
        if (value instanceof Record record) {
            object(text, components(record));
        } else if (value instanceof Map<?, ?> map) {
            object(text, map);
        } else if (value instanceof List<?> list) {
            text.append('[');
            for (Object each : list) {
                separate(text);
                value(text, each);
            }
            text.append(']');
        } else if (value instanceof Number number) {
            text.append(number);
        } else {
            string(text, String.valueOf(value));
        }
    }

    private static Map<String, Object> components(Record record) {
        Map<String, Object> components = new LinkedHashMap<>();
        try {
            for (RecordComponent each : record.getClass().getRecordComponents()) {
                Object value = each.getAccessor().invoke(record);
                if (value != null) {
                    components.put(each.getName(), value);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the accessors of " + record.getClass() + " are not public", e);
        }
        return components;
    }

    private static void object(StringBuilder text, Map<?, ?> members) {
        text.append('{');
        members.forEach((name, value) -> {
            separate(text);
            string(text, String.valueOf(name));
            text.append(':');
            value(text, value);
        });
        text.append('}');
    }

    private static void separate(StringBuilder text) {
        char last = text.charAt(text.length() - 1);
        if (last != '{' && last != '[') {
            text.append(',');
        }
    }

    private static void string(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
