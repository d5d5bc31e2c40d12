package io.plog.app.cli;

/**
 * Adds advice to the JDK's message for a file name that cannot be encoded: the message does not name the encoding. The
 * locale decides it, and no flag of the JVM does.
 */
final class LocaleHint {
    private LocaleHint() {}

    /** The advice that follows this message; empty if the message is about something else. */
    static String to(String message) {
        return message.contains("unmappable characters")
                ? "; names of files can only have characters of the locale's encoding, "
                        + System.getProperty("sun.jnu.encoding")
                        + " here: set LC_ALL to a locale with UTF-8, such as C.UTF-8"
                : "";
    }
}
