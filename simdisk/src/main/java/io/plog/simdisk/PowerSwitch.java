package io.plog.simdisk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Lets another process cut the power of a {@link ModelledDisk}: by a file in its directory, which the disk takes away. */
public final class PowerSwitch implements Closeable {
    static final String REQUEST = "power-cut";

    private static final long LOOK_NANOS = 50_000_000;

    private final Path request;
    private final ModelledDisk disk;
    private final Thread thread;
    private volatile boolean closed;

    private PowerSwitch(Path directory, ModelledDisk disk) {
        this.request = directory.resolve(REQUEST);
        this.disk = disk;
        thread = new Thread(this::look, "plog-simdisk-power");
        thread.setDaemon(true);
    }

    static PowerSwitch watch(Path directory, ModelledDisk disk) throws IOException {
        PowerSwitch power = new PowerSwitch(directory, disk);
        Files.deleteIfExists(power.request);
        power.thread.start();
        return power;
    }

    private void look() {
        while (!closed && !disk.hasLostPower()) {
            try {
                if (Files.exists(request)) {
                    String[] words =
                            Files.readString(request, StandardCharsets.US_ASCII).split(" ", -1);
                    disk.cut(ModelledDisk.Survivors.valueOf(words[0]), Long.parseLong(words[1]));
                    Files.delete(request);
                }
            } catch (IOException e) {
                closed = true; // the directory is gone
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /**
     * Cuts the power of the disk in a directory that a process uses.
     *
     * @param atMost how long to wait for that process
     * @return whether there was one: if not, everything is stable already
     * @throws IOException if the directory is not a simulated disk's, or cannot be written; in one sentence
     */
    public static boolean cut(Path directory, ModelledDisk.Survivors survivors, long seed, Duration atMost)
            throws IOException {
        if (ModelledDisk.modelOf(directory).isEmpty()) {
            throw new IOException(directory + " is not the directory of a simulated disk, so its power is not cut:"
                    + " expected one that was opened as sim:MODEL@" + directory);
        }
        Path request = directory.resolve(REQUEST);
        Path written = directory.resolve(REQUEST + ".new");
        Files.writeString(written, survivors.name().toUpperCase(Locale.ROOT) + " " + seed, StandardCharsets.US_ASCII);
        Files.move(written, request, StandardCopyOption.ATOMIC_MOVE);
        long deadline = System.nanoTime() + atMost.toNanos();
        while (Files.exists(request)) {
            if (System.nanoTime() > deadline) {
                return !Files.deleteIfExists(request);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
