package io.plog.log.segment;

/**
 * The file of a segment that was dropped and is kept to be used again.
 *
 * @param name a temporary name: under it the file is no part of the log
 * @param bytes its length
 */
record DroppedSegment(String name, long bytes) {}
