package io.plog.e2e.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of the program, read once for all rules. */
final class PlogClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("/log/testing/"))
            .importPackages("io.plog");

    private PlogClasses() {}

    /** Those of a package and of the ones below it. */
    static JavaClasses in(String name) {
        return ALL.that(JavaClass.Predicates.resideInAPackage(name + ".."));
    }
}
