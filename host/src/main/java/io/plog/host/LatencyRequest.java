package io.plog.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's promise that no processor of this machine takes longer than so many microseconds to wake up (PM QoS): it holds as long
 * as the file is open, and so ends with this process at the latest. With 0 a processor with nothing to do polls. That counts as
 * idle, takes nothing from anybody, and is left without an interrupt. It takes the rights of root.
 */
final class LatencyRequest implements Closeable {
    static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

    /** Only where the first state of an idle processor is to poll does the promise keep it awake. */
    static final Path FIRST_STATE = Path.of("/sys/devices/system/cpu/cpu0/cpuidle/state0/name");

    private static final String POLLS = "POLL";

    /** A number of 32 bits. */
    private static final byte[] NO_MICROS = new byte[4];

    private final RandomAccessFile open;

    private LatencyRequest(RandomAccessFile open) {
        this.open = open;
    }

    /** Whether this process may ask for it, and would get what it needs. */
    static boolean isPossible(Path device, Path firstState) {
        return Files.isWritable(device) && LinuxFiles.fact(firstState).equals(POLLS);
    }

    /**
     * Asks for it.
     *
     * @throws IOException if it is refused
     */
    static LatencyRequest take(Path device) throws IOException {
        RandomAccessFile open = new RandomAccessFile(device.toFile(), "rw");
        try {
            open.write(NO_MICROS); // in one call: the kernel takes nothing shorter
            return new LatencyRequest(open);
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        open.close();
    }
}
