package io.plog.stats.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them. Stateless, safe for any thread. */
public final class Units {
    /** So that 0.29, which is a little less as a binary number, is not cut to 28.9 %. */
    private static final double ROUNDING = 1e-6;

    private Units() {}

    /** Rounded, so that a JSON file has no meaningless digits. */
    public static double rounded(double value, int digits) {
        double factor = Math.pow(10, digits);
        return Math.round(value * factor) / factor;
    }

    /** Rounded to so many significant digits: for shares and densities, whose magnitudes differ. */
    public static double significant(double value, int digits) {
        return value == 0 || Double.isNaN(value) || Double.isInfinite(value)
                ? value
                : new BigDecimal(value).round(new MathContext(digits)).doubleValue();
    }

    /** A payload size as {@code --sizes} takes it: 100 B, 10 kB, 64 KiB. */
    public static String size(int bytes) {
        if (bytes >= 1_000_000 && bytes % 1_000_000 == 0) {
            return bytes / 1_000_000 + " MB";
        }
        if (bytes >= 1000 && bytes % 1000 == 0) {
            return bytes / 1000 + " kB";
        }
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        if (bytes >= 1024 && bytes % 1024 == 0) {
            return (bytes >> 10) + " KiB";
        }
        return bytes + " B";
    }

    /** Three significant digits below 1000 and whole numbers above; two decimals at most. */
    public static String threeDigits(double value) {
        double size = Math.abs(value);
        String pattern = size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }

    /** So many significant digits, without trailing zeros and without an exponent. */
    public static String significantDigits(double value, int digits) {
        return new BigDecimal(value)
                .round(new MathContext(digits))
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * A share, from 0 to 1, as per cent: one decimal, and a second one where it matters, above 99.9 and below 0.1. A share just
     * below all or above none is cut, not rounded: 100 % means all.
     */
    public static String percent(double share) {
        if (share == 1 || share == 0) {
            return share == 1 ? "100 %" : "0 %";
        }
        double hundredths = Math.floor(share * 10_000 + ROUNDING);
        if (hundredths < 1) {
            return "< 0.01 %";
        }
        boolean two = hundredths > 9990 || hundredths < 10;
        return String.format(
                Locale.ROOT, two ? "%.2f %%" : "%.1f %%", two ? hundredths / 100 : Math.floor(hundredths / 10) / 10);
    }

    /** A share as whole per cent, where there is room for no more. */
    public static String wholePercent(double share) {
        return Math.round(share * 100) + " %";
    }

    /** How many times as much, with three significant digits or one decimal. */
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, ratio >= 9.995 ? "x%.1f" : "x%.2f", ratio);
    }

    /** A number with all its digits and without an exponent. */
    public static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** A whole number with commas between its thousands. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
