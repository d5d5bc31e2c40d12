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

    /** Checks that it ended with this code, and without a stack trace. */
    CommandOutput exited(int code);

    /** Checks that all of standard error is one line and returns it. */
    default String onlyErrLine() {
        assertThat(err()).as("standard error of\n%s", this).hasSize(1);
        return err().get(0);
    }
}
