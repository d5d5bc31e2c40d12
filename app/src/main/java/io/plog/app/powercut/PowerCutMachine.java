package io.plog.app.powercut;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plog.app.audit.AuditCommand;
import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import io.plog.app.cli.LogOption;
import io.plog.app.cli.ResultsDirectory;
import io.plog.log.storage.LogDamagedException;
import io.plog.measure.plan.JsonLabelled;
import io.plog.protocol.TargetDescription;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The machine under test: a server with two logs, of which the second, the control, is never forced and new in each round; and what is
 * left of them after a cut. All of it lies in one directory:
 *
 * <pre>
 * a/                  the log
 * round-N/a/          a copy of it as the cut of round N left it
 * round-N/control/    the round's control
 * round-N/ledger      what the other machine noted in round N
 * round-N/*.txt       what the audits said of log and control before recovery, and of the log after it
 * round-N/verdict     one line; the round is over once it is there
 * </pre>
 *
 * <p>For one thread.
 */
final class PowerCutMachine {
    private static final String LOG = "a";
    private static final String CONTROL = "control-";
    private static final String SETTINGS = ",segment=16MiB";
    private static final String VERDICT = "verdict";

    private final DirectoryArgument place;
    private final Consumer<String> say;

    /**
     * @param place its directory
     * @param say gets a sentence for each step
     */
    PowerCutMachine(DirectoryArgument place, Consumer<String> say) {
        this.place = place;
        this.say = say;
    }

    /**
     * How a round ended; its line of JSON is the file {@code verdict}.
     *
     * @param reached whether the control lost something, so that the cut reached the disk's cache
     */
    record Verdict(Outcome log, boolean reached) {
        private String text() {
            return log.words + ", "
                    + (reached
                            ? "and the control lost something: the cut reached the cache"
                            : "but the control lost nothing: the cut did not reach the cache, and shows nothing of it");
        }
    }

    /** Of the log. */
    enum Outcome implements JsonLabelled {
        /** Everything acknowledged was there, before and after recovery. */
        HOLDS("holds"),
        LOST("does not hold"),
        /** The round's ledger has no request to the log, so that nothing could be lost. */
        UNTESTED("not tested: its ledger has no request to the log");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }
    }

    /** The round that a server with these targets is in. */
    static int round(List<TargetDescription> targets) throws IOException {
        for (TargetDescription target : targets) {
            if (targets.size() == 2 && target.name().matches(CONTROL + "[0-9]{1,6}")) {
                return Integer.parseInt(target.name().substring(CONTROL.length()));
            }
        }
        throw new IOException("the server is not one of plog powercut: it has the targets "
                + targets.stream().map(TargetDescription::name).toList());
    }

    private Path folder(int round) {
        return place.directory().resolve("round-" + round);
    }

    /** The last round that was begun; 0 if none was. */
    int lastRound() {
        int round = 0;
        while (Files.exists(folder(round + 1))) {
            round++;
        }
        return round;
    }

    Path ledger(int round) {
        return folder(round).resolve("ledger");
    }

    boolean isOver(int round) {
        return round == 0 || Files.exists(folder(round).resolve(VERDICT));
    }

    /** The verdicts of all rounds that are over. */
    List<Verdict> verdicts() throws IOException {
        List<Verdict> all = new ArrayList<>();
        for (int round = 1; Files.exists(folder(round).resolve(VERDICT)); round++) {
            Path file = folder(round).resolve(VERDICT);
            try {
                all.add(JsonText.read(Files.readString(file), Verdict.class));
            } catch (JsonProcessingException e) {
                throw new IOException(
                        file + ": is no verdict as this plog writes it; remove it to judge the round again", e);
            }
        }
        return all;
    }

    /** Starts the server of a new round, which is not begun if that fails. */
    ChildProcess begin(int round, String address, int port, List<String> options)
            throws IOException, InterruptedException {
        Files.createDirectories(folder(round));
        ChildProcess server = server(round, address, port, options);
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            ResultsDirectory.delete(folder(round));
            throw e;
        }
    }

    private ChildProcess server(int round, String address, int port, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--log", LogOption.of(LOG, log()) + SETTINGS));
        all.addAll(List.of("--log", LogOption.of(CONTROL + round, control(round)) + SETTINGS + ",force=write"));
        return ChildProcess.server(place.directory(), "server", List.of(), address, port, all);
    }

    DirectoryArgument log() throws IOException {
        return place.in(Files.createDirectories(place.directory().resolve(LOG)));
    }

    DirectoryArgument control(int round) throws IOException {
        return place.in(Files.createDirectories(folder(round).resolve("control")));
    }

    /** Copies the log as the cut left it, before anything opens it. */
    void keep(int round) throws IOException {
        Path copy = folder(round).resolve(LOG);
        if (Files.exists(copy)) {
            return;
        }
        Path unfinished = Files.createDirectories(folder(round).resolve(LOG + ".copying"));
        try (Stream<Path> files = Files.list(log().directory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.deleteIfExists(unfinished.resolve(file.getFileName()));
                Files.copy(file, unfinished.resolve(file.getFileName()));
            }
        }
        Files.move(unfinished, copy);
        say.accept("round " + round + ": what the cut left of the log is kept in " + copy);
    }

    /** Audits what is left, lets a server recover it, audits again, and notes the verdict. */
    Verdict judge(int round) throws IOException, InterruptedException {
        List<Path> ledgers = new ArrayList<>();
        for (int each = 1; each <= round; each++) {
            ledgers.add(ledger(each));
        }
        Path said = folder(round);
        boolean tested = AuditCommand.names(ledger(round), 0);
        boolean holds = audit(ledgers, 0, log(), said.resolve("before-recovery.txt"));
        boolean reached = !audit(List.of(ledger(round)), 1, control(round), said.resolve("control.txt"));
        if (holds) {
            // The control may be damaged; it opens no more.
            ChildProcess recovered =
                    ChildProcess.server(place.directory(), 0, List.of("--log", LogOption.of(LOG, log()) + SETTINGS));
            recovered.stop();
            holds = audit(ledgers, 0, log(), said.resolve("after-recovery.txt"));
        }
        Verdict verdict = new Verdict(!holds ? Outcome.LOST : tested ? Outcome.HOLDS : Outcome.UNTESTED, reached);
        Path written = folder(round).resolve(VERDICT + ".new");
        Files.writeString(written, JsonText.line(verdict) + "\n");
        Files.move(written, folder(round).resolve(VERDICT));
        say.accept("round " + round + ": " + verdict.text());
        return verdict;
    }

    private boolean audit(List<Path> ledgers, int target, DirectoryArgument log, Path said) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(said))) {
            try {
                LogArgument where = new LogArgument(List.of(log.directory()), null);
                return AuditCommand.holds(ledgers, target, where, out, say);
            } catch (LogDamagedException e) {
                out.println(e.getMessage());
                return false;
            } catch (IllegalArgumentException e) {
                out.println("nothing was acknowledged: " + e.getMessage());
                return true;
            }
        }
    }
}
