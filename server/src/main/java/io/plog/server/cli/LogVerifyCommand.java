package io.plog.server.cli;

import io.plog.log.LogDamagedException;
import io.plog.log.LogInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plog log verify}: reads everything and says whether it is as it should be. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Reads and checks every record. Exit code 0: all is well; 3: the log is damaged.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class LogVerifyCommand implements Callable<Integer> {
    @Mixin
    private LogDirectory log;

    @Override
    public Integer call() {
        PrintWriter err = log.spec.commandLine().getErr();
        try {
            log.check();
            LogInspection found = LogInspection.of(log.directory);
            PrintWriter out = log.spec.commandLine().getOut();
            LogDamagedException damage = found.damage().orElse(null);
            out.println(log.json ? json(found) : text(found, damage));
            out.flush();
            return damage == null ? Failures.DONE : Failures.report(err, "log verify", damage);
        } catch (IOException e) {
            return Failures.report(err, "log verify", e);
        }
    }

    private static String text(LogInspection found, @org.jspecify.annotations.Nullable LogDamagedException damage) {
        String read = found.records() + " records (" + found.firstIndex() + " to " + found.lastIndex() + ") in "
                + found.segments().size() + " segments";
        if (damage != null) {
            return "damaged: " + read + " are intact before the damage";
        }
        long torn = tornBytes(found);
        if (torn > 0) {
            return "fine: " + read + " are intact; a torn tail of " + torn
                    + " bytes, never acknowledged, will be cut and kept when the log is opened";
        }
        return "fine: " + read + " are intact"
                + (found.cleanlyClosed() ? "; the log was closed in order" : "; the log was not closed, or is open");
    }

    private static long tornBytes(LogInspection found) {
        return found.segments().stream()
                .mapToLong(LogInspection.Segment::tornBytes)
                .sum();
    }

    private static String json(LogInspection found) {
        Json json = new Json()
                .field("ok", found.damage().isEmpty())
                .field("records", found.records())
                .field("firstIndex", found.firstIndex())
                .field("lastIndex", found.lastIndex())
                .field("markedIndex", found.markedIndex())
                .field("cleanlyClosed", found.cleanlyClosed())
                .field("tornBytes", tornBytes(found));
        found.damage()
                .ifPresent(damage -> json.field("file", damage.file())
                        .field("offset", damage.offset())
                        .field("expected", damage.expected())
                        .field("found", damage.found()));
        return json.toString();
    }
}
