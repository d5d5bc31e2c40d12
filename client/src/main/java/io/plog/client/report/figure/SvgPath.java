package io.plog.client.report.figure;

/**
 * The path of a curve, in as few characters as a tenth of a unit needs: relative steps, no needless zeros, and no step that
 * would not be seen.
 */
final class SvgPath {
    private final StringBuilder path = new StringBuilder();
    private long tenthsX;
    private long tenthsY;

    SvgPath move(double x, double y) {
        tenthsX = Math.round(x * 10);
        tenthsY = Math.round(y * 10);
        path.append('M').append(tenths(tenthsX)).append(' ').append(tenths(tenthsY));
        return this;
    }

    SvgPath line(double x, double y) {
        long right = Math.round(x * 10) - tenthsX;
        long down = Math.round(y * 10) - tenthsY;
        if (right == 0 && down == 0) {
            return this;
        }
        if (down == 0) {
            path.append('h').append(tenths(right));
        } else if (right == 0) {
            path.append('v').append(tenths(down));
        } else {
            String second = tenths(down);
            path.append('l')
                    .append(tenths(right))
                    .append(second.startsWith("-") ? "" : " ")
                    .append(second);
        }
        tenthsX += right;
        tenthsY += down;
        return this;
    }

    SvgPath close() {
        path.append('Z');
        return this;
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** A number of at most one decimal. */
    static String number(double value) {
        return tenths(Math.round(value * 10));
    }

    private static String tenths(long tenths) {
        long whole = Math.abs(tenths) / 10;
        long rest = Math.abs(tenths) % 10;
        String sign = tenths < 0 ? "-" : "";
        return sign + (whole == 0 && rest != 0 ? "" : whole) + (rest == 0 ? "" : "." + rest);
    }
}
