package io.plog.measure;

import io.plog.client.ClientOptions;
import io.plog.host.events.CompilerThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Whether the just-in-time compilers of client and server rest: a warm-up goes on until they do. For one thread. */
public final class CompilerRest {
    /** How long compilers that do not rest are left alone before they are looked at again. */
    public static final long PAUSE_NANOS = 250_000_000;

    /** How often in a row: on a busy machine they may not get to rest. */
    public static final int MOST_PAUSES = 8;

    /** Compilers that worked for less than this share of the time rest. */
    static final double REST_SHARE = 0.05;

    private final LongSupplier clock;
    private final Supplier<List<Long>> compilerNanos;
    private long lookedNanos;
    private List<Long> looked;

    /**
     * Looks for the first time.
     *
     * @param clock in nanoseconds
     * @param compilerNanos how long the compilers of each side have worked so far, in nanoseconds
     */
    CompilerRest(LongSupplier clock, Supplier<List<Long>> compilerNanos) {
        this.clock = clock;
        this.compilerNanos = compilerNanos;
        lookedNanos = clock.getAsLong();
        looked = compilerNanos.get();
    }

    /**
     * Of this process and a server on loopback.
     *
     * @param adminPort the server's
     */
    public static CompilerRest with(int adminPort) {
        CompilerThreads own = CompilerThreads.ofThisProcess();
        AdminClient server = new AdminClient(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort), ClientOptions.defaults());
        return new CompilerRest(
                System::nanoTime,
                () -> Stream.of(own.nanos(), atServer(server))
                        .filter(nanos -> nanos >= 0)
                        .toList());
    }

    private static long atServer(AdminClient server) {
        try {
            return server.events(Long.MAX_VALUE).counters().compilerNanos();
        } catch (IOException theLoadsReportIt) {
            return -1;
        }
    }

    long lookedNanos() {
        return lookedNanos;
    }

    /** Whether the compilers of both sides had next to nothing to do since this was last asked. */
    public boolean rested() {
        long now = clock.getAsLong();
        List<Long> compilers = compilerNanos.get();
        double most = REST_SHARE * (now - lookedNanos);
        boolean rested = compilers.size() == looked.size();
        for (int side = 0; rested && side < compilers.size(); side++) {
            rested = compilers.get(side) - looked.get(side) <= most;
        }
        lookedNanos = now;
        looked = compilers;
        return rested;
    }
}
