package io.plog.app.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.cli.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a student did is worth points; what was typed, copied or moved is not. */
final class JudgementTest {
    private static final String LOST = "{\"acknowledged\":900,\"intact\":0,\"wrong\":900}\n";
    private static final String KEPT = "{\"acknowledged\":900,\"intact\":900,\"wrong\":0}\n";

    @TempDir
    private Path course;

    private final LabKey teacher = LabKey.course("ft");

    /** Lab 3, as its text says. */
    private Path handIn(String student) throws IOException {
        Path folder = Files.createDirectories(course.resolve(student));
        Files.writeString(folder.resolve(LabKey.FILE), JsonText.line(teacher.student(student)));
        Evidence.begin(3, folder, Map.of("optimistic-lost", 10.0));
        for (String log : List.of("optimistic", "pessimistic")) {
            step(folder, "", "server", "--log", "bank=sim:ssd@" + log);
            Evidence load = Evidence.of(folder, "load", "--ledger", log + ".ledger");
            step(folder, "killed\n", "lab", "kill", log);
            load.ended(5);
            Files.writeString(folder.resolve(log + ".ledger"), student + log);
            String audit = log.startsWith("o") ? LOST : KEPT;
            step(folder, audit, "audit", "--ledger", log + ".ledger", "--log", log, "--json");
            Files.writeString(folder.resolve(log + ".json"), audit);
        }
        return folder;
    }

    private static void step(Path folder, String prints, String... command) throws IOException {
        Evidence step = Evidence.of(folder, command);
        try (OutputStream out = step.listening(new ByteArrayOutputStream())) {
            out.write(prints.getBytes(StandardCharsets.UTF_8));
        }
        step.ended(0);
    }

    private static List<String> reasons(Path folder) throws IOException {
        return Judgement.of(folder).found().values().stream()
                .filter(why -> !why.isEmpty())
                .distinct()
                .toList();
    }

    @Test
    void whatWasDoneAsTheTextSaysHasAllPoints() throws Exception {
        Judgement judged = Judgement.of(handIn("ada"));
        assertThat(judged.found().values()).containsOnly("");
        assertThat(judged.score()).isEqualTo(100);
        assertThat(judged.student()).isEqualTo("ada");
        assertThat(judged.record().predicted()).containsEntry("optimistic-lost", 10.0);
    }

    @Test
    void linesOfAFileAreTheSameInTheEndingsOfAnySystem() throws Exception {
        Path folder = handIn("ada");
        Files.write(
                folder.resolve("pessimistic.json"),
                ("\uFEFF" + KEPT.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_16LE));
        assertThat(Judgement.of(folder).score()).isEqualTo(100);
    }

    @Test
    void aTypedFileIsNamed() throws Exception {
        Path folder = handIn("ada");
        Files.writeString(folder.resolve("pessimistic.json"), KEPT.replace("900", "901"));
        assertThat(reasons(folder))
                .containsExactly("pessimistic.json is not what plog audit printed in its turn: it was typed, changed or"
                        + " copied, or the steps had another order");
        assertThat(Judgement.of(folder).score()).isEqualTo(50);
    }

    @Test
    void oneFileCopiedOverAnotherIsNamed() throws Exception {
        Path folder = handIn("ada");
        Files.writeString(folder.resolve("pessimistic.json"), LOST);
        assertThat(reasons(folder)).singleElement().asString().startsWith("pessimistic.json is not what");
        Files.writeString(folder.resolve("pessimistic.json"), KEPT);
        Files.writeString(folder.resolve("optimistic.json"), KEPT);
        assertThat(reasons(folder)).anyMatch(why -> why.startsWith("pessimistic.json is not what"));
    }

    @Test
    void aRecordFromWhichALineWasTakenOrMovedProvesNothing() throws Exception {
        Path folder = handIn("ada");
        Path file = folder.resolve(Evidence.FILE);
        List<String> lines = Files.readAllLines(file);
        List<String> fewer = new ArrayList<>(lines);
        fewer.remove(4);
        Files.write(file, fewer);
        assertThat(reasons(folder))
                .containsExactly("evidence.txt, line 5 does not follow line 4: a line was taken out, put in or moved");
        Collections.swap(lines, 5, 6);
        Files.write(file, lines);
        assertThat(reasons(folder)).singleElement().asString().contains("does not follow line 5");
        assertThat(Judgement.of(folder).score()).isZero();
    }

