package io.plog.app.lab.yours;

import io.plog.app.cli.ResultsDirectory;
import io.plog.log.LogTools;
import io.plog.log.LogTools.Inspection;
import io.plog.log.LogTools.Segment;
import io.plog.log.storage.LogDamagedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Gives a program the directories of logs, one a line, and holds the line that it answers against what plog's own recovery finds. A log is
 * what a history of lab 10 leaves of plog's own; with {@code hits}, one place of it is damaged then. With {@code torn}, {@code stale} (whole
 * records of an earlier use stand behind the end), {@code damaged} and {@code spared} it has to be that.
 */
final class RecoveryTrial implements ProgramCommand.Trial {
    private static final int PATIENCE_SECONDS = 10;
    private static final int MOST_CHARACTERS = 10_000; // of an answer
    private static final int MOST_HITS = 20; // of one log, until one is as wanted
    private static final int BLOCK_BYTES = 4096;
    private static final int SECTOR_BYTES = 512;
    private static final int HEADER_BYTES = 64; // at the beginning of each file

    private final String command;
    private final Path folder;
    private @Nullable StudentProgram program;
    private int logs;

    RecoveryTrial(String command, Path folder) {
        this.command = command;
        this.folder = folder;
    }

    /**
     * A log.
     *
     * @param whole what it was before it was damaged
     * @param hit which file was damaged, at which offset; empty if none
     */
    private record Left(SimulatedDisk disk, Inspection whole, Inspection found, String hit, long offset) {
        Segment last() {
            List<Segment> segments = used(found);
            return segments.get(segments.size() - 1);
        }

        boolean isTorn() {
            return !found.cleanlyClosed() && last().tornBytes() > 0;
        }

        /** Of damage in the last group no log can know that it is none of a torn write (docs/log-format.md): it is not asked for. */
        boolean is(Set<String> wanted) throws IOException {
            boolean damaged = found.damage().isPresent();
            return !found.logId().isEmpty()
                    && (damaged || found.lastIndex() == whole.lastIndex())
                    && (damaged || !wanted.contains("damaged"))
                    && (!damaged || !wanted.contains("spared"))
                    && (!wanted.contains("torn") || isTorn())
                    && (!wanted.contains("stale") || hasLeftovers());
        }

        private boolean hasLeftovers() throws IOException {
            ByteBuffer behind = ByteBuffer.wrap(disk.bytes(last().file()));
            behind.position((int) Math.min(behind.limit(), last().usedBytes() + BLOCK_BYTES));
            return last().tornBytes() == 0 && !behind.equals(ByteBuffer.allocate(behind.remaining()));
        }
    }

    private static List<Segment> used(Inspection log) {
        return log.segments().stream()
                .filter(segment -> !segment.state().equals("prepared"))
                .toList();
    }

    private static Left left(Set<String> may, SplittableRandom random) throws IOException {
        while (true) {
            SimulatedDisk disk;
            try {
                List<Step> steps = Step.history(random, may);
                steps.addAll(lastLife(may, random));
                disk = new LogTrial(PlogLog::new, may).left(steps);
            } catch (LogTrial.Broken e) {
                throw new IllegalStateException("plog's own log does not keep its promises", e);
            }
            Inspection whole = LogTools.inspect(disk);
            boolean hits = may.contains("hits") && !whole.logId().isEmpty();
            for (int left = hits ? MOST_HITS : 1; left > 0; left--) {
                Left made = hits ? hit(disk.copy(), whole, random) : new Left(disk, whole, whole, "", 0);
                if (made.is(may)) {
                    return made;
                }
            }
        }
    }

    /** One in which files of dropped segments are used again, or the power goes in the middle of a group. */
    private static List<Step> lastLife(Set<String> may, SplittableRandom random) {
        List<Step> steps = new ArrayList<>();
        if (may.contains("stale")) {
            for (int round = 0; round < 4; round++) {
                steps.addAll(Collections.nCopies(8 + random.nextInt(16), Step.append(1, 3000)));
                steps.add(Step.of(Step.Kind.CHECKPOINT, 1));
            }
            steps.add(Step.of(random.nextBoolean() ? Step.Kind.KILL : Step.Kind.CLOSE, 1));
        }
        if (may.contains("torn")) {
            steps.add(Step.of(Step.Kind.CRASH, 1 + random.nextInt(40)));
            steps.addAll(Collections.nCopies(10, Step.append(1 + random.nextInt(4), 8 + random.nextInt(3000))));
            steps.add(new Step(Step.Kind.CUT, 1, 0, random.nextLong()));
        }
        return steps;
    }

