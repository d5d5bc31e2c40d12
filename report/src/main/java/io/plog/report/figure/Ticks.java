package io.plog.report.figure;

import io.plog.report.figure.Axis.Tick;
import io.plog.stats.text.Units;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** Where axes are divided. Stateless. */
public final class Ticks {
    private static final double ROUNDING = 1e-9;

    /** Least distance of two labels above each other. */
    static final int LABEL_PIXELS = 14;

    private Ticks() {}

    /**
     * Divisions at 1 to 9 of every decade, with labels where there is room.
     *
     * @param pixels length of the axis
     * @param label makes a value's label
     */
    public static List<Tick> log(double min, double max, double pixels, DoubleFunction<String> label) {
        double perDecade = pixels / Math.max(0.1, Math.log10(max / min));
        List<Integer> labelled = perDecade > 150 ? List.of(1, 2, 5) : perDecade > 88 ? List.of(1, 3) : List.of(1);
        int every = perDecade < 34 ? (int) Math.ceil(34 / perDecade) : 1;
        List<Tick> ticks = new ArrayList<>();
        for (int decade = (int) Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade++) {
            for (int digit = 1; digit <= 9; digit++) {
                double at = rounded(digit * Math.pow(10, decade));
                if (at < min * (1 - ROUNDING) || at > max * (1 + ROUNDING) || (digit > 1 && perDecade < 20)) {
                    continue;
                }
                boolean shown = labelled.contains(digit) && Math.floorMod(decade, every) == 0;
                ticks.add(new Tick(at, shown ? label.apply(at) : ""));
            }
        }
        return ticks;
    }

    /** Round values at about equal distances, at most {@code most} + 1 of them. */
    public static List<Tick> linear(double min, double max, int most, DoubleFunction<String> label) {
        double rough = (max - min) / Math.max(1, most);
        double decade = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = DoubleStream.of(1, 2, 5, 10)
                .map(digit -> digit * decade)
                .filter(candidate -> candidate >= rough * (1 - ROUNDING))
                .findFirst()
                .orElse(10 * decade);
        List<Tick> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(min / step - ROUNDING); i * step <= max * (1 + ROUNDING); i++) {
            double at = rounded(i * step);
            ticks.add(new Tick(at, label.apply(at)));
        }
        return ticks;
    }

    /**
     * 0 and the powers of ten on both sides of it, for {@link Axis.Scale#ARSINH}; without those that would be nearer than
     * {@value #LABEL_PIXELS} to the one towards 0, so that 0 keeps its label.
     *
     * @param pixels length of the axis
     */
    public static List<Tick> arsinh(double min, double max, double pixels, DoubleFunction<String> label) {
        Axis axis = new Axis("", Axis.Scale.ARSINH, min, max, List.of(), false);
        List<Tick> ticks = new ArrayList<>();
        for (int sign : new int[] {-1, 1}) {
            double last = axis.place(0);
            for (int power = 1; power <= 9; power++) {
                double at = sign * Math.pow(10, power);
                if (at >= min && at <= max && Math.abs(axis.place(at) - last) * pixels >= LABEL_PIXELS) {
                    last = axis.place(at);
                    ticks.add(new Tick(at, label.apply(at)));
                }
            }
        }
        if (min <= 0 && max >= 0) {
            ticks.add(new Tick(0, label.apply(0)));
        }
        ticks.sort(Comparator.comparingDouble(Tick::at));
        return ticks;
    }

    /** A number with three significant digits. */
    public static String number(double value) {
        return Units.significantDigits(value, 3);
    }

    /** A share as per cent with as many decimals as it needs. */
    public static String percent(double share) {
        return Units.significantDigits(share * 100, 6) + " %";
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(10)).doubleValue();
    }
}
