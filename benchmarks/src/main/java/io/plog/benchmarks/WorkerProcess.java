package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The other end of a {@link Worker}: starts its JVM, with the flags of this one, gives orders, waits for answers. For one thread. */
final class WorkerProcess implements AutoCloseable {
    /** How long an order may take beyond what it is told: files to prepare, to close and to delete. */
    private static final long MORE_SECONDS = 300;

    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;
    private final Path errors;

    /** @param errors where what the JVM prints goes */
    WorkerProcess(Contestant contestant, Path errors) throws IOException {
        this.errors = errors;
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Benchmarks.class.getName(),
                "worker",
                contestant.label()));
        process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Has an order carried out.
     *
     * @throws IOException if the JVM ended, or took longer than any order can; it is gone then
     */
    RunAnswer carryOut(RunOrder order) throws IOException, InterruptedException {
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(this::readAnswer, work -> new Thread(work, "answer").start());
        try {
            orders.write(Benchmarks.LINE.writeValueAsString(order) + "\n");
            orders.flush();
            String line = answer.get((long) (2 * order.mostSeconds()) + MORE_SECONDS, TimeUnit.SECONDS);
            return Benchmarks.LINE.readValue(line, RunAnswer.class);
        } catch (ExecutionException | TimeoutException | IOException e) {
            process.destroyForcibly();
            throw new IOException("the contestant's JVM gave no answer (" + e.getMessage() + "); see " + errors, e);
        }
    }

    private String readAnswer() {
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(Worker.ANSWER)) {
                    return line.substring(Worker.ANSWER.length());
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read from the JVM", e);
        }
        throw new IllegalStateException("the JVM ended");
    }

    @Override
    public void close() throws IOException {
        try {
            orders.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
