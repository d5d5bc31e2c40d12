package io.plog.host.events;

/**
 * A block device whose traffic is counted.
 *
 * @param majorMinor its numbers as {@code /proc/self/mountinfo} gives them, such as {@code 8:1}
 */
public record CountedDevice(String majorMinor) {}
