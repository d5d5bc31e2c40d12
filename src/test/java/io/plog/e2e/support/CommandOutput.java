package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What a {@code plog} command has printed and how it ended, wherever it ran: in a process or in the JVM of the test. */
public interface CommandOutput {
    List<String> out();

    List<String> err();

    /** All of standard output. */
    String outText();

    /** All of standard error. */
    String errText();

    /**
     * Waits for its end, and checks that it was with one of these codes, and without a stack trace. 0 and 5 stand for a
     * measurement: how quick the machine is at the moment is not the question.
     */
    CommandOutput exited(int... codes);

    /** Checks that all of standard error is one line and returns it. */
    default String onlyErrLine() {
        assertThat(err()).as("standard error of\n%s", this).hasSize(1);
        return err().get(0);
    }
}
