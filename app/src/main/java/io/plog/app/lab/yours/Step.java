package io.plog.app.lab.yours;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A step of a history. A life begins with its first step that is no fault, so a fault before that one may hit the recovery.
 *
 * @param number how many callers append; which operation of its kind fails; how many bytes are left, or written at most
 * @param bytes of each record
 * @param chance decides what survives a power cut
 */
record Step(Kind kind, int number, int bytes, long chance) {
    /** What may happen: acts, the ends of a life, and faults, of which each has so many bits in its number. */
    enum Kind {
        APPEND(0),
        CHECKPOINT(0),
        CLOSE(0),
        KILL(0),
        CUT(0),
        CRASH(6), // in the middle of an operation: the power goes, unless the life ends with KILL
        FORCE(4),
        WRITE(4),
        SHORT(12),
        SPACE(18);

        private final int bits;

        Kind(int bits) {
            this.bits = bits;
        }

        /** Whether it is a fault that may happen; that in the middle of an operation is called {@code cut}, too. */
        boolean isFaultOf(Set<String> may) {
            return bits > 0 && may.contains(this == CRASH ? "cut" : name().toLowerCase(Locale.ROOT));
        }
    }

    static Step of(Kind kind, int number) {
        return new Step(kind, number, 0, 0);
    }

    static Step append(int callers, int bytes) {
        return new Step(Kind.APPEND, callers, bytes, 0);
    }

    /** A random history. {@code pull} is a power cut between operations; {@code callers} and {@code checkpoint} are what the log is asked. */
    static List<Step> history(SplittableRandom random, Set<String> may) {
        List<Step> steps = new ArrayList<>();
        int most = random.nextBoolean() ? 100 : 3000;
        for (int lives = 2 + random.nextInt(4); lives > 0; lives--) {
            for (Kind kind : Kind.values()) {
                if (kind.isFaultOf(may) && random.nextBoolean()) {
                    int bits = random.nextBoolean() ? kind.bits : random.nextInt(kind.bits); // half of them early
                    steps.add(of(kind, 1 + random.nextInt(1 << bits)));
                }
            }
            for (int acts = random.nextInt(20); acts > 0; acts--) {
                int callers = may.contains("callers") ? 1 + random.nextInt(6) : 1;
                boolean saves = may.contains("checkpoint") && random.nextInt(6) == 0;
                steps.add(saves ? of(Kind.CHECKPOINT, 1) : append(callers, 8 + random.nextInt(most)));
            }
            boolean cuts = (may.contains("cut") || may.contains("pull")) && random.nextBoolean();
            boolean kills = (may.contains("cut") || may.contains("kill")) && random.nextBoolean();
            steps.add(new Step(cuts ? Kind.CUT : kills ? Kind.KILL : Kind.CLOSE, 1, 0, random.nextLong()));
        }
        return steps;
    }

    /** The histories that are a little smaller: without a part of the steps, or with a smaller one. */
    static List<List<Step>> smaller(List<Step> steps) {
        List<List<Step>> smaller = new ArrayList<>();
        for (int count = steps.size(); count > 0; count /= 2) {
            for (int from = 0; from + count <= steps.size(); from += count) {
                smaller.add(with(steps, from, count, List.of()));
            }
        }
        for (int at = 0; at < steps.size(); at++) {
            Step step = steps.get(at);
            if (step.number > 1) {
                smaller.add(with(steps, at, 1, List.of(new Step(step.kind, step.number - 1, step.bytes, step.chance))));
            }
            if (step.bytes > 8) {
                smaller.add(with(steps, at, 1, List.of(append(step.number, Math.max(8, step.bytes / 2)))));
            }
        }
        return smaller;
    }

    private static List<Step> with(List<Step> steps, int from, int count, List<Step> instead) {
        List<Step> changed = new ArrayList<>(steps);
        changed.subList(from, from + count).clear();
        changed.addAll(from, instead);
        return changed;
    }
}
