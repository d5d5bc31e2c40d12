package io.plog.measure.samples;

import java.io.IOException;

/**
 * A sample file is not one, is of a newer format, or is damaged. The message is one line for people: which file, where,
 * what was found and what was expected.
 */
public final class SampleFileException extends IOException {
    SampleFileException(String message) {
        super(message);
    }

    SampleFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
