package io.plog.e2e.matrix;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.Plog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** When to kill a server that was just started. Waiting for a moment ends early if the server ends. */
enum KillMoment {
    /** Some time after the process began, ready or not. */
    START {
        @Override
        void await(Server server, SplittableRandom random) throws InterruptedException {
            pause(random.nextInt(START_MICROS));
        }
    },
    /** While it recovers or replays: right after it took a log's lock. */
    RECOVERY {
        @Override
        void await(Server server, SplittableRandom random) throws IOException, InterruptedException {
            Path lock = server.logs.get(random.nextInt(server.logs.size())).resolve("log.lock");
            String before = server.lockBefore(lock);
            while (server.process.isAlive() && text(lock).equals(before)) {
                pause(200);
            }
            pause(random.nextInt(20_000));
        }
    },
    /** Under load, after some acknowledgements. */
    LOAD {
        @Override
        void await(Server server, SplittableRandom random) throws InterruptedException {
            server.awaitAcknowledged(random.nextInt(server.loadRequests()));
        }
    },
    /** While the next segment is made. */
    SEGMENT {
        @Override
        void await(Server server, SplittableRandom random) throws IOException, InterruptedException {
            server.awaitAcknowledged(random.nextInt(server.loadRequests()));
            server.awaitFile(".seg.", ".tmp", false);
            pause(random.nextInt(2_000));
        }
    },
    /** While a checkpoint is written, or the prefix before it dropped. */
    CHECKPOINT {
        @Override
        void await(Server server, SplittableRandom random) throws IOException, InterruptedException {
            server.awaitAcknowledged(random.nextInt(server.loadRequests()));
            server.awaitFile(random.nextBoolean() ? "log.checkpoint" : "log.head", ".tmp", true);
            pause(random.nextInt(2_000));
        }
    };

    private static final int START_MICROS = 1_500_000;

    abstract void await(Server server, SplittableRandom random) throws IOException, InterruptedException;

    private static void pause(int micros) throws InterruptedException {
        Thread.sleep(micros / 1_000, micros % 1_000 * 1_000);
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    /**
     * A server that is about to be killed.
     *
     * @param logs its targets' directories; the last two take checkpoints
     * @param locks what their lock files held before it was started
     * @param acknowledged counts what was acknowledged so far
     * @param loadRequests about how many acknowledgements to wait for at most
     */
    record Server(Plog process, List<Path> logs, List<String> locks, IntSupplier acknowledged, int loadRequests) {
        static List<String> locks(List<Path> logs) throws IOException {
            List<String> locks = new java.util.ArrayList<>();
            for (Path log : logs) {
                locks.add(text(log.resolve("log.lock")));
            }
            return locks;
        }

        private String lockBefore(Path lock) {
            return locks.get(logs.indexOf(lock.getParent()));
        }

        private void awaitAcknowledged(int more) throws InterruptedException {
            int wanted = acknowledged.getAsInt() + 1 + more;
            while (process.isAlive() && acknowledged.getAsInt() < wanted) {
                pause(500);
            }
        }

        /** Waits until a file whose name has this part and this end appears in one of the directories. */
        private void awaitFile(String part, String end, boolean checkpoints) throws IOException {
            List<Path> watched = checkpoints ? logs.subList(logs.size() - 2, logs.size()) : logs;
            while (process.isAlive()) {
                for (Path log : watched) {
                    if (Directories.names(log).stream().anyMatch(name -> name.contains(part) && name.endsWith(end))) {
                        return;
                    }
                }
            }
        }
    }
}
