package io.plog.app.lab;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.lab.yours.JudgeCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lets what a student built be judged once more, with a seed that the student did not know, in a copy of what was handed in. */
record Rerun(long seed) {
    /** What judges begin with. */
    private static final String JUDGES = "lab run-";

    static boolean isOf(String command) {
        return command.startsWith(JUDGES);
    }

    /**
     * What the judge prints now.
     *
     * @param judge as {@code lab run-client}
     * @throws IOException if it could not judge; the message has what it said
     */
    String printed(Path handedIn, String judge) throws IOException {
        JsonNode before = JsonText.read(Files.readString(handedIn.resolve(JudgeCommand.RESULT)), JsonNode.class);
        String judged = before.path("judged").asText();
        List<String> arguments = new ArrayList<>(List.of(judge.split(" ", -1)));
        arguments.addAll(judged.endsWith(".jar") ? List.of(judged) : List.of("--command", judged));
        arguments.addAll(List.of("--seed", Long.toString(seed)));
        Path copy = Files.createTempDirectory("plog-grade");
        try {
            copy(handedIn, copy);
            Process process = ChildJvm.plog(List.of(), List.of(), ChildJvm.classPath(), arguments)
                    .directory(copy.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != ExitCode.DONE.code() && code != ExitCode.CHECK_FAILED.code()) {
                throw new IOException("with --seed " + seed + ": " + said.strip());
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            ResultsDirectory.delete(copy);
        }
    }

    /** Without the record, which is the student's alone to continue. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.skip(1).toList()) {
                Path place = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(place);
                } else if (!each.endsWith(Evidence.FILE)) {
                    Files.copy(each, place);
                }
            }
        }
    }
}