    @Test
    void aRecordWithoutItsBeginningIsNone() throws Exception {
        Path folder = handIn("ada");
        Files.writeString(folder.resolve(Evidence.FILE), "nothing\n");
        assertThatThrownBy(() -> Judgement.of(folder))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("evidence.txt has no beginning: plog lab begin writes it");
    }

    @Test
    void aLineThatWasChangedIsNotSigned() throws Exception {
        Path folder = handIn("ada");
        Path file = folder.resolve(Evidence.FILE);
        Files.writeString(file, Files.readString(file).replaceFirst("\"exit\":5", "\"exit\":0"));
        assertThat(reasons(folder)).containsExactly("evidence.txt, line 7 is not signed by ada");
    }

    @Test
    void nobodySignsForAnother() throws Exception {
        Path ada = handIn("ada");
        Path bob = handIn("bob");
        String first = Files.readAllLines(ada.resolve(Evidence.FILE)).get(0);
        List<String> lines = new ArrayList<>(Files.readAllLines(bob.resolve(Evidence.FILE)));
        lines.set(0, first);
        Files.write(bob.resolve(Evidence.FILE), lines);
        assertThat(reasons(bob)).containsExactly("evidence.txt, line 2 is not signed by ada");
        String own = JsonText.line(LabKey.course("ft").student("ada"));
        String forged = first.replaceFirst(
                "\"certificate\":\"[^\"]*\"",
                "\"certificate\":\""
                        + JsonText.read(own, LabKey.class).certificate().replace("+", "\\+") + "\"");
        Files.write(ada.resolve(Evidence.FILE), List.of(forged));
        assertThat(reasons(ada)).containsExactly("evidence.txt, line 1 names a key that its course has not signed");
    }

    @Test
    void stepsThatWereNotDoneInTheirOrderAreNamed() throws Exception {
        Path folder = Files.createDirectories(course.resolve("cy"));
        Evidence.begin(3, folder, Map.of());
        step(folder, "", "server", "--log", "bank=sim:ssd@optimistic");
        step(folder, "", "load");
        step(folder, "", "lab", "kill", "optimistic");
        assertThat(reasons(folder)).contains("no plog load ends behind line 7 of evidence.txt");
    }

    @Test
    void figuresAreThoseOfTheSamplesAndNotOfAFile() throws Exception {
        Path folder = Files.createDirectories(course.resolve("dan"));
        Evidence.begin(1, folder, Map.of("off", 1.0, "fdatasync", 1.0));
        step(folder, "", "demo", "-o", "cost");
        Files.createDirectories(folder.resolve("cost"));
        Files.writeString(folder.resolve("cost/results.json"), "{\"cells\":[]}");
        assertThat(reasons(folder)).containsExactly("cost/samples.plog is missing: do the step that measures it");
    }

    @Test
    void bugsThatDoNotShowAreNotFound() throws Exception {
        Path folder = Files.createDirectories(course.resolve("eve"));
        Evidence.begin(9, folder, Map.of());
        Files.writeString(folder.resolve("bugs.csv"), "bug,faults\n1,kill,3,true,lost,7\n");
        assertThat(reasons(folder))
                .containsExactly("bugs.csv says that bug 1 shows with --seed 9 and kill, and it does not");
        Files.writeString(folder.resolve("bugs.csv"), "bug,faults\n1,kill,3,true\n");
        assertThat(reasons(folder)).singleElement().asString().contains("which plog lab bug did not write");
    }

