package io.plog.report.figure;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * One axis of a panel.
 *
 * @param label what it shows, with the unit
 * @param scale how values become positions
 * @param min value at its beginning; above 0 on a logarithmic scale
 * @param max value at its end; above {@code min}
 * @param ticks where it is divided, ascending
 * @param bare whether its label and its ticks' labels are left out, because the neighbour has them
 */
public record Axis(String label, Scale scale, double min, double max, List<Tick> ticks, boolean bare) {

    /** How values become positions. */
    public enum Scale {
        /** Equal distances are equal differences. */
        LINEAR,
        /** Equal distances are equal ratios. */
        LOG,
        /** The inverse hyperbolic sine of a tenth: linear around 0, logarithmic far from it, on both sides. */
        ARSINH
    }

    /**
     * Where an axis is divided.
     *
     * @param label empty for a division without a label
     */
    public record Tick(double at, String label) {}

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the range is empty, or not positive on a logarithmic scale
     */
    public Axis {
        if (!(min < max) || (scale == Scale.LOG && !(min > 0))) {
            throw new IllegalArgumentException("axis \"" + label + "\" from " + min + " to " + max + " with scale "
                    + scale + ", expected an ascending range, above 0 on a logarithmic one");
        }
        ticks = List.copyOf(ticks);
    }

    /**
     * A logarithmic axis that holds values with some room; those that are not above 0 do not count.
     *
     * @param pixels how long it is drawn
     * @param show how a tick is labelled
     */
    public static Axis log(String label, DoubleStream values, double pixels, DoubleFunction<String> show) {
        double[] positive = values.filter(value -> value > 0 && Double.isFinite(value))
                .sorted()
                .toArray();
        double min = positive.length == 0 ? 1 : positive[0] / 1.15;
        double max = positive.length == 0 ? 10 : positive[positive.length - 1] * 1.15;
        if (max / min < 4) {
            double middle = min * Math.sqrt(max / min); // no product: that of tiny numbers is 0
            min = middle / 2;
            max = middle * 2;
        }
        return new Axis(label, Scale.LOG, min, max, Ticks.log(min, max, pixels, show), false);
    }

    /** The same without labels. */
    public Axis withoutLabels() {
        return new Axis(label, scale, min, max, ticks, true);
    }

    /** The same with its labels. */
    public Axis withLabels() {
        return new Axis(label, scale, min, max, ticks, false);
    }

    /** Where a value lies: 0 at the beginning, 1 at the end, beyond them outside. Below 0 on a logarithmic one: -1. */
    public double place(double value) {
        if (scale == Scale.LOG && !(value > 0)) {
            return -1;
        }
        return (along(value) - along(min)) / (along(max) - along(min));
    }

    private double along(double value) {
        return switch (scale) {
            case LINEAR -> value;
            case LOG -> Math.log(value);
            case ARSINH -> {
                double tenth = value / 10;
                yield Math.signum(tenth) * Math.log(Math.abs(tenth) + Math.sqrt(tenth * tenth + 1));
            }
        };
    }
}
