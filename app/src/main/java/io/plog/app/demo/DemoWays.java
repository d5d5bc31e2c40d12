package io.plog.app.demo;

import io.plog.log.storage.Force;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a demo measures besides no logging: ways of forcing on this machine, and quorums.
 *
 * @param forces not {@link Force#OFF}, which is measured anyway; each once
 * @param quorums each once
 */
record DemoWays(List<Force> forces, List<Quorum> quorums) {
    /** What {@code --replicated} measures. */
    static final List<String> REPLICATED = List.of(Force.FDATASYNC.label(), Quorum.R1.label(), Quorum.R3.label());

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
        List<Quorum> quorums = new ArrayList<>();
        for (String label : labels) {
            Optional<Quorum> quorum = Quorum.ofLabel(label);
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
                    e.getMessage() + ", or on bookies " + Quorum.R1.label() + ", " + Quorum.R3.label(), e);
        }
    }

    /** How many copies of each record the bookies write. */
    int copies() {
        return quorums.stream().mapToInt(Quorum::copies).sum();
    }

    /** A log on bookies that the demo measures besides the ways of forcing; named like one of them, by its number of bookies. */
    enum Quorum {
        /** One bookie: what the way there and the bookie itself cost. */
        R1("r1", 1, 1),
        /** Two of three: what a log that survives a machine costs. */
        R3("r3", 3, 2);

        /** How many bookies there are for all of them. */
        static final int BOOKIES = 3;

        private final String label;
        private final int bookies;
        private final int ack;

        Quorum(String label, int bookies, int ack) {
            this.label = label;
            this.bookies = bookies;
            this.ack = ack;
        }

        /** As options and plans name it; also its target. */
        String label() {
            return label;
        }

        /** How many copies there are of each record. */
        int copies() {
            return bookies;
        }

        /** What follows the name of a log in its address. */
        String settings() {
            return "?ensemble=" + bookies + "&write=" + bookies + "&ack=" + ack;
        }

        static Optional<Quorum> ofLabel(String label) {
            return Stream.of(values()).filter(each -> each.label.equals(label)).findFirst();
        }
    }
}
