package io.plog.log.storage;

/**
 * What was found on opening a log.
 *
 * @param firstIndex index of the first record kept
 * @param lastIndex index of the last record recovered; {@code firstIndex - 1} if there is none
 * @param markedIndex the durable watermark found in the log: every record up to it was acknowledged as durable
 * @param cleanlyClosed whether the log ended with the mark of a clean close
 * @param cutBytes bytes of a torn tail that were cut, 0 if there was none
 * @param cutFile where the cut bytes were kept, next to the log; empty if nothing was cut. Of a striped log there may be
 *     several, one in each directory, with a comma between; {@code text} says which is where
 * @param setAside as which files segments that are not this log's were set aside, next to the log; empty if there were none
 * @param text one or more lines for people
 */
public record RecoveryReport(
        long firstIndex,
        long lastIndex,
        long markedIndex,
        boolean cleanlyClosed,
        long cutBytes,
        String cutFile,
        String setAside,
        String text) {}
