package io.plog.e2e.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Who may use what, as far as the poms cannot say it. */
final class ImportRulesTest {
    private static final JavaClasses PLOG = PlogClasses.ALL;

    @Test
    void theRulesSeeTheClassesOfEveryModule() {
        assertThat(PLOG.stream().map(c -> c.getPackageName()))
                .contains(
                        "io.plog.log",
                        "io.plog.log.micrometer",
                        "io.plog.simdisk",
                        "io.plog.host",
                        "io.plog.stats",
                        "io.plog.protocol",
                        "io.plog.server",
                        "io.plog.client",
                        "io.plog.measure",
                        "io.plog.results",
                        "io.plog.page",
                        "io.plog.app");
    }

    @Test
    void theServerNeverImportsTheClient() {
        neverImports("io.plog.server..", "io.plog.client..", "io.plog.measure..", "io.plog.results..", "io.plog.app..");
    }

    @Test
    void theClientNeverImportsTheServer() {
        neverImports("io.plog.client..", "io.plog.server..");
        neverImports("io.plog.measure..", "io.plog.server..");
        neverImports("io.plog.results..", "io.plog.server..");
    }

    @Test
    void theClientKnowsTheLogOnlyThroughTheProtocol() {
        neverImports("io.plog.client..", "io.plog.log..");
    }

    /** Users who embed it get nothing of the measurements along. */
    @Test
    void theClientUsesNettyAndTheProtocolOnly() {
        usesOnly("io.plog.client..", "io.plog.protocol..", "io.netty..", "javax.net.ssl..");
    }

    @Test
    void whatMeasuresNeverImportsWhatReports() {
        neverImports("io.plog.measure..", "io.plog.results..");
        neverImports("io.plog.results..", "io.plog.page..");
        neverImports("io.plog.page..", "io.plog.measure..", "io.plog.client..");
    }

    @Test
    void onlyPlansAndTheMeasurementOfDisksImportTheLog() {
        check(noClasses()
                .that()
                .resideInAPackage("io.plog.measure..")
                .and()
                .resideOutsideOfPackages("io.plog.measure.disk..", "io.plog.measure.plan..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.plog.log.."));
    }

    @Test
    void onlyCommandsImportPicocli() {
        onlyCommandsImport("picocli..");
    }

    /** Who embeds the server brings a registry of meters of their own. */
    @Test
    void onlyCommandsImportPrometheus() {
        onlyCommandsImport("io.micrometer.prometheusmetrics..", "io.prometheus..");
    }

    @Test
    void onlyCommandsPrintOrExit() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.plog.app..")
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
        // com.sun.nio.file is where the JDK keeps the open option for direct I/O.
        check(classes()
                .that()
                .resideInAPackage("io.plog.log..")
                .and()
                .resideOutsideOfPackage("io.plog.log.micrometer")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.plog.log..", "java..", "org.jspecify..", "jdk..", "com.sun.nio.file")));
    }

    /** What lies on disk knows nothing of segments and recovery, and these nothing of the log that is appended to. */
    @Test
    void theRoomsOfTheLogUseOnlyThoseBelowThem() {
        usesOnly("io.plog.log.storage");
        usesOnly("io.plog.log.file", "io.plog.log.storage", "jdk..", "com.sun.nio.file");
        usesOnly("io.plog.log.segment", "io.plog.log.file", "io.plog.log.storage");
    }

    /** The module exports neither, which the class path does not see. */
    @Test
    void nobodyOutsideLooksIntoTheInnerRoomsOfTheLog() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.plog.log", "io.plog.log.file", "io.plog.log.segment")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.plog.log.file", "io.plog.log.segment"));
    }

    @Test
    void theMetersOfTheLogUseMicrometerAndTheLogOnly() {
        usesOnly("io.plog.log.micrometer", "io.plog.log", "io.micrometer.core.instrument..");
    }

    @Test
    void simulatedDisksUseTheLogOnly() {
        usesOnly("io.plog.simdisk..", "io.plog.log..");
    }

    @Test
    void theProtocolUsesBuffersCodecsAndTlsOnly() {
        // A codec of Netty names the channel's context and its buffers in its signatures.
        usesOnly(
                "io.plog.protocol..",
                "javax.management..",
                "io.netty.buffer..",
                "io.netty.handler.codec..",
                "io.netty.handler.ssl..",
                "javax.net.ssl..",
                "javax.security.auth.x500..",
                "io.netty.channel..",
                "io.netty.util..");
    }

    /** A process that records what interrupts it, client or server, needs nothing but the JDK for it. */
    @Test
    void theHostUsesTheJdkOnly() {
        usesOnly("io.plog.host..", "javax.management..", "com.sun.management..");
    }

    @Test
    void statisticsAreArithmeticOnly() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.plog.stats", "io.plog.stats.text..")
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

    private static void onlyCommandsImport(String... others) {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.plog.app..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others));
    }

    /** Itself, the JDK's own, its notes on null, and these. */
    private static void usesOnly(String packages, String... others) {
        check(classes()
                .that()
                .resideInAPackage(packages)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(packages, "java..", "org.jspecify..").or(resideInAnyPackage(others))));
    }

    private static void neverImports(String packages, String... others) {
        check(noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others));
    }

    private static void check(ArchRule rule) {
        rule.check(PLOG);
    }
}
