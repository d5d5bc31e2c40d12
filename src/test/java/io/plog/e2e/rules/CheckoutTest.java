package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people have who clone plog with settings of their own. */
final class CheckoutTest {
    private static final String IGNORES_CDPATH = "unset CDPATH # else cd may go elsewhere, and says where";

    private static List<String> git(Path directory, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(git.waitFor()).isZero();
        return lines;
    }

    private static Path root() {
        Path root = DiskDirectory.root();
        assumeTrue(Files.exists(root.resolve(".git")), "these sources are no clone");
        return root;
    }

    /** Git for Windows suggests it. */
    @Test
    void aCloneWithLinesOfWindowsHasTheSameBytes(@TempDir Path directory) throws Exception {
        git(directory, "clone", "-q", "-c", "core.autocrlf=true", root().toString(), "clone");
        assertThat(git(directory.resolve("clone"), "ls-files", "--eol"))
                .filteredOn(line -> line.contains("w/crlf") || line.contains("w/mixed"))
                .singleElement()
                .asString()
                .endsWith("plog.cmd");
    }

    @Test
    void noScriptThatFindsItsDirectoryIsLedAstrayByTheShell() throws Exception {
        Path root = root();
        List<String> astray = new ArrayList<>();
        for (String file : git(root, "ls-files")) {
            if (isScript(root.resolve(file))) {
                String text = Files.readString(root.resolve(file));
                if (text.contains("cd ") && text.contains("dirname") && !text.contains(IGNORES_CDPATH)) {
                    astray.add(file);
                }
            }
        }
        assertThat(astray).isEmpty();
    }

    private static boolean isScript(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(15), StandardCharsets.ISO_8859_1).matches("#!.*(sh|env bas)");
        }
    }
}