    /** What is printed where every promise holds. */
    private static String campaign(String kind, int histories) throws IOException {
        StringBuilder all = new StringBuilder();
        try (InputStream in = Lab.class.getResourceAsStream("yours/" + kind + "-promises.json")) {
            for (JsonNode promise :
                    JsonText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), JsonNode.class)) {
                int points = promise.get("points").asInt();
                String title = promise.get("title").asText();
                all.append(String.format("%2d of %2d  %s (history %d)\n", points, points, title, histories));
            }
        }
        return all.toString();
    }

    @Test
    void aSeedOfTheTeachersJudgesTheProgramAndNotWhatWasPrinted() throws Exception {
        Path folder = Files.createDirectories(course.resolve("eve"));
        Evidence.begin(15, folder, Map.of());
        String text = campaign("recovery", 100);
        step(folder, text, "lab", "run-recovery", "--command", "true");
        Files.writeString(folder.resolve("yours.txt"), text);
        Files.writeString(folder.resolve("yours.json"), "{\"judged\": \"true\"}");
        assertThat(Judgement.of(folder).score()).isEqualTo(100);
        assertThat(Judgement.of(folder, new Rerun(7)).score()).isZero();
        assertThat(Judgement.of(folder, new Rerun(7)).found()).containsValue("torn = 1 does not hold");
        assertThat(new Rerun(7).printed(folder, "lab run-recovery")).contains(" 0 of 20", "0 of 100 points, seed 7");
        Files.writeString(folder.resolve("yours.json"), "{\"judged\": \"gone.jar\"}");
        assertThatThrownBy(() -> new Rerun(7).printed(folder, "lab run-yours"))
                .hasMessageContainingAll("with --seed 7: ", "gone.jar");
    }

    @Test
    void whatStudentsBuildHasThePointsOfTheirCampaignAndNoneOfAShorterOne() throws Exception {
        Path folder = Files.createDirectories(course.resolve("fay"));
        Evidence.begin(14, folder, Map.of());
        String full = campaign("client", 3).replaceFirst("(?m)^20", " 0");
        String shorter = full.replaceAll("(?m)^.{8}", "kept    ");
        for (String text : List.of(full, shorter)) {
            step(folder, text, "lab", "run-client", "--command", "client");
            Files.writeString(folder.resolve("yours.txt"), text);
            assertThat(Judgement.of(folder).score()).isEqualTo(text.startsWith("kept") ? 0 : 80);
        }
    }

    @Test
    void aClassIsGradedByOneCommandAndWhatIsCopiedIsMarked() throws Exception {
        for (int i = 1; i <= 20; i++) {
            handIn(String.format("student-%02d", i));
        }
        Path copied = course.resolve("student-02/optimistic.ledger");
        Files.copy(course.resolve("student-01/optimistic.ledger"), copied, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(course.resolve("student-03/pessimistic.json"), "{}");
        Path another = course.resolve("student-04");
        Files.delete(another.resolve(Evidence.FILE));
        Files.copy(course.resolve("student-05").resolve(Evidence.FILE), another.resolve(Evidence.FILE));
        Files.delete(course.resolve("student-06").resolve(Evidence.FILE));
        Files.delete(course.resolve("student-06").resolve(LabKey.FILE));
        Evidence.begin(3, course.resolve("student-06"), Map.of());
        Files.writeString(course.resolve("course.key"), JsonText.line(teacher));
        StringWriter out = new StringWriter();
        int code = new CommandLine(new LabGradeCommand())
                .setOut(new PrintWriter(out, true))
                .execute("--course", course.resolve("course.key").toString(), course.toString());
        assertThat(code).isZero();
        List<String> table = out.toString().lines().toList();
        assertThat(table).hasSize(21);
        assertThat(table.get(1)).matches("student-01 +3 +100 +has the same optimistic.ledger as student-02");
        assertThat(table.get(2)).endsWith("has the same optimistic.ledger as student-01");
        assertThat(table.get(3)).matches("student-03 +3 +50 +pessimistic.json is not what plog audit printed.*");
        assertThat(table.get(4)).startsWith("student-05 "); // who signed it, whosever folder it is in
        assertThat(table.get(6)).matches("nobody +3 +0 +not signed; .*");
        assertThat(table.get(20)).matches("student-20 +3 +100 *");
    }
}
