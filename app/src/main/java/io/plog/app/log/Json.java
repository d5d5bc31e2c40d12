package io.plog.app.log;

/** The little JSON that these commands write: one object on one line, fields in the order given. */
final class Json {
    private final StringBuilder text = new StringBuilder("{");

    Json field(String name, String value) {
        name(name);
        string(value);
        return this;
    }

    Json field(String name, long value) {
        name(name);
        text.append(value);
        return this;
    }

    Json field(String name, boolean value) {
        name(name);
        text.append(value);
        return this;
    }

    /** A value that is JSON already. */
    Json raw(String name, String json) {
        name(name);
        text.append(json);
        return this;
    }

    static String quoted(String value) {
        Json json = new Json();
        json.text.setLength(0);
        json.string(value);
        return json.text.toString();
    }

    private void name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        string(name);
        text.append(':');
    }

    private void string(String value) {
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

    @Override
    public String toString() {
        return text + "}";
    }
}
