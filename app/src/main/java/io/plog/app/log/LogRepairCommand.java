package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import io.plog.log.LogTools;
import io.plog.log.spi.LogDirectories;
import io.plog.log.spi.StoredRepair;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plog log repair}: says what could be done about damage, and does what it is asked for. */
@Command(
        name = "repair",
        description = {
            "Without --do: says what is damaged, what a repair would cost and which remedy there is; changes nothing"
                    + " (exit code 3 if the log is damaged, 0 if not).",
            "With it: does that and nothing else. What is cut is kept in files named cut-* next to the log.",
            "Save the intact records behind the damage first: plog log dump --salvage --json --payload DIR"
        })
final class LogRepairCommand extends NamedLogCommand {
    @Option(
            names = "--do",
            paramLabel = "REMEDY",
            description =
                    "What to do: what this command names without the option, and nothing else. One at a time, since"
                            + " each may show the next damage.")
    private @Nullable String remedy;

    @Override
    protected ExitCode run() throws IOException {
        URI address = log().address();
        if (address != null) {
            return repairAt(address);
        }
        List<Storage> storages = LogDirectories.open(log().existing());
        LogTools.RepairPlan plan = LogTools.planRepair(storages).orElse(null);
        if (plan == null) {
            return nothingToDo(storages);
        }
        if (remedy == null) {
            throw explained(plan);
        }
        return carryOut(plan, storages);
    }

    private ExitCode repairAt(URI address) throws IOException {
        StoredRepair repair = LogArgument.planRepair(address).orElse(null);
        if (repair == null) {
            if (remedy != null) {
                throw new IllegalArgumentException(
                        "the log has its last ledger: there is nothing to repair, nothing was changed");
            }
            print(
                    "nothing to repair: the log has its last ledger. Lost copies of records are BookKeeper's to make again:"
                            + " bookkeeper shell recover",
                    JsonText.object().put("damaged", false));
            return ExitCode.DONE;
        }
        try (repair) {
            String needed = "replace-ledger=" + repair.replaces();
            if (remedy == null) {
                print(
                        repair.cost() + System.lineSeparator() + toDo(needed),
                        JsonText.object().put("damaged", true).put("remedy", needed));
                throw repair.damage().withAdvice("Nothing was changed; give --do " + needed);
            }
            checkNamed(needed);
            repair.carryOut();
            print("done: " + needed, JsonText.object().put("done", needed));
            return ExitCode.DONE;
        }
    }

    private String toDo(String needed) {
        return "to do it: plog log repair --do " + needed + " " + log();
    }

    private void checkNamed(String needed) {
        if (!needed.equals(remedy)) {
            throw new IllegalArgumentException("found --do " + remedy + ", expected --do " + needed
                    + ", which is what this damage needs; nothing was changed");
        }
    }

    private ExitCode nothingToDo(List<Storage> storages) throws IOException {
        LogTools.Inspection found = LogTools.inspectStorages(storages);
        if (found.logId().isEmpty()) {
            throw new IOException("there is no log in " + log().describe());
        }
        if (remedy != null) {
            throw new IllegalArgumentException(
                    "the log is not damaged: there is nothing to repair, nothing was changed");
        }
        print(
                "nothing to repair: the log is not damaged"
                        + (found.segments().stream().anyMatch(segment -> segment.tornBytes() > 0)
                                ? "; its torn tail is cut, and kept, when it is opened"
                                : ""),
                JsonText.object().put("damaged", false));
        return ExitCode.DONE;
    }

    /** Prints what a repair would do and cost; returns the damage, with advice that fits what the user has just done. */
    private LogDamagedException explained(LogTools.RepairPlan plan) {
        String needed = label(plan);
        print(
                cost(plan) + System.lineSeparator() + toDo(needed),
                JsonText.object()
                        .put("damaged", true)
                        .put("file", plan.damage().file())
                        .put("offset", plan.damage().offset())
                        .put("remedy", needed)
                        .put("firstLost", plan.firstLost())
                        .put("acknowledged", plan.acknowledged())
                        .put("acknowledgedLost", plan.acknowledgedLost())
                        .put("intactBehind", plan.intactBehind()));
        // What the damage itself advises, to run this command, is what the user has just done.
        String advice =
                "Nothing was changed; restore the file from a copy, or save what is intact (plog log dump --salvage"
                        + " --json --payload " + log() + ") and then give --do " + needed;
        return plan.damage().withAdvice(advice);
    }