    /** Damages a bit, a sector or a file that is in use. */
    private static Left hit(SimulatedDisk disk, Inspection whole, SplittableRandom random) throws IOException {
        List<Segment> used = used(whole);
        Segment segment = used.get(random.nextInt(used.size()));
        int kind = random.nextInt(10);
        String file =
                kind == 0 ? "log.head" : kind == 1 && whole.checkpointIndex() > 0 ? "log.checkpoint" : segment.file();
        boolean inRecords = kind > 1 && segment.usedBytes() > BLOCK_BYTES && random.nextInt(6) > 0;
        long offset = inRecords ? random.nextLong(BLOCK_BYTES, segment.usedBytes()) : random.nextLong(HEADER_BYTES);
        if (inRecords && random.nextBoolean()) { // in the header of that record
            byte[] bytes = disk.bytes(file);
            int at = (int) (offset & -Long.BYTES);
            while (at > BLOCK_BYTES && !Arrays.equals(bytes, at + 28, at + 32, bytes, 40, 44)) { // salt and epoch
                at -= Long.BYTES;
            }
            offset = (long) at + random.nextInt(32);
        }
        if (kind == 2) {
            disk.damage().delete(file);
        } else if (kind < 6) {
            disk.damage().zero(file, offset / SECTOR_BYTES * SECTOR_BYTES, SECTOR_BYTES);
        } else {
            disk.damage().flipBit(file, offset * Byte.SIZE + random.nextInt(Byte.SIZE));
        }
        return new Left(disk, whole, LogTools.inspect(disk), file, offset);
    }

    @Override
    public String history(Set<String> may, SplittableRandom random) throws IOException, InterruptedException {
        Left left = left(may, random);
        Path directory = Files.createDirectory(folder.resolve("log-" + ++logs));
        for (String name : left.disk.files()) {
            Files.write(directory.resolve(name), left.disk.bytes(name));
        }
        StudentProgram running = program == null ? new StudentProgram(command) : program;
        program = running;
        String answer = answer(running, directory);
        String wrong = answer != null
                ? wrong(left, answer)
                : "there is no answer: "
                        + (running.ends(1)
                                ? "the program has ended"
                                : "the program did nothing for " + PATIENCE_SECONDS + " s");
        if (wrong.isEmpty()) {
            ResultsDirectory.delete(directory);
            return "";
        }
        close(); // the next promise gets a new one
        return directory + ": " + wrong;
    }

    /** What the program says; null if it says nothing. */
    private static @Nullable String answer(StudentProgram program, Path directory) throws InterruptedException {
        FutureTask<@Nullable String> answer = new FutureTask<>(() -> {
            program.say(directory.toString());
            return program.line(MOST_CHARACTERS);
        });
        LogTrial.CALLERS.execute(answer);
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null;
        }
    }

    /** What is wrong with an answer, the rest of a sentence; empty if nothing is. */
    private static String wrong(Left left, String answer) throws IOException {
        String[] words = answer.strip().split("\\s+");
        LogDamagedException damage = left.found.damage().orElse(null);
        if (damage == null) {
            String expected = expected(left);
            return String.join(" ", words).equals(expected)
                    ? ""
                    : "it says " + StudentProgram.shown(answer) + ", expected '" + expected
                            + "': the records end at offset "
                            + left.last().usedBytes() + " of " + left.last().file() + ", where there is "
                            + left.last().stopReason();
        }
        boolean named = words.length == 3 && words[0].equals("damaged") && words[2].matches("\\d{1,18}");
        long block = named ? Long.parseLong(words[2]) / BLOCK_BYTES : -1;
        boolean near = named
                && ((words[1].equals(damage.file()) && block == damage.offset() / BLOCK_BYTES)
                        || (words[1].equals(left.hit) && block == left.offset / BLOCK_BYTES));
        return near
                ? ""
                : "it says " + StudentProgram.shown(answer) + ", expected 'damaged " + damage.file() + " "
                        + damage.offset() + "': there is " + damage.found() + " in place of " + damage.expected();
    }

    private static String expected(Left left) throws IOException {
        try (PlogLog log = new PlogLog(left.disk.copy())) {
            YourLog.Recovered recovered = log.recover();
            int state = recovered.checkpoint() == 0 ? 0 : crc(recovered.state());
            for (long index = recovered.checkpoint() + 1; index <= recovered.last(); index++) {
                state = crc(ByteBuffer.allocate(Integer.BYTES).putInt(state).array(), log.read(index));
            }
            String end = left.found.cleanlyClosed() ? "closed" : left.isTorn() ? "torn" : "open";
            return String.format("%s %d %08x", end, recovered.last(), state);
        }
    }

    private static int crc(byte[]... parts) {
        CRC32C crc = new CRC32C();
        for (byte[] part : parts) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }

    @Override
    public void close() {
        if (program != null) {
            program.kill();
        }
        program = null;
    }
}
