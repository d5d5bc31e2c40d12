package io.plog.app.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where results go. Remembers why a write failed, which the streams and writers of text around it swallow. */
public final class StandardOutput extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    public StandardOutput(OutputStream to) {
        super(to);
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** The exit code of a command that ended with this one. A reader that has read enough, as {@code head}, is no failure. */
    public int exitCode(int code, PrintWriter err) {
        String why = failure == null ? "pipe" : String.valueOf(failure.getMessage());
        if (why.toLowerCase(Locale.ROOT).contains("pipe")) {
            return code;
        }
        err.println("plog: standard output: " + why + "; what was printed is incomplete");
        err.flush();
        return code == ExitCode.DONE.code() ? ExitCode.FAILED.code() : code;
    }
}
