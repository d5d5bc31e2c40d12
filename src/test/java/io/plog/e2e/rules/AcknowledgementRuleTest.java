package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nothing but {@code GroupCommit} acknowledges an append: the rule of the log can be read in one file. */
final class AcknowledgementRuleTest {
    private static final Set<String> WAYS_TO_COMPLETE =
            Set.of("complete", "completeAsync", "completeOnTimeout", "obtrudeValue");

    private static final JavaClasses LOG = PlogClasses.in("io.plog.log");

    @Test
    void onlyGroupCommitMakesAndSaysThatARecordIsDurable() {
        assertThat(callersOf(Set.of("<init>"), "GroupCommit$Acknowledgement")).containsExactly("GroupCommit");
        assertThat(callersOf(Set.of("reportDurable"), "AppendNotifier")).containsExactly("GroupCommit");
        assertThat(callersOf(Set.of("takeOver"), "AppendNotifier")).containsExactly("GroupCommit");
    }

    @Test
    void callbacksAndFuturesAreCompletedOnlyThroughAnAcknowledgement() {
        assertThat(callersOf(Set.of("onDurable"), "")).containsExactly("Append");
        assertThat(callersOf(WAYS_TO_COMPLETE, "")).containsExactly("DurableFuture");
        assertThat(callersOf(Set.of("finish"), "Append")).containsExactly("Completion");
        assertThat(callersOf(Set.of("finish"), "DurableFuture")).containsExactly("Completion");
        assertThat(callersOf(Set.of("acknowledge"), "Completion"))
                .containsExactlyInAnyOrder("AppendNotifier", "CallerSide");
    }

    /** What completes the appends of other logs is there, and the log of directories comes nowhere near it. */
    @Test
    void howOtherLogsCompleteTheirAppendsIsOutOfReachOfThisLog() {
        assertThat(callersOf(Set.of("<init>", "refuse"), "CallerSide")).isEmpty();
    }

    @Test
    void aBatchIsDoneOnlyAfterItsForceOrWithoutRecords() {
        Set<String> setters = new TreeSet<>();
        for (JavaClass each : LOG) {
            each.getFieldAccessesFromSelf().stream()
                    .filter(access -> access.getAccessType() == AccessType.SET
                            && access.getTarget().getFullName().equals("io.plog.log.Batch.done"))
                    .forEach(access ->
                            setters.add(nameOf(each) + "." + access.getOrigin().getName()));
        }
        assertThat(setters).containsExactlyInAnyOrder("Batch.endForce", "Batch.skip", "BatchBuilder.take");
        assertThat(callersOf(Set.of("endForce"), "Batch")).containsExactly("GroupCommit");
        assertThat(callersOf(Set.of("skip"), "Batch")).containsExactly("LaneScheduler");
    }

    @Test
    void theRuleFitsOnOnePage() throws Exception {
        Path file = Path.of(
                System.getProperty("plog.root", "../.."), "logging-core/src/main/java/io/plog/log/GroupCommit.java");
        assertThat(Files.readAllLines(file)).hasSizeLessThan(155);
    }

    /** The classes that call such a method, of this class or, for an empty name, of any. */
    private static Set<String> callersOf(Set<String> methods, String owner) {
        Set<String> callers = new TreeSet<>();
        for (JavaClass each : LOG) {
            each.getCodeUnitAccessesFromSelf().stream()
                    .filter(call -> methods.contains(call.getTarget().getName())
                            && (owner.isEmpty() || nameOf(call.getTargetOwner()).equals(owner)))
                    .forEach(call -> callers.add(nameOf(each)));
        }
        return callers;
    }

    private static String nameOf(JavaClass each) {
        return each.getName().substring(each.getPackageName().length() + 1);
    }
}
