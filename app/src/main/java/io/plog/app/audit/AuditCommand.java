package io.plog.app.audit;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.LogArgument;
import io.plog.host.LogWriterProcess;
import io.plog.log.Checkpoint;
import io.plog.log.LogReader;
import io.plog.log.spi.StoredLog;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plog audit}: holds what clients noted as acknowledged against what a log holds. */
@Command(
        name = "audit",
        description = {
            "Proves that every acknowledged request of a ledger is in a log: byte for byte, once, in order.",
            "A log in a directory must be stopped: no server may have it open. One at an address may be written meanwhile,"
                    + " for --ledger is read first. Nothing is changed.",
            "Example:",
            "  plog audit --ledger acknowledged.ledger --log /mnt/ssd/log"
        })
public final class AuditCommand extends ConsoleCommand {
    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            required = true,
            description = "Ledger that plog measure or plog load wrote; repeatable.")
    private List<Path> ledgers;

    @Option(
            names = "--log",
            paramLabel = LogArgument.LABEL,
            required = true,
            description =
                    "The directory of the target's log; of a striped one all of them: DIR1+DIR2+...; or its address:"
                            + " bookkeeper://ZOOKEEPER:PORT/NAME")
    private String log;

    @Option(
            names = "--target",
            paramLabel = "NUMBER",
            description = "The target's number in the ledger; not needed if only one has logged anything there.")
    private @Nullable Integer target;

    @Option(names = "--json", description = "Print one JSON object, with everything that is wrong.")
    private boolean json;

    @Override
    protected ExitCode run() throws IOException {
        LogArgument place = LogArgument.parse(log);
        check(place);
        return holds(ledgers, target, place, new AuditOutput(out(), json), this::complain)
                ? ExitCode.DONE
                : ExitCode.CHECK_FAILED;
    }

    /**
     * Audits for another command, and prints as this one does.
     *
     * @param target its number in the ledgers
     * @param notes gets what else is worth telling, a sentence each
     * @return whether all that was acknowledged is there
     * @throws LogDamagedException if the log is damaged, once all else is printed
     */
    public static boolean holds(
            List<Path> ledgers, int target, LogArgument place, PrintWriter out, Consumer<String> notes)
            throws IOException {
        return holds(ledgers, target, place, new AuditOutput(out, false), notes);
    }

    /** Whether a ledger has a line of a target that was logged. */
    public static boolean names(Path ledger, int target) throws IOException {
        LedgerFiles files = new LedgerFiles(target);
        files.read(ledger);
        return files.hasTarget();
    }

    private static boolean holds(
            List<Path> ledgers, @Nullable Integer target, LogArgument place, AuditOutput to, Consumer<String> notes)
            throws IOException {
        LedgerFiles files = new LedgerFiles(target);
        try (AuditOutput output = to) {
            for (Path ledger : ledgers) {
                files.read(ledger);
            }
            files.checkTarget();
            files.notes().forEach(notes);
            Audit audit = new Audit(files.acknowledged(), output::violation);
            files.contradictions().forEach(audit::contradicted);
            Audit.Result result = place.look(stored -> run(audit, stored));
            output.result(files, place, result);
            if (result.damage() != null) {
                throw result.damage();
            }
            return result.holds();
        }
    }

    private void check(LogArgument place) throws IOException {
        if (target != null && (target < 0 || target > 0xFFFF)) {
            throw new IllegalArgumentException("--target is " + target + ": expected 0 to 65535");
        }
        for (Path directory : place.existing()) {
            String writer = LogWriterProcess.of(directory).orElse("");
            if (!writer.isEmpty()) {
                throw new IOException("the log in " + directory + " is open by process " + writer
                        + ": expected a stopped log; stop the server and audit again");
            }
        }
    }

    private static Audit.Result run(Audit audit, StoredLog stored) throws IOException {
        LogDamagedException damagedCheckpoint = null;
        long checkpointIndex = 0;
        try {
            checkpointIndex = stored.checkpoint().map(Checkpoint::index).orElse(0L);
        } catch (LogDamagedException e) {
            // The log may be read all the same, and what was acknowledged may be in it.
            damagedCheckpoint = e;
        }
        try (LogReader reader = stored.read(0)) {
            return audit.run(reader, checkpointIndex, damagedCheckpoint);
        }
    }
}
