package io.plog.app.measure;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.NettySettings;
import io.plog.app.cli.StopSignals;
import io.plog.app.measure.TrialProcess.TrialOrder;
import io.plog.measure.Experiment;
import io.plog.measure.PlanException;
import io.plog.measure.samples.RunInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The process of one trial, which only {@link TrialProcess} starts. Reads a {@link TrialOrder}, warms up, counts when it is told to,
 * and ends early when its standard input says so or ends: with the process that started it.
 */
final class TrialMain {
    private TrialMain() {}

    /** Measures as its standard input says. */
    public static void main(String[] args) throws IOException {
        NettySettings.apply();
        // Ctrl-C reaches every process of the terminal's group; the first process says when to stop.
        StopSignals.ignore();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String first = in.readLine();
        if (first == null) {
            System.exit(ExitCode.FAILED.code());
            return;
        }
        System.exit(run(JsonText.read(first, TrialOrder.class), in, out));
    }

    private static int run(TrialOrder order, BufferedReader in, PrintStream out) {
        try (Experiment experiment = Experiment.open(order.order())) {
            CountDownLatch mayCount = new CountDownLatch(1);
            follow(in, experiment, mayCount);
            RunInfo.End end = experiment.run(
                    order.samples(),
                    order.trial(),
                    () -> {
                        say(out, new TrialOrder.Line(true, null, null, null, null));
                        mayCount.await();
                        return others();
                    },
                    progress -> say(out, new TrialOrder.Line(false, progress, null, null, null)));
            say(out, new TrialOrder.Line(false, null, end, null, null));
            return ExitCode.DONE.code();
        } catch (PlanException | IllegalArgumentException e) {
            say(out, new TrialOrder.Line(false, null, null, e.getMessage(), null));
        } catch (IOException e) {
            say(out, new TrialOrder.Line(false, null, null, null, Failures.sentence(e)));
        }
        return ExitCode.FAILED.code();
    }

    /** The first process of the run and all that it started, but for this one. */
    private static List<ProcessHandle> others() {
        ProcessHandle own = ProcessHandle.current();
        return own.parent().stream()
                .flatMap(first -> Stream.concat(Stream.of(first), first.descendants()))
                .filter(process -> !process.equals(own))
                .toList();
    }

    private static void say(PrintStream out, TrialOrder.Line line) {
        out.println(JsonText.line(line));
    }

    private static void follow(BufferedReader in, Experiment experiment, CountDownLatch mayCount) {
        Thread watch = new Thread(
                () -> {
                    if (TrialOrder.COUNT.equals(line(in))) {
                        mayCount.countDown();
                        line(in);
                    }
                    experiment.stop();
                    mayCount.countDown();
                },
                "plog-stop");
        watch.setDaemon(true);
        watch.start();
    }

    private static @Nullable String line(BufferedReader in) {
        try {
            return in.readLine();
        } catch (IOException e) {
            return null;
        }
    }
}
