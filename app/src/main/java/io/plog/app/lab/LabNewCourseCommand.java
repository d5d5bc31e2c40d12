package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab new-course}: keys for a course and its students. */
@Command(
        name = "new-course",
        description = {
            "Makes the key of a course in DIR/course.key, which only the teacher has, and for each student one that the course has"
                    + " signed, in DIR/STUDENT/student.key. With a key that is there already it adds students.",
            "Example:",
            "  plog lab new-course ft-2026 ada grace"
        })
final class LabNewCourseCommand extends ConsoleCommand {
    static final String FILE = "course.key";

    @Parameters(index = "0", paramLabel = "DIR", description = "The course's folder; its name is the course's.")
    private Path folder;

    @Parameters(index = "1..*", paramLabel = "STUDENT", description = "Names: letters, digits, dots, dashes.")
    private List<String> students = List.of();

    @Option(names = "--students", paramLabel = "FILE", description = "A file with a name on each line.")
    private @Nullable Path list;

    @Override
    protected ExitCode run() throws IOException {
        List<String> names = new ArrayList<>(students);
        if (list != null) {
            Files.readAllLines(list).stream()
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
        }
        for (String name : names) {
            if (!name.matches("[\\p{L}\\p{N}_-][\\p{L}\\p{N}._-]*")) {
                throw new IllegalArgumentException(
                        "student '" + name + "': expected letters, digits, dots and dashes, as a folder is named");
            }
        }
        Files.createDirectories(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            write(
                    file,
                    LabKey.course(
                            folder.toAbsolutePath().normalize().getFileName().toString()));
        }
        LabKey course = LabKey.read(file);
        for (String name : names) {
            Path own = Files.createDirectories(folder.resolve(name)).resolve(LabKey.FILE);
            if (!Files.exists(own)) {
                write(own, course.student(name));
                out().println(own.toString());
            }
        }
        out().println("grade with --course " + file + ", which no student may have");
        return ExitCode.DONE;
    }

    private static void write(Path file, LabKey key) throws IOException {
        Files.writeString(file, JsonText.fields(key).toPrettyString() + "\n", StandardOpenOption.CREATE_NEW);
        file.toFile().setReadable(false, false);
        file.toFile().setReadable(true, true);
    }
}
