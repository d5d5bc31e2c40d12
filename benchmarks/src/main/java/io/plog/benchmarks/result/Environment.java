package io.plog.benchmarks.result;

import java.util.List;

/**
 * Where and with what a campaign ran.
 *
 * @param date when it began, UTC
 * @param commit of the repository; ends with {@code +} if files were changed since
 * @param cpu its name, and how many processors
 * @param memory such as {@code 23 GiB}
 * @param kernel its release
 * @param fileSystem its type and mount options
 * @param device the block device, and what the kernel says of its cache
 * @param jdk vendor and version
 * @param jvmFlags the flags of every contestant's JVM
 * @param fio its version
 * @param libraries the peers' jar files
 */
public record Environment(
        String date,
        String commit,
        String cpu,
        String memory,
        String kernel,
        String fileSystem,
        String device,
        String jdk,
        String jvmFlags,
        String fio,
        List<String> libraries) {}
