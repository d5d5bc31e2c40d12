package io.plog.app.demo;

import java.util.Optional;
import java.util.stream.Stream;

/** A log on bookies that the demo measures besides the ways of forcing; named like one of them, by its number of bookies. */
enum DemoQuorum {
    /** One bookie: what the way there and the bookie itself cost. */
    R1("r1", 1, 1),
    /** Two of three: what a log that survives a machine costs. */
    R3("r3", 3, 2);

    /** How many bookies there are for all of them. */
    static final int BOOKIES = 3;

    private final String label;
    private final int bookies;
    private final int ack;

    DemoQuorum(String label, int bookies, int ack) {
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

    static Optional<DemoQuorum> ofLabel(String label) {
        return Stream.of(values()).filter(each -> each.label.equals(label)).findFirst();
    }
}
