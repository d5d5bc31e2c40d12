package io.plog.app.server;

import io.plog.host.DirectoryFacts;
import io.plog.log.storage.RecoveryReport;
import io.plog.measure.HostPort;
import io.plog.protocol.security.Tls;
import io.plog.server.PlogServer;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.OpeningReport;
import io.plog.server.targets.ReplayReport;
import io.plog.server.targets.Target;
import io.plog.stats.text.ByteSize;
import java.io.PrintWriter;

/** What a server says when it has started: a line for each target, and where it listens. */
final class StartReport {
    private StartReport() {}

    static void print(PrintWriter err, PlogServer server, ServerOptions options) {
        for (Target target : server.targets()) {
            err.println(line(target));
            DirectoryFacts facts = target.directories();
            if (facts != null && facts.isVolatile()) {
                err.println("warning: target " + target.name() + " runs, but " + facts.get("fileSystem")
                        + " is not stable storage");
            }
            if (facts != null && !facts.copyingOnWrite().isEmpty()) {
                err.println("warning: target " + target.name() + " has no reserve: " + facts.copyingOnWrite()
                        + " copies on write, so even what is initialised needs space when it is written. When the disk is"
                        + " full, the log fails for good"
                        + (facts.copyingOnWrite().equals("btrfs")
                                ? ", unless its" + " directory was made with chattr +C before the log"
                                : ""));
            }
        }
        err.println("requests under way and replies not yet read take at most " + (server.bufferedBytes() >> 20)
                + " MiB of memory, and 256 KiB for each connection");
        err.println("event loops use " + server.transport().label());
        if (!server.refusedTransport().isEmpty()) {
            err.println("warning: " + server.refusedTransport());
        }
        String shortage = server.shortage();
        if (shortage != null) {
            err.println("warning: " + shortage);
        }
        if (!server.memory().isEmpty()) {
            err.println(server.memory());
        }
        String scheme = options.tls() == null ? "http://" : "https://";
        if (options.tls() != null) {
            err.println(Tls.DESCRIPTION + " on all ports"
                    + (options.tls().authority() == null ? "" : ", for clients with a certificate"));
        }
        if (server.adminPort() != 0) {
            err.println("metrics and health on " + scheme + new HostPort(options.adminBind(), server.adminPort()));
        }
        if (server.httpPort() != 0) {
            err.println("HTTP on " + scheme + new HostPort(options.bind(), server.httpPort()));
        }
        err.println(
                "listening on " + new HostPort(options.bind(), server.address().getPort()));
        err.flush();
    }

    static String line(Target started) {
        TargetOptions target = started.options();
        DirectoryFacts facts = started.directories();
        OpeningReport opening = started.opening();
        String start = "target " + target.name() + ": ";
        if (target.place() instanceof LogPlace.Address address) {
            return start + address.uri() + ", force=" + target.forceLabel() + ", "
                    + (opening == null
                            ? "standby: requests are refused until this server has the log"
                            : found(opening));
        }
        if (facts == null || opening == null) {
            return start + "not logged";
        }
        return start + facts.get("path") + ", " + facts.get("fileSystem") + " on " + facts.get("device")
                + " (rotational " + facts.get("rotational") + ", write cache " + facts.get("writeCache") + "), force="
                + target.forceLabel() + ", " + found(opening) + ", " + reserved(opening) + kept(target);
    }

    private static String found(OpeningReport opening) {
        return recovered(opening.recovery()) + ", opened in "
                + opening.duration().toMillis() + " ms, " + replayed(opening.replay());
    }

    private static String recovered(RecoveryReport recovery) {
        long records = recovery.lastIndex() - recovery.firstIndex() + 1;
        String found = records == 0
                ? "no records yet"
                : records + " records recovered (" + recovery.firstIndex() + " to " + recovery.lastIndex() + ")";
        if (!recovery.setAside().isEmpty()) {
            found += ", segments of another log were set aside as " + recovery.setAside();
        }
        return recovery.cutBytes() == 0
                ? found
                : found + ", a torn tail of " + recovery.cutBytes() + " bytes was cut and kept in "
                        + recovery.cutFile()
                        + " (it may have been acknowledged, but nothing in the log says so)";
    }

    private static String reserved(OpeningReport opening) {
        String asked = "reserve of " + ByteSize.format(opening.wantedReserveBytes());
        if (opening.reserveBytes() < opening.wantedReserveBytes()) {
            return "only " + ByteSize.format(opening.reserveBytes()) + " of a " + asked
                    + " initialised, for lack of space: requests are refused once it is used up, until there is more";
        }
        return asked + " initialised in " + opening.preparing().toMillis() + " ms";
    }

    private static String kept(TargetOptions target) {
        return target.retainBytes() == 0 && target.checkpointBytes() == 0
                ? ", keeps everything, so each byte is written twice: retain= or checkpoint= would spare that"
                : "";
    }

    private static String replayed(ReplayReport replay) {
        String from = replay.checkpointIndex() == 0 ? "" : "checkpoint at " + replay.checkpointIndex() + ", ";
        String skipped = replay.skipped() == 0 ? "" : " (" + replay.skipped() + " that are no requests skipped)";
        return from + replay.requests() + " replayed" + skipped + " in "
                + replay.duration().toMillis() + " ms";
    }
}
