package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.Scripts.Script;
import io.plog.log.storage.Force;
import io.plog.log.testing.Parallel;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promise at every crash point of short scripts: both sector sizes, all ways of forcing, several choices of what
 * survives, and the death of the process alone; then at every crash point of the recovery that follows; and after that the
 * log goes on, crashes and recovers once more.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CrashPointTest {
    private static final Force[] STABLE = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
    private static final int MOST_OPERATIONS = 58;
    private static final int NESTED_SURVIVORS = Integer.getInteger("plog.crash.nested", 1);

    private static Stream<String> names() {
        return Scripts.all().stream().map(Script::name);
    }

    private static Script script(String name) {
        return Scripts.all().stream()
                .filter(script -> script.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCrashPointOfAShortScriptKeepsThePromise(String name) throws Exception {
        List<Script> all = Scripts.all();
        int number = all.indexOf(
                all.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow());
        // Crashes during recovery for one way of forcing and one sector size each, in turn.
        exploreAll(name, CaseStep.get(), 2, exploration -> exploration == number % 8 ? NESTED_SURVIVORS : 0);
    }

    /** All of it; {@code -Dplog.crash.survivors} choices of what survives each crash, 6 unless said. */
    @ParameterizedTest
    @MethodSource("names")
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void everyCrashPointOfAShortScriptAndOfItsRecoveryKeepsThePromise(String name) throws Exception {
        int survivors = Integer.getInteger("plog.crash.survivors", 6);
        exploreAll(name, 1, survivors, exploration -> survivors / 2);
    }

    /** Every way of forcing with both sector sizes, on as many threads as there are processors. */
    private static void exploreAll(String name, int step, int survivors, IntUnaryOperator nestedSurvivors) {
        Parallel.forEach(2L * STABLE.length, i -> {
            int sectorBytes = i % 2 == 0 ? 512 : 4096;
            int nested = nestedSurvivors.applyAsInt((int) i);
            new Exploration(script(name), STABLE[(int) i / 2], sectorBytes, survivors, nested).run(step);
        });
    }

    /** One script, one way of forcing, one sector size: all crash points. */
    private static final class Exploration {
        private final Script script;
        private final Force force;
        private final int sectorBytes;
        private final int survivors;
        private final int nestedSurvivors;
        private long recoveries;

        Exploration(Script script, Force force, int sectorBytes, int survivors, int nestedSurvivors) {
            this.script = script;
            this.force = force;
            this.sectorBytes = sectorBytes;
            this.survivors = survivors;
            this.nestedSurvivors = nestedSurvivors;
        }

        void run(int step) throws IOException {
            int operation = 1 + (step == 1 ? 0 : CaseStep.first());
            while (crashAt(operation)) {
                operation += step;
            }
            assertThat(operation).as("operations of %s", script.name()).isBetween(4, MOST_OPERATIONS + step);
            System.out.println(script.name() + ", " + force.label() + ", sectors of " + sectorBytes + ": "
                    + (operation / step) + " crash points, " + recoveries + " recoveries");
        }

        /** Returns whether there was such an operation. */
        private boolean crashAt(int operation) throws IOException {
            boolean crashed = false;
            for (int seed = 0; seed < survivors; seed++) {
                ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes, seed).inNewDirectory(), seed);
                script.before().run(log, force);
                log.disk().faults().crashAtOperation(operation);
                runToTheCrash(log);
                crashed = log.disk().hasCrashed();
                log.endProcess();
                String where = script.name() + ", " + force.label() + ", sectors of " + sectorBytes
                        + ", crash at operation " + operation + ", seed " + seed;
                int nested = seed < nestedSurvivors ? nestedSurvivors : 0;
                recover(log.afterPowerLoss(seed), nested, where + ", power lost");
                recover(log.afterKill(seed), nested, where + ", killed");
            }
            return crashed;
        }

        private void runToTheCrash(ModelledLog log) throws IOException {
            try {
                script.part().run(log, force);
            } catch (IOException e) {
                if (!log.disk().hasCrashed()) {
                    throw e;
                }
            }
        }

        /** @param nested for how many choices of what survives each crash point of the recovery is tried, too */
        private void recover(ModelledLog log, int nested, String where) {
            try {
                boolean crashed = nested > 0;
                for (int operation = 1; crashed; operation++) {
                    for (int seed = 0; seed < nested; seed++) {
                        ModelledLog again = log.copy(seed);
                        again.disk().faults().crashAtOperation(operation);
                        crashed = !opens(again);
                        again.endProcess();
                        if (crashed) {
                            goOn(seed % 2 == 0 ? again.afterPowerLoss(seed) : again.afterKill(seed));
                        }
                    }
                }
                goOn(log);
            } catch (IOException | AssertionError e) {
                throw new AssertionError(where + ": " + e, e);
            }
        }

        private boolean opens(ModelledLog log) throws IOException {
            recoveries++;
            try {
                log.open(Opening.of(force));
                return !log.disk().hasCrashed();
            } catch (IOException e) {
                if (!log.disk().hasCrashed()) {
                    throw e;
                }
                return false;
            }
        }

        /** The log recovers, goes on, crashes and recovers once more. */
        private void goOn(ModelledLog log) throws IOException {
            log.open(Opening.of(force));
            log.append(10, 200);
            log.endProcess();
            ModelledLog after = log.afterPowerLoss(recoveries);
            after.open(Opening.of(force));
            after.close();
            recoveries += 2;
        }
    }
}
