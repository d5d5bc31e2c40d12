package io.plog.results;

import io.plog.measure.load.LoadSummary;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A load's rates and errors as text for a terminal. Stateless. */
final class LoadText {
    private LoadText() {}

    static void append(StringBuilder text, LoadSummary load) {
        line(text, "target", load.target() + ", counted for " + number(load.seconds()) + " s");
        Double offered = load.offeredPerSecond();
        line(
                text,
                "rate",
                (offered == null ? "" : number(offered) + " requests/s due, ")
                        + number(load.answeredPerSecond()) + "/s answered, " + number(load.acceptedPerSecond())
                        + "/s accepted (" + number(load.megabytesPerSecond()) + " MB/s one way)");
        times(text, "latency", load.latency(), "from sending, accepted requests of every size and kind");
        times(text, "lag", load.lag(), "sent later than it could have been");
        times(text, "held", load.held(), "waited for the connection, of those that did");
        times(text, "connects", load.connects(), "until the welcome, in no latency");
        line(
                text,
                "requests",
                Units.count(load.sent()) + " sent, " + Units.count(load.accepted()) + " accepted"
                        + (load.errors().isEmpty() ? "" : ", " + load.errors()) + "; without reply: "
                        + Units.count(load.backlogAtStart()) + " at the start, " + Units.count(load.backlogAtEnd())
                        + " at the end, " + Units.count(load.mostOutstanding()) + " at most");
        line(
                text,
                "links",
                Units.count(load.connectionsMade()) + " connections made, " + Units.count(load.connectionsLost())
                        + " lost, " + Units.count(load.connectionsFailed()) + " attempts failed");
        text.append('\n');
    }

    private static void times(StringBuilder text, String name, LoadSummary.@Nullable Times times, String what) {
        if (times != null) {
            line(
                    text,
                    name,
                    "mean " + Micros.text(times.mean()) + ", p50 " + Micros.text(times.p50()) + ", p99 "
                            + Micros.text(times.p99()) + ", max " + Micros.text(times.max()) + " µs ("
                            + Units.count(times.count()) + ": " + what + ")");
        }
    }

    private static void line(StringBuilder text, String name, String what) {
        TextLines.wrap(text, String.format(Locale.ROOT, "%-9s ", name), 10, what);
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, value >= 1000 ? "%,.0f" : "%.3f", value);
        return text.indexOf('.') < 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
