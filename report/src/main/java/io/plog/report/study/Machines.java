package io.plog.report.study;

import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyPlan;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Machines of different speed side by side: here one machine whose server may use only a part of it. Stateless. */
final class Machines {
    private Machines() {}

    /**
     * The machines of a plan.
     *
     * @param loads of relative loads with limited processors
     */
    static List<Machine> of(StudyPlan plan, List<Limited> loads) {
        List<Machine> machines = new ArrayList<>();
        for (double processors : plan.levels().processors()) {
            List<MachineLatency> latencies = loads.stream()
                    .filter(load -> load.processors == processors)
                    .map(Limited::latency)
                    .toList();
            machines.add(new Machine(StudyCell.machine(processors), processors, latencies));
        }
        return machines;
    }

    /** The results of a design at a relative load with so many processors. */
    record Limited(double processors, MachineLatency latency) {
        /** Empty if no request was accepted. */
        static Optional<Limited> of(List<CellData> trials) {
            StudyCell cell = trials.get(0).cell();
            return Distributions.replicates(trials, Distributions::latency)
                    .map(latency -> new Limited(
                            cell.processors(),
                            new MachineLatency(
                                    cell.design().label(),
                                    cell.level(),
                                    Distributions.latency(latency).mean())));
        }
    }
}
