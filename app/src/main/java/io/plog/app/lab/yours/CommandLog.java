package io.plog.app.lab.yours;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A log in another language: a program that reads and writes the lines that lab 10 describes. One process lives all lives, each of which
 * begins with {@code recover}. Callers may come at the same time: one of them reads what the program says, for all.
 */
final class CommandLog implements YourLog, Function<Storage, YourLog> {
    private static final int MOST_CHARACTERS = 1 << 24; // of a line

    private final StudentProgram program;
    private final Map<Long, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final Object reading = new Object();
    private long asked; // guarded by the writer
    private volatile Storage disk;

    /** Starts it. */
    CommandLog(String command, Storage none) throws IOException {
        program = new StudentProgram(command);
        disk = none;
    }

    @Override
    public YourLog apply(Storage next) {
        disk = next;
        return this;
    }

    @Override
    public Recovered recover() throws IOException {
        String[] words = ask("recover");
        return new Recovered(Long.parseLong(words[0]), bytes(words[1]), Long.parseLong(words[2]));
    }

    @Override
    public long append(byte[] record) throws IOException {
        return Long.parseLong(ask("append " + text(record))[0]);
    }

    @Override
    public byte[] read(long index) throws IOException {
        return bytes(ask("read " + index)[0]);
    }

    @Override
    public void checkpoint(long index, byte[] state) throws IOException {
        var unused = ask("checkpoint " + index + " " + text(state));
    }

    private String[] ask(String request) throws IOException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        synchronized (program) {
            answers.put(++asked, answer);
            say(asked + " " + request);
        }
        synchronized (reading) {
            while (!answer.isDone()) {
                take(program.line(MOST_CHARACTERS));
            }
        }
        String[] parts = answer.join().split(" ", 2);
        String rest = parts.length > 1 ? parts[1] : "";
        return switch (parts[0]) {
            case "ok" -> (rest + "   ").split(" ", -1);
            case "failed" -> throw new IOException(rest);
            default ->
                throw new IllegalStateException(
                        "found the answer " + StudentProgram.shown(answer.join()) + ", expected ok or failed");
        };
    }

    private void say(String line) {
        try {
            program.say(line);
        } catch (IOException e) {
            throw new UncheckedIOException("the program does not read any more", e);
        }
    }

    /** What the program says: a call of its disk, or the answer of a request. */
    private void take(@Nullable String line) {
        if (line == null) {
            throw new IllegalStateException("the program has ended");
        }
        String[] words = line.split(" ", 2);
        if (words[0].equals("disk")) {
            say(onDisk(line.split(" ", -1)));
            return;
        }
        CompletableFuture<String> asker = words[0].matches("\\d{1,18}") ? answers.remove(Long.valueOf(words[0])) : null;
        if (asker == null) {
            throw new IllegalStateException(
                    "found the line " + StudentProgram.shown(line) + ", expected an answer or a call of the disk");
        }
        asker.complete(words.length > 1 ? words[1] : "");
    }

    private String onDisk(String[] words) {
        try {
            String name = words.length > 2 ? words[2] : "";
            switch (words[1]) {
                case "list" -> {
                    return "ok " + String.join(" ", disk.list());
                }
                case "create" -> disk.create(name).close();
                case "rename" -> disk.rename(name, words[3]);
                case "delete" -> disk.delete(name);
                case "force-directory" -> disk.forceDirectory();
                default -> {
                    try (FileHandle file = disk.open(name, Storage.Access.WRITE)) {
                        return "ok " + onFile(file, words);
                    }
                }
            }
            return "ok";
        } catch (IOException | RuntimeException e) { // whatever a program asks, it gets an answer
            return "failed " + e;
        }
    }

    private static String onFile(FileHandle file, String[] words) throws IOException {
        return switch (words[1]) {
            case "size" -> "" + file.size();
            case "force" -> {
                file.force(false);
                yield "";
            }
            case "write" -> {
                ByteBuffer[] source = {ByteBuffer.wrap(bytes(words[4]))};
                yield "" + file.write(source, 0, 1, Long.parseLong(words[3]));
            }
            case "read" -> {
                ByteBuffer target = ByteBuffer.allocate((int) Math.min(file.size(), Long.parseLong(words[4])));
                int count = Math.max(0, file.read(target, Long.parseLong(words[3])));
                yield text(Arrays.copyOf(target.array(), count));
            }
            default ->
                throw new IllegalStateException(
                        "found the call " + List.of(words) + " of the disk, which has none such");
        };
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(String text) {
        return Base64.getDecoder().decode(text);
    }
}
