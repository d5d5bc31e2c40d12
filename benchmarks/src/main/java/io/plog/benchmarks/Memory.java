package io.plog.benchmarks;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the collectors of this JVM have done. */
final class Memory {
    /** Collectors of the young generation: every other one collects the whole heap. */
    private static final Set<String> YOUNG = Set.of("Copy", "PS Scavenge", "G1 Young Generation");

    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);

    private Memory() {}

    /** How many collections of the whole heap there were. */
    static long fullCollections() {
        return COLLECTORS.stream()
                .filter(collector -> !YOUNG.contains(collector.getName()))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** What was used of the heap after the last collection of any kind; 0 if there was none. */
    static long heapAfterGcBytes() {
        long latest = -1;
        long bytes = 0;
        Set<String> heapPools = heapPools();
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            GcInfo last = collector.getLastGcInfo();
            if (last != null && last.getEndTime() > latest) {
                latest = last.getEndTime();
                bytes = last.getMemoryUsageAfterGc().entrySet().stream()
                        .filter(pool -> heapPools.contains(pool.getKey()))
                        .map(Map.Entry::getValue)
                        .mapToLong(MemoryUsage::getUsed)
                        .sum();
            }
        }
        return bytes;
    }

    private static Set<String> heapPools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toUnmodifiableSet());
    }
}
