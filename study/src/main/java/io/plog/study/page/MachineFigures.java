package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.study.StudyResults.Capacity;
import io.plog.study.StudyResults.Estimate;
import io.plog.study.StudyResults.Machine;
import io.plog.study.StudyResults.MachineLatency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The same on machines of different speed: capacity, and mean latency against relative load. */
final class MachineFigures {
    private static final double HEIGHT = 150;

    private final StudyView study;
    private final List<Machine> machines;

    MachineFigures(StudyView study) {
        this.study = study;
        machines = study.results().machines().stream()
                .sorted(Comparator.comparingDouble(Machine::processors))
                .toList();
    }

    List<Capacity> capacities(String machine) {
        return study.results().capacities().stream()
                .filter(capacity -> capacity.machine().equals(machine))
                .toList();
    }

    @Nullable
    Figure capacity() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<String> designs = new ArrayList<>();
        List<String> sizes = new ArrayList<>();
        for (Machine machine : machines) {
            for (Capacity c : capacities(machine.label())) {
                designs.add(c.design());
                sizes.add(c.sizes());
                rows.add(Table.row(
                        machine.label(),
                        machine.processors(),
                        c.design(),
                        c.sizes(),
                        c.requestsPerSecond().value(),
                        c.requestsPerSecond().low(),
                        c.requestsPerSecond().high(),
                        c.megabytesPerSecond().value()));
            }
        }
        if (rows.isEmpty()) {
            return null;
        }
        List<Panel> panels = sizes.stream().distinct().map(this::capacityPanel).toList();
        return new Figure(
                "machine-capacity",
                "Capacity on machines of different speed",
                "Requests per second at infinite demand against the processors that the server may use. "
                        + rows.stream()
                                .map(row -> row.get(0) + ", " + row.get(2) + ", " + row.get(3) + ": "
                                        + (row.get(4) instanceof Double rate ? StudyNumbers.perSecond(rate) : "–")
                                        + "/s")
                                .collect(Collectors.joining("; "))
                        + ".",
                StudyPalette.key(
                        study.designs(),
                        designs.stream()
                                .distinct()
                                .filter(d -> study.index(d) >= 0)
                                .toList()),
                panels.stream().map(List::of).toList(),
                List.of(
                        "Bars: 95 % intervals over trials. A line that rises with the processors is not held back by the disk."),
                new Table(
                        List.of("machine", "processors", "design", "sizes", "requests/s", "low", "high", "MB/s"),
                        rows));
    }

    private Panel capacityPanel(String sizes) {
        List<Mark> marks = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (String design : study.designs()) {
            Style style = StudyPalette.line(study.index(design));
            List<double[]> points = new ArrayList<>();
            for (Machine machine : machines) {
                for (Capacity c : capacities(machine.label())) {
                    if (c.design().equals(design) && c.sizes().equals(sizes)) {
                        mark(marks, machine.processors(), c.requestsPerSecond(), style);
                        CapacityFigure.ends(c.requestsPerSecond()).forEach(values::add);
                        points.add(new double[] {
                            machine.processors(), c.requestsPerSecond().value()
                        });
                    }
                }
            }
            line(marks, points, style);
        }
        Axis y = Axes.fromZero("requests/s", values.stream().mapToDouble(value -> value), HEIGHT, Ticks::number);
        return Panel.of(sizes, processors(), y, HEIGHT, marks);
    }

    private Axis processors() {
        return Axes.fromZero(
                "processors that the server may use",
                machines.stream().mapToDouble(Machine::processors),
                Axes.width(1),
                Ticks::number);
    }

    @Nullable
    Figure latency() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Machine machine : machines) {
            for (MachineLatency latency : machine.meanLatency()) {
                CapacityFigure.ends(latency.meanMicros()).forEach(values::add);
                rows.add(Table.row(
                        machine.label(),
                        machine.processors(),
                        latency.design(),
                        latency.level(),
                        latency.meanMicros().value(),
                        latency.meanMicros().low(),
                        latency.meanMicros().high()));
            }
        }
        if (rows.isEmpty()) {
            return null;
        }
        List<String> labels = machines.stream().map(Machine::label).toList();
        Axis y = Axes.logTime("mean latency", values.stream().mapToDouble(value -> value), HEIGHT);
        Axis x = Axes.levels(machines.stream()
                .flatMap(machine -> machine.meanLatency().stream())
                .mapToDouble(MachineLatency::level)
                .toArray());
        List<Panel> panels = new ArrayList<>();
        for (String design : study.designs()) {
            List<Mark> marks = latencyMarks(design);
            if (!marks.isEmpty()) {
                panels.add(Panel.of(design, x, y, HEIGHT, marks));
            }
        }
        return new Figure(
                "machine-latency",
                "Mean latency against relative load, for each machine",
                "Mean latency at shares of each machine's own capacity, a panel for each design. "
                        + machines.stream().map(MachineFigures::words).collect(Collectors.joining(" ")),
                StudyPalette.key(labels, labels),
                Axes.grid(panels, 2),
                List.of("Logarithmic latency. Where the lines lie on each other, a faster processor did not help."),
                new Table(List.of("machine", "processors", "design", "level", "mean µs", "low", "high"), rows));
    }

    private List<Mark> latencyMarks(String design) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            Style style = StudyPalette.line(i);
            List<double[]> points = new ArrayList<>();
            machines.get(i).meanLatency().stream()
                    .filter(latency -> latency.design().equals(design))
                    .sorted(Comparator.comparingDouble(MachineLatency::level))
                    .forEach(latency -> {
                        mark(marks, latency.level(), latency.meanMicros(), style);
                        points.add(new double[] {
                            latency.level(), latency.meanMicros().value()
                        });
                    });
            line(marks, points, style);
        }
        return marks;
    }

    private static void mark(List<Mark> marks, double at, Estimate value, Style style) {
        Double low = value.low();
        Double high = value.high();
        if (low != null && high != null && low > 0) {
            marks.add(new Mark.Whisker(at, low, high, style.withoutDash().wide(1.2), 5));
        }
        marks.add(new Mark.Point(at, value.value(), Mark.Shape.DOT, style.colour()));
    }

    private static void line(List<Mark> marks, List<double[]> points, Style style) {
        if (points.size() > 1) {
            marks.add(new Mark.Line(
                    points.stream().mapToDouble(point -> point[0]).toArray(),
                    points.stream().mapToDouble(point -> point[1]).toArray(),
                    style,
                    false));
        }
    }

    private static String words(Machine machine) {
        return machine.label() + ": "
                + machine.meanLatency().stream()
                        .map(latency -> latency.design() + " at " + StudyNumbers.level(latency.level()) + " "
                                + Micros.withUnit(latency.meanMicros().value()))
                        .collect(Collectors.joining(", "))
                + ".";
    }
}
