package io.plog.app.demo;

import io.plog.log.Force;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a demo measures besides no logging: ways of forcing on this machine, and quorums.
 *
 * @param forces not {@link Force#OFF}, which is measured anyway; each once
 * @param quorums each once
 */
record DemoWays(List<Force> forces, List<DemoQuorum> quorums) {
    /** What {@code --replicated} measures. */
    static final List<String> REPLICATED =
            List.of(Force.FDATASYNC.label(), DemoQuorum.R1.label(), DemoQuorum.R3.label());

    DemoWays {
        forces = List.copyOf(forces);
        quorums = List.copyOf(quorums);
        Set<String> seen = new HashSet<>();
        for (Force force : forces) {
            if (force == Force.OFF) {
                throw new IllegalArgumentException(
                        "--force names " + force.label() + ", which is measured anyway: leave it out");
            }
            checkOnce(seen, force.label());
        }
        quorums.forEach(quorum -> checkOnce(seen, quorum.label()));
        if (seen.isEmpty()) {
            throw new IllegalArgumentException("--force is empty: expected at least one way of forcing");
        }
    }

    private static void checkOnce(Set<String> seen, String label) {
        if (!seen.add(label)) {
            throw new IllegalArgumentException("--force names " + label + " twice: leave it out");
        }
    }

    /**
     * As people name them: {@code fdatasync}, {@code r3} and so on.
     *
     * @throws IllegalArgumentException if one is unknown, or stands there twice
     */
    static DemoWays parse(List<String> labels) {
        List<Force> forces = new ArrayList<>();
        List<DemoQuorum> quorums = new ArrayList<>();
        for (String label : labels) {
            Optional<DemoQuorum> quorum = DemoQuorum.ofLabel(label);
            quorum.ifPresent(quorums::add);
            if (quorum.isEmpty()) {
                forces.add(force(label));
            }
        }
        return new DemoWays(forces, quorums);
    }

    private static Force force(String label) {
        try {
            return Force.ofLabel(label);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ", or on bookies " + DemoQuorum.R1.label() + ", " + DemoQuorum.R3.label(), e);
        }
    }

    /** How many copies of each record the bookies write. */
    int copies() {
        return quorums.stream().mapToInt(DemoQuorum::copies).sum();
    }
}
