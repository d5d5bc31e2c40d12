package io.plog.app.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import io.plog.log.LogDamagedException;
import io.plog.log.LogDirectories;
import io.plog.log.LogTools;
import io.plog.log.Storage;
import io.plog.log.spi.StoredRepair;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plog log repair}: says what could be done about damage, and does what it is asked for. */
@Command(
        name = "repair",
        description = {
            "Without an option: says what is damaged, what a repair would cost and which option would do it; changes nothing"
                    + " (exit code 3 if the log is damaged, 0 if not).",
            "With one: does that and nothing else. What is cut is kept in files named cut-* next to the log.",
            "Save the intact records behind the damage first: plog log dump --salvage --json --payload DIR"
        })
final class LogRepairCommand extends NamedLogCommand {
    @ArgGroup
    private @Nullable Choice choice;

    /** What the user names; one at a time, since each may show the next damage. */
    static final class Choice {
        @Option(
                names = "--cut",
                paramLabel = "FILE@OFFSET",
                description = "End the log there: the place that 'verify' names, and no other.")
        private @Nullable String cut;

        @Option(
                names = "--pad",
                paramLabel = "FILE",
                description = "Fill the missing end of a segment's file with zeros.")
        private @Nullable String pad;

        @Option(names = "--rebuild-head", description = "Make log.head anew from the oldest segment.")
        private boolean rebuildHead;

        @Option(names = "--drop-checkpoint", description = "Continue without the checkpoint.")
        private boolean dropCheckpoint;

        @Option(
                names = "--replace-ledger",
                paramLabel = "NUMBER",
                description =
                        "Of a log at an address: put an empty ledger in the place of its last one, which is gone.")
        private @Nullable String replaceLedger;
    }

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
        if (choice == null) {
            throw explained(plan);
        }
        return carryOut(plan, choice, storages);
    }

    private ExitCode repairAt(URI address) throws IOException {
        StoredRepair repair = LogArgument.planRepair(address).orElse(null);
        if (repair == null) {
            if (choice != null) {
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
            String option = "--replace-ledger " + repair.replaces();
            if (choice == null) {
                print(
                        repair.cost() + System.lineSeparator() + "to do it: plog log repair " + option + " " + log(),
                        JsonText.object().put("damaged", true).put("option", option));
                throw repair.damage().withAdvice("Nothing was changed; give " + option);
            }
            checkGiven(option, choice);
            repair.carryOut();
            print("done: " + option, JsonText.object().put("done", option));
            return ExitCode.DONE;
        }
    }

    private static void checkGiven(String expected, Choice chosen) {
        String given = textOf(chosen);
        if (!expected.equals(given)) {
            throw new IllegalArgumentException("found " + given + ", expected " + expected
                    + ", which is what this damage needs; nothing was changed");
        }
    }

    private ExitCode nothingToDo(List<Storage> storages) throws IOException {
        if (choice != null) {
            throw new IllegalArgumentException(
                    "the log is not damaged: there is nothing to repair, nothing was changed");
        }
        LogTools.Inspection found = LogTools.inspectStorages(storages);
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
        String option = optionFor(plan);
        print(
                cost(plan) + System.lineSeparator() + "to do it: plog log repair " + option + " " + log(),
                JsonText.object()
                        .put("damaged", true)
                        .put("file", plan.damage().file())
                        .put("offset", plan.damage().offset())
                        .put("option", option)
                        .put("firstLost", plan.firstLost())
                        .put("acknowledged", plan.acknowledged())
                        .put("acknowledgedLost", plan.acknowledgedLost())
                        .put("intactBehind", plan.intactBehind()));
        // What the damage itself advises, to run this command, is what the user has just done.
        String advice =
                "Nothing was changed; restore the file from a copy, or save what is intact (plog log dump --salvage"
                        + " --json --payload " + log() + ") and then give " + option;
        return plan.damage().withAdvice(advice);
    }

    private ExitCode carryOut(LogTools.RepairPlan plan, Choice chosen, List<Storage> storages) throws IOException {
        String given = optionFor(plan);
        checkGiven(given, chosen);
        List<String> kept = LogTools.repair(plan, storages);
        LogTools.Inspection after = LogTools.inspectStorages(storages);
        List<String> text = new ArrayList<>();
        text.add("done: " + given + ". " + lost(plan));
        text.add(kept.isEmpty() ? "nothing had to be kept" : "kept next to the log: " + String.join(", ", kept));
        text.add("the log now holds " + records(after.records(), after.firstIndex(), after.lastIndex())
                + (after.damage().isPresent() ? " before the next damage" : ""));
        LogDamagedException next = after.damage().orElse(null);
        ObjectNode json = JsonText.object()
                .put("done", given)
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

    private static String optionFor(LogTools.RepairPlan plan) {
        return switch (plan.remedy()) {
            case CUT -> "--cut " + fileOf(plan.damage()) + "@" + plan.damage().offset();
            case PAD -> "--pad " + fileOf(plan.damage());
            case REBUILD_HEAD -> "--rebuild-head";
            case DROP_CHECKPOINT -> "--drop-checkpoint";
        };
    }

    private static String textOf(Choice chosen) {
        if (chosen.cut != null) {
            return "--cut " + chosen.cut;
        }
        if (chosen.pad != null) {
            return "--pad " + chosen.pad;
        }
        if (chosen.replaceLedger != null) {
            return "--replace-ledger " + chosen.replaceLedger;
        }
        if (chosen.rebuildHead) {
            return "--rebuild-head";
        }
        return chosen.dropCheckpoint ? "--drop-checkpoint" : "no option";
    }
}
