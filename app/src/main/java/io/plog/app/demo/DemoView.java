package io.plog.app.demo;

import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.StopSignals;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A {@code plog view} of the demo's results, in a process of its own, as its work must not stop the threads that measure. */
final class DemoView implements Closeable {
    private final Process process;
    private final String address;

    /** Starts it on a free port, and opens it in the browser of the desktop if there is one. */
    DemoView(Path results) throws IOException {
        // It goes on after the Ctrl-C that ends the measuring.
        ProcessBuilder builder = ChildJvm.plog(
                        List.of(), List.of(), ChildJvm.classPath(), List.of("view", results.toString(), "--port", "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        process = builder.start();
        try (BufferedReader lines = process.inputReader()) {
            String first = lines.readLine();
            if (first == null) {
                throw new IOException("plog view did not start; measure without --view");
            }
            address = first;
        }
        if (System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null) {
            openBrowser();
        }
    }

    private void openBrowser() {
        try {
            new ProcessBuilder("xdg-open", address)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // A desktop without that program; the address is printed.
        }
    }

    /** Where it is, for a browser. */
    String address() {
        return address;
    }

    /** Waits for Ctrl-C. */
    void await() throws InterruptedException {
        StopSignals.onFirst(this::close);
        process.waitFor();
    }

    /** Ends it, by the end of its standard input. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
    }
}