    private ExitCode carryOut(LogTools.RepairPlan plan, List<Storage> storages) throws IOException {
        String named = label(plan);
        checkNamed(named);
        List<String> kept = LogTools.repair(plan, storages);
        LogTools.Inspection after = LogTools.inspectStorages(storages);
        List<String> text = new ArrayList<>();
        text.add("done: " + named + ". " + lost(plan));
        text.add(kept.isEmpty() ? "nothing had to be kept" : "kept next to the log: " + String.join(", ", kept));
        text.add("the log now holds " + records(after.records(), after.firstIndex(), after.lastIndex())
                + (after.damage().isPresent() ? " before the next damage" : ""));
        LogDamagedException next = after.damage().orElse(null);
        ObjectNode json = JsonText.object()
                .put("done", named)
                .put("firstLost", plan.firstLost())
                .put("acknowledgedLost", plan.acknowledgedLost());
        json.set("kept", JsonText.texts(kept.stream()));
        json.put("firstIndex", after.firstIndex())
                .put("lastIndex", after.lastIndex())
                .put("damaged", next != null);
        print(String.join(System.lineSeparator(), text), json);
        if (next == null) {
            return ExitCode.DONE;
        }
        complain("still damaged: file " + fileOf(next) + ", offset " + next.offset() + ": expected " + next.expected()
                + ", found " + next.found() + "; see: plog log repair " + log());
        return ExitCode.LOG_DAMAGED;
    }

    private static String cost(LogTools.RepairPlan plan) {
        return switch (plan.remedy()) {
            case CUT ->
                "the log can be ended at offset " + plan.damage().offset() + " of "
                        + fileOf(plan.damage()) + ". " + lost(plan)
                        + (plan.intactBehind() == 0
                                ? ""
                                : ". " + plan.intactBehind() + " intact records lie behind the damage and would be cut,"
                                        + " too; save them first with: plog log dump --salvage");
            case PAD ->
                fileOf(plan.damage()) + " can be made as long as its header says, with zeros. What the missing end held"
                        + " is lost already; if that was acknowledged, it is the next damage to be found";
            case REBUILD_HEAD ->
                plan.damage().directory().isEmpty()
                        ? "log.head can be made anew from the oldest segment. If segments before that one are missing,"
                                + " too, nothing will say any more"
                        : fileOf(plan.damage()) + " can be made anew from those of the other directories, if its"
                                + " segments are there";
            case DROP_CHECKPOINT ->
                "the log can continue without its checkpoint. A service then starts from what the log holds, and if"
                        + " records were dropped for the checkpoint, their effect is lost";
            case DROP_CELLS ->
                "the log can continue without its cells. A service then finds none: one that voted may vote again, so"
                        + " let it join as a new member";
        };
    }

    private static String lost(LogTools.RepairPlan plan) {
        if (plan.remedy() != LogTools.Remedy.CUT) {
            return "No record is lost by it";
        }
        long count = plan.acknowledgedLost();
        return count == 0
                ? "Records from " + plan.firstLost() + " on are lost; nothing says that they were acknowledged"
                : "Acknowledged records " + plan.firstLost() + " to " + plan.acknowledged() + " are lost (" + count
                        + "), and what came behind them";
    }

    /** Of a striped log with its directory: the same name is in each. */
    private static String fileOf(LogDamagedException damage) {
        return damage.directory().isEmpty() ? damage.file() : damage.directory() + "/" + damage.file();
    }

    private static String label(LogTools.RepairPlan plan) {
        return switch (plan.remedy()) {
            case CUT -> "cut=" + fileOf(plan.damage()) + "@" + plan.damage().offset();
            case PAD -> "pad=" + fileOf(plan.damage());
            case REBUILD_HEAD -> "rebuild-head";
            case DROP_CHECKPOINT -> "drop-checkpoint";
            case DROP_CELLS -> "drop-cells";
        };
    }
}
