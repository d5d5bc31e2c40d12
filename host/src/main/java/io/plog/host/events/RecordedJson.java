package io.plog.host.events;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * {@link Recorded} as JSON: an object with the records' components as members, without a JSON library, which the server
 * does not have. Stateless.
 */
public final class RecordedJson {
    private final StringBuilder text = new StringBuilder();

    private RecordedJson() {}

    /** One line of JSON. */
    public static String of(Recorded recorded) {
        RecordedJson json = new RecordedJson();
        json.open('{');
        json.name("facts").facts(recorded.facts());
        json.name("counters").counters(recorded.counters());
        json.name("totals").list(recorded.totals(), RecordedJson::total);
        json.name("events").list(recorded.events(), RecordedJson::event);
        json.close('}');
        return json.text.append('\n').toString();
    }

    private void facts(Map<String, String> facts) {
        open('{');
        facts.forEach((name, value) -> name(name).string(value));
        close('}');
    }

    private void counters(Counters counters) {
        open('{');
        name("atNanos").number(counters.atNanos());
        name("processors").number(counters.processors());
        name("processCpuNanos").number(counters.processCpuNanos());
        name("machineTicks").number(counters.machineTicks());
        name("machineBusyTicks").number(counters.machineBusyTicks());
        name("machineStealTicks").number(counters.machineStealTicks());
        name("ownWrittenBytes").number(counters.ownWrittenBytes());
        name("leastFreeMemoryBytes").number(counters.leastFreeMemoryBytes());
        name("memoryBytes").number(counters.memoryBytes());
        name("clockStepNanos").number(counters.clockStepNanos());
        name("compilerNanos").number(counters.compilerNanos());
        name("lateness").list(counters.lateness(), RecordedJson::number);
        name("disks").list(counters.disks(), RecordedJson::disk);
        close('}');
    }

    private void disk(Counters.Disk disk) {
        open('{');
        name("device").string(disk.device());
        name("readBytes").number(disk.readBytes());
        name("writtenBytes").number(disk.writtenBytes());
        close('}');
    }

    private void total(KindTotal total) {
        open('{');
        name("kind").string(total.kind());
        name("count").number(total.count());
        name("totalNanos").number(total.totalNanos());
        close('}');
    }

    private void event(Event event) {
        open('{');
        name("kind").string(event.kind());
        name("startNanos").number(event.startNanos());
        name("durationNanos").number(event.durationNanos());
        name("withinNanos").number(event.withinNanos());
        name("detail").string(event.detail());
        close('}');
    }

    private <T> void list(List<T> values, BiConsumer<RecordedJson, T> each) {
        open('[');
        for (T value : values) {
            separate();
            each.accept(this, value);
        }
        close(']');
    }

    private RecordedJson name(String name) {
        separate();
        string(name);
        text.append(':');
        return this;
    }

    private void separate() {
        char last = text.charAt(text.length() - 1);
        if (last != '{' && last != '[' && last != ':') {
            text.append(',');
        }
    }

    private void open(char bracket) {
        text.append(bracket);
    }

    private void close(char bracket) {
        text.append(bracket);
    }

    private void number(long value) {
        text.append(value);
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
}
