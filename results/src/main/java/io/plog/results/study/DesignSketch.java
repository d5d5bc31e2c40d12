package io.plog.results.study;

import io.plog.results.table.Table;

/** Which thread waits for what in the designs, with the same three requests in each. A sketch: nothing in it was measured. */
final class DesignSketch {
    /** Requests 1, 2 and 3 arrive at 0, 2 and 3: design, row, from, to, what, words. Time has no unit here. */
    private static final String DOES = """
            dedicated: the loop reads on, the log thread forces
            event loop, 0, 1, work, 1
            event loop, 2, 3, work, 2
            event loop, 3, 4, work, 3
            log thread, 1, 7, force, force 1
            event loop, 7, 8, work, →1
            log thread, 7, 13, force, force 2 and 3
            event loop, 13, 14.4, work, →2 3
            inline: the loop forces, everyone behind it waits
            event loop, 0, 1, work, 1
            event loop, 1, 7, force, force 1
            request 2, 2, 8, wait,
            request 3, 3, 15.5, wait,
            event loop, 7, 8.5, work, →1 2
            event loop, 8.5, 14.5, force, force 2
            event loop, 14.5, 16, work, →2 3
            event loop, 16, 22, force, force 3
            threads=N: each forces alone, the forces queue at the disk
            thread 1, 0, 1, work, 1
            thread 1, 1, 7, force, force 1
            thread 2, 2, 3, work, 2
            thread 2, 3, 7, wait,
            thread 2, 7, 13, force, force 2
            thread 3, 3, 4, work, 3
            thread 3, 4, 13, wait,
            thread 3, 13, 19, force, force 3
            threads-shared=N: those who wait share the next force
            thread 1, 0, 1, work, 1
            thread 1, 1, 7, force, force 1
            thread 2, 2, 3, work, 2
            thread 2, 3, 7, wait,
            thread 2, 7, 13, force, force 2 and 3
            thread 3, 3, 4, work, 3
            thread 3, 4, 13, wait,
            """;

    private DesignSketch() {}

    static Table table() {
        Table table = Table.of("sketch", 1, "idea", "row", "from", "to", "what", "words");
        String idea = "";
        for (String line : DOES.lines().toList()) {
            String[] does = line.split(",", -1);
            if (does.length != 5) {
                idea = line;
            } else {
                table.row(
                        idea,
                        does[0],
                        Double.parseDouble(does[1]),
                        Double.parseDouble(does[2]),
                        does[3].strip(),
                        does[4].strip());
            }
        }
        return table;
    }
}
