package io.plog.app.cli;

/**
 * What to add to the JDK's words when the name of a file cannot be encoded: they name neither the encoding nor where it comes from. The
 * locale decides, and no flag of the JVM does.
 */
final class LocaleHint {
    private LocaleHint() {}

    /** What follows this message: nothing, unless it says that a name cannot be encoded. */
    static String to(String message) {
        return message.contains("unmappable characters")
                ? "; names of files can only have characters of the locale's encoding, "
                        + System.getProperty("sun.jnu.encoding")
                        + " here: set LC_ALL to a locale with UTF-8, such as C.UTF-8"
                : "";
    }
}
