package io.plog.app.lab;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog lab grade}: judges the hand-ins of a class. */
@Command(
        name = "grade",
        description = {
            "Finds each lab that was handed in below FOLDER, judges it as plog lab check does, and prints a table: whose it is by its"
                    + " signature, the points, and what is wrong. Files that two students have alike are marked.",
            "Example:",
            "  plog lab grade --course ft-2026/course.key handed-in"
        })
final class LabGradeCommand extends ConsoleCommand {
    private static final int MOST_FOLDERS_DEEP = 6;

    @Parameters(paramLabel = "FOLDER", description = "With the folders that were handed in.")
    private Path folder;

    @Option(names = "--course", paramLabel = "FILE", required = true, description = "The course's key.")
    private Path course;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Judge what was built in labs 10, 14 and 15 once more with this seed, which no student knew: the points are those"
                            + " of that run. It runs the programs that were handed in, as you.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print the table as JSON, a line for each hand-in.")
    private boolean json;

    /**
     * One hand-in.
     *
     * @param points 0 to 100
     * @param remarks why it has no more, and what to look at
     */
    private record Grade(String student, int lab, long points, String folder, List<String> remarks) {}

    @Override
    protected ExitCode run() throws IOException {
        LabKey signer = LabKey.read(course);
        List<Path> handedIn;
        try (Stream<Path> found = Files.find(
                folder,
                MOST_FOLDERS_DEEP,
                (path, attributes) -> path.endsWith(Evidence.FILE) && attributes.isRegularFile())) {
            handedIn = found.map(Path::getParent).sorted().toList();
        }
        if (handedIn.isEmpty()) {
            throw new IOException("no " + Evidence.FILE + " below " + folder + ": expected the folders of labs");
        }
        List<Grade> grades = new ArrayList<>();
        Map<String, Grade> first = new HashMap<>(); // with each content of a file that no two have alike
        for (Path each : handedIn) {
            Grade grade = grade(each, signer);
            grades.add(grade);
            for (String file :
                    grade.lab == 0 ? List.<String>of() : Lab.of(grade.lab).own()) {
                Path own = each.resolve(file);
                Grade other =
                        Files.exists(own) ? first.putIfAbsent(Evidence.sumOf(Files.readAllBytes(own)), grade) : null;
                if (other != null) {
                    grade.remarks.add("has the same " + file + " as " + other.folder);
                    other.remarks.add("has the same " + file + " as " + grade.folder);
                }
            }
        }
        if (!json) {
            out().printf(Locale.ROOT, "%-20s %3s %6s  %s%n", "student", "lab", "points", "remarks");
        }
        for (Grade each : grades) {
            if (json) {
                out().println(JsonText.line(each));
            } else {
                String remarks = String.join("; ", each.remarks);
                out().printf(Locale.ROOT, "%-20s %3d %6d  %s%n", each.student, each.lab, each.points, remarks);
            }
        }
        return ExitCode.DONE;
    }

    private Grade grade(Path handedIn, LabKey signer) {
        String name = folder.relativize(handedIn).toString();
        List<String> remarks = new ArrayList<>();
        try {
            Judgement judged = Judgement.of(handedIn, seed == null ? null : new Rerun(seed));
            LabKey student = judged.record().student();
            boolean isOurs = student != null && student.course().equals(signer.publicKey());
            if (!isOurs) {
                remarks.add(student == null ? "not signed" : "signed for another course");
            }
            judged.found().values().stream()
                    .filter(why -> !why.isEmpty())
                    .distinct()
                    .forEach(remarks::add);
            return new Grade(judged.student(), judged.record().lab(), isOurs ? judged.score() : 0, name, remarks);
        } catch (IOException | IllegalArgumentException e) {
            remarks.add(String.valueOf(e.getMessage()));
            return new Grade("?", 0, 0, name, remarks);
        }
    }
}
