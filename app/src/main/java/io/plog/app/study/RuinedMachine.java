package io.plog.app.study;

/** Whether a machine is disturbed all the time, so that measuring again would take long and change nothing. Stateless. */
final class RuinedMachine {
    /** A part of so many may be disturbed by chance. */
    private static final int PART = 3;

    /** So few may always be measured again. */
    private static final int FEW = 2;

    private RuinedMachine() {}

    /** Going by how many of the cells were disturbed. */
    static boolean is(int disturbed, int cells) {
        return disturbed > FEW && disturbed * PART > cells;
    }
}
