package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool that compiles the bugs of lab 9, on a module of two classes. */
final class LabBugsTest {
    private static final Path TOOL = DiskDirectory.root().resolve("tools/lab-bugs/LabBugs.java");

    @TempDir(factory = DiskDirectory.class)
    Path module;

    @Test
    @Tag("slow")
    void aBugWhoseMutantIsExchangedKeepsNoOldClassAndOtherwiseNothingIsCompiled() throws Exception {
        Path sources = Files.createDirectories(module.resolve("src/main/java/io/plog/log"));
        Files.createDirectories(module.resolve("src/test"));
        for (String name : List.of("A", "B")) {
            Files.writeString(
                    sources.resolve(name + ".java"), "package io.plog.log; class " + name + " { int f = 1; }\n");
        }
        mutantsAreIn("A");
        compile();
        assertThat(classes()).containsExactly("A.class");
        mutantsAreIn("B");
        compile();
        assertThat(classes()).containsExactly("B.class");
        Path made = module.resolve("out/1/io/plog/log/B.class");
        FileTime before = Files.getLastModifiedTime(made);
        compile();
        assertThat(Files.getLastModifiedTime(made)).isEqualTo(before);
    }

    private void mutantsAreIn(String name) throws IOException {
        String ids = Pattern.compile("\"(M\\d+)\"")
                .matcher(Files.readString(TOOL))
                .results()
                .map((MatchResult id) -> id.group(1) + " a defect\nin " + name + ", caught by X\n- f = 1;\n+ f = 2;\n")
                .collect(Collectors.joining("\n"));
        Files.writeString(module.resolve("src/test/mutants.txt"), ids);
    }

    private void compile() throws Exception {
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        TOOL.toString(),
                        module.toString(),
                        module.resolve("out").toString())
                .inheritIO()
                .start();
        assertThat(tool.waitFor()).isZero();
    }

    private List<String> classes() throws IOException {
        return Directories.names(module.resolve("out/1/io/plog/log"));
    }
}
