package io.plog.report.study;

import java.util.Arrays;
import java.util.Random;

/**
 * A small model of a server with a disk: requests arrive, are forced alone or in groups by one disk, and are answered. Numbers that
 * behave like a study's without measuring one.
 */
final class QueueModel {
    /** Sizes with equal shares. */
    static final int[] SIZES = {200, 1000, 8000, 60_000};

    private final int mostPerForce;
    private final double perRecordMicros;
    private final Random random;

    /**
     * @param mostPerForce how many waiting requests one force takes
     * @param perRecordMicros what the server does for each besides
     */
    QueueModel(int mostPerForce, double perRecordMicros, long seed) {
        this.mostPerForce = mostPerForce;
        this.perRecordMicros = perRecordMicros;
        this.random = new Random(seed);
    }

    /** What happened to each request, in microseconds, and how many each force took. */
    @SuppressWarnings("ArrayRecordComponent") // test data
    record Run(double[] latency, double[] waiting, double[] force, long[] sizes, int[] batches, double seconds) {
        double mean(double[] values) {
            return Arrays.stream(values).average().orElse(0);
        }
    }

    static QueueModel of(String design, long seed) {
        return switch (DesignLabel.of(design).kind()) {
            case DEDICATED -> new QueueModel(256, 6, seed);
            case INLINE -> new QueueModel(6, 6 + DesignLabel.of(design).loops(), seed);
            case THREADS -> new QueueModel(1, 14, seed);
            default -> new QueueModel(256, 22, seed);
        };
    }

    /** Requests per second with so many connections that always ask again. */
    double capacity(int connections, int requests) {
        double micros = 0;
        int done = 0;
        while (done < requests) {
            int batch = Math.min(mostPerForce, connections);
            long bytes = 0;
            for (int i = 0; i < batch; i++) {
                bytes += SIZES[random.nextInt(SIZES.length)];
            }
            micros += forceMicros(bytes) + batch * perRecordMicros;
            done += batch;
        }
        return done / (micros / 1e6);
    }

    /** So many requests at random moments. */
    Run run(double perSecond, int requests, double loggedShare) {
        double[] at = new double[requests];
        long[] sizes = new long[requests];
        double now = 0;
        for (int i = 0; i < requests; i++) {
            now += -Math.log(1 - random.nextDouble()) * 1e6 / perSecond;
            at[i] = now;
            sizes[i] = SIZES[random.nextInt(SIZES.length)];
        }
        double[] latency = new double[requests];
        double[] waiting = new double[requests];
        double[] force = new double[requests];
        int[] batches = new int[requests];
        int forces = 0;
        double free = 0;
        int next = 0;
        while (next < requests) {
            double begin = Math.max(free, at[next]);
            int end = next;
            long bytes = 0;
            boolean logged = false;
            while (end < requests && end - next < mostPerForce && at[end] <= begin) {
                boolean one = random.nextDouble() < loggedShare;
                bytes += one ? sizes[end] : 0;
                logged |= one;
                end++;
            }
            double took = logged ? forceMicros(bytes) : 0;
            free = begin + took + (end - next) * perRecordMicros;
            for (int i = next; i < end; i++) {
                waiting[i] = begin - at[i];
                force[i] = took;
                latency[i] = free - at[i] + networkMicros(sizes[i]);
            }
            batches[forces++] = end - next;
            next = end;
        }
        return new Run(latency, waiting, force, sizes, Arrays.copyOf(batches, forces), now / 1e6);
    }

    private double forceMicros(long bytes) {
        double slow = random.nextDouble() < 0.01 ? 12 : 1;
        return 220 * slow * Math.exp(0.25 * random.nextGaussian()) + bytes / 400.0;
    }

    private double networkMicros(long bytes) {
        return 70 * Math.exp(0.3 * random.nextGaussian()) + bytes / 900.0;
    }
}
