package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class StandardOutputTest {
    private final StringWriter err = new StringWriter();

    @Test
    void whatCouldNotBePrintedFailsACommandThatWasDoneAndChangesNoOtherCode() {
        assertThat(ended(0, "No space left on device")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("plog: standard output: No space left on device; what was printed is incomplete");
        assertThat(ended(4, "No space left on device")).isEqualTo(4);
    }

    @Test
    void aReaderThatHasReadEnoughIsNoFailure() {
        assertThat(ended(0, "Broken pipe")).isZero();
        assertThat(ended(0, "")).isZero();
        assertThat(err.toString()).isEmpty();
    }

    /** The exit code after printing to an output that fails for this reason, or not at all. */
    private int ended(int code, String why) {
        StandardOutput output = new StandardOutput(new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                if (!why.isEmpty()) {
                    throw new IOException(why);
                }
            }
        });
        new PrintStream(output, true).println("result");
        return output.exitCode(code, new PrintWriter(err));
    }
}
