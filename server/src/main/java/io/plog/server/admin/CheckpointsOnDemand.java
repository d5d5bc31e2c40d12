package io.plog.server.admin;

import io.plog.server.http.HttpServer;
import io.plog.server.http.HttpStatus;
import io.plog.server.targets.CheckpointReport;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Saves the checkpoints that somebody asks for, and says what came of it. */
public final class CheckpointsOnDemand {
    private CheckpointsOnDemand() {}

    /**
     * Saves them one after the other and ends with the first that fails. Blocks.
     *
     * @param targets of the server
     * @param name of one of them, or {@code null} for all that keep a log
     */
    public static HttpServer.Answer save(List<Target> targets, @Nullable String name) {
        List<Target> chosen = targets.stream()
                .filter(target ->
                        name == null ? target.isLogged() : target.name().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            return name == null
                    ? HttpServer.Answer.say(HttpStatus.CONFLICT, "no checkpoint: no target keeps a log")
                    : HttpServer.Answer.say(HttpStatus.NOT_FOUND, "no checkpoint: there is no target " + name);
        }
        List<String> saved = new ArrayList<>();
        for (Target target : chosen) {
            if (!target.isLogged()) {
                return HttpServer.Answer.say(
                        HttpStatus.CONFLICT, "no checkpoint: target " + target.name() + " keeps no log");
            }
            Target.Phase phase = target.phase();
            RecordLog log = phase.log();
            String elsewhere = phase.state().notServing();
            if (elsewhere != null || log == null) {
                saved.add("target " + target.name()
                        + ": no checkpoint: only the server that holds the log saves one, and " + elsewhere);
                return HttpServer.Answer.say(HttpStatus.CONFLICT, String.join("\n", saved));
            }
            try {
                CheckpointReport report = log.checkpoint();
                saved.add("target " + target.name() + ": checkpoint at index " + report.index() + ", " + report.bytes()
                        + " bytes; the log begins at index " + report.firstIndex());
            } catch (IOException | RuntimeException e) {
                saved.add("target " + target.name() + ": no checkpoint: " + e.getMessage());
                return HttpServer.Answer.say(HttpStatus.INTERNAL_SERVER_ERROR, String.join("\n", saved));
            }
        }
        return HttpServer.Answer.say(HttpStatus.OK, String.join("\n", saved));
    }
}
