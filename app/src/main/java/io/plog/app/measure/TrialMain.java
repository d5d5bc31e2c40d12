package io.plog.app.measure;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.NettySettings;
import io.plog.app.cli.StopSignals;
import io.plog.measure.Experiment;
import io.plog.measure.PlanException;
import io.plog.measure.samples.RunInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The process of one trial, which only {@link TrialProcess} starts. Reads a {@link TrialOrder}, measures, and ends
 * early when its standard input has another line or ends: with the process that started it.
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
            stopAtNextLine(in, experiment);
            RunInfo.End end = experiment.run(
                    order.samples(),
                    order.trial(),
                    progress -> out.println(JsonText.line(new TrialOrder.Line(progress, null, null, null))));
            return say(out, new TrialOrder.Line(null, end, null, null));
        } catch (PlanException | IllegalArgumentException e) {
            return say(out, new TrialOrder.Line(null, null, e.getMessage(), null));
        } catch (IOException e) {
            return say(out, new TrialOrder.Line(null, null, null, Failures.sentence(e)));
        }
    }

    private static int say(PrintStream out, TrialOrder.Line line) {
        out.println(JsonText.line(line));
        return line.end() == null ? ExitCode.FAILED.code() : ExitCode.DONE.code();
    }

    private static void stopAtNextLine(BufferedReader in, Experiment experiment) {
        Thread watch = new Thread(
                () -> {
                    readOne(in);
                    experiment.stop();
                },
                "plog-stop");
        watch.setDaemon(true);
        watch.start();
    }

    private static @Nullable String readOne(BufferedReader in) {
        try {
            return in.readLine();
        } catch (IOException e) {
            return null;
        }
    }
}
