package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small campaign of two rounds and two cells, in which the disk is twice as fast in the second round. */
final class Example {
    static final Cell ONE = new Cell(1, 1024);
    static final Cell MANY = new Cell(64, 100);

    private Example() {}

    static CampaignResults results() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("fio-fdatasync", "LIMIT");
        kinds.put("fio-direct", "LIMIT");
        kinds.put("plain-fdatasync", "PLAIN");
        kinds.put("plog-fdatasync", "PLOG");
        kinds.put("plog-direct", "PLOG");
        kinds.put("a<b", "PEER");
        List<Measurement> measurements = new ArrayList<>();
        for (Cell cell : List.of(ONE, MANY)) {
            for (int round = 1; round <= 2; round++) {
                measurements.add(measurement("fio-fdatasync", cell, round, 900.0 * round));
                measurements.add(measurement("fio-direct", cell, round, 1000.0 * round));
                measurements.add(measurement("plain-fdatasync", cell, round, 950.0 * round));
                measurements.add(measurement("plog-fdatasync", cell, round, 800.0 * round));
                measurements.add(measurement("plog-direct", cell, round, 970.0 * round));
            }
            measurements.add(measurement("a<b", cell, 1, 500));
        }
        return new CampaignResults(
                1,
                Map.of("cpu", "a fast one"),
                "benchmarks/run sustained DIR",
                42,
                2,
                kinds,
                List.of(ONE, MANY),
                measurements,
                Map.of("b", "something is missing"));
    }

    private static Measurement measurement(String contestant, Cell cell, int round, double perSecond) {
        double micros = 1e6 * cell.outstanding() / perSecond;
        boolean fio = contestant.startsWith("fio");
        return new Measurement(
                contestant,
                cell.label(),
                round,
                100,
                100 / perSecond,
                perSecond,
                micros,
                micros * 2,
                micros * 3,
                micros * 4,
                12.5,
                fio ? null : 64.0,
                round == 1 ? 0.01 : 0.05);
    }
}
