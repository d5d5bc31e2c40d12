package io.plog.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.plog.protocol.Printable;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may use what, as far as the poms cannot say it. */
final class ImportRulesTest {
    private static final String[] COMMANDS = {"io.plog.app..", "io.plog.server.cli..", "io.plog.client.cli.."};

    @SuppressWarnings("NullAway.Init")
    private static JavaClasses plog;

    @BeforeAll
    static void importAll() {
        plog = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.plog");
    }

    @Test
    void theRulesSeeTheClassesOfEveryModule() {
        assertThat(plog.stream().map(c -> c.getPackageName()))
                .contains("io.plog.log", "io.plog.protocol", "io.plog.server", "io.plog.client", "io.plog.app");
    }

    @Test
    void theServerNeverImportsTheClient() {
        check(noClasses()
                .that()
                .resideInAPackage("io.plog.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.plog.client.."));
    }

    @Test
    void theClientNeverImportsTheServer() {
        check(noClasses()
                .that()
                .resideInAPackage("io.plog.client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.plog.server.."));
    }

    @Test
    void theClientKnowsTheLogOnlyThroughTheProtocol() {
        check(noClasses()
                .that()
                .resideInAPackage("io.plog.client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.plog.log.."));
    }

    @Test
    void onlyCommandsImportPicocli() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(COMMANDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli.."));
    }

    @Test
    void onlyCommandsPrintOrExit() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(COMMANDS)
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .orShould()
                .callMethod(Throwable.class, "printStackTrace"));
    }

    @Test
    void theLogUsesTheJdkOnly() {
        check(classes()
                .that()
                .resideInAPackage("io.plog.log..")
                .should()
                .onlyDependOnClassesThat()
                // com.sun.nio.file is where the JDK keeps the open option for direct I/O.
                .resideInAnyPackage("io.plog.log..", "java..", "jdk..", "com.sun.nio.file", "org.jspecify.."));
    }

    @Test
    void theProtocolUsesBuffersAndCodecsOnly() {
        check(classes()
                .that()
                .resideInAPackage("io.plog.protocol..")
                .should()
                .onlyDependOnClassesThat()
                // A codec of Netty names the channel's context and its buffers in its signatures.
                .resideInAnyPackage(
                        "io.plog.protocol..",
                        "java..",
                        "javax.management..",
                        "org.jspecify..",
                        "io.netty.buffer..",
                        "io.netty.handler.codec..",
                        "io.netty.channel..",
                        "jdk.jfr..",
                        "io.netty.util.."));
    }

    /** Whoever records what interrupts it, client or server, needs nothing but the JDK for it. */
    @Test
    void eventsUseTheJdkOnlyAndWhatMakesTextsPrintable() {
        check(classes()
                .that()
                .resideInAPackage("io.plog.protocol.events..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "io.plog.protocol.events..",
                                "java..",
                                "javax.management..",
                                "jdk.jfr..",
                                "org.jspecify..")
                        .or(type(Printable.class))));
    }

    @Test
    void statisticsAreArithmeticOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("io.plog.client.stats..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.nio..", "java.net..", "io.netty..", "com.fasterxml..")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethod(Instant.class, "now"));
    }

    private static void check(ArchRule rule) {
        rule.check(plog);
    }
}
