package io.plog.report.figure;

/**
 * A path in as few characters as a tenth of a unit needs: relative steps, steps in one direction as one, no letter, zero or
 * space that can be left out (SVG 2, section 9.3.9).
 */
final class SvgPath {
    private final StringBuilder path = new StringBuilder();
    private long tenthsX;
    private long tenthsY;
    private long beginX;
    private long beginY;

    /** A step that is not written yet: the next one may extend it. */
    private long pendingX;

    private long pendingY;
    private char letter = ' ';
    private boolean fraction;

    SvgPath move(double x, double y) {
        flush();
        long toX = Math.round(x * 10);
        long toY = Math.round(y * 10);
        String absolute = pair('M', toX, toY);
        String relative = pair('m', toX - tenthsX, toY - tenthsY);
        boolean shorter = path.length() > 0 && relative.length() < absolute.length();
        path.append(shorter ? relative : absolute);
        letter = shorter ? 'm' : 'M';
        tenthsX = beginX = toX;
        tenthsY = beginY = toY;
        return this;
    }

    private static String pair(char command, long x, long y) {
        String second = tenths(y);
        return command + tenths(x) + (second.startsWith("-") ? "" : " ") + second;
    }

    SvgPath line(double x, double y) {
        long right = Math.round(x * 10) - tenthsX;
        long down = Math.round(y * 10) - tenthsY;
        boolean goesOn = (down == 0 && pendingY == 0 && right * pendingX > 0)
                || (right == 0 && pendingX == 0 && down * pendingY > 0);
        if (!goesOn) {
            flush();
        }
        pendingX += right;
        pendingY += down;
        tenthsX += right;
        tenthsY += down;
        return this;
    }

    SvgPath close() {
        flush();
        path.append('Z');
        letter = 'Z';
        tenthsX = beginX;
        tenthsY = beginY;
        return this;
    }

    /** A point, as wide as the stroke if its ends are round. */
    SvgPath dot(double x, double y) {
        move(x, y);
        path.append("h0");
        letter = 'h';
        return this;
    }

    /** A circle around a point. */
    SvgPath circle(double x, double y, double radius) {
        String r = number(radius);
        String across = number(2 * radius);
        move(x - radius, y);
        path.append("a" + r + " " + r + " 0 1 0 " + across + " 0a" + r + " " + r + " 0 1 0-" + across + " 0");
        letter = 'a';
        return this;
    }

    private void flush() {
        if (pendingX != 0 && pendingY != 0) {
            command('l');
            append(pendingX);
            append(pendingY);
        } else if (pendingX != 0) {
            command('h');
            append(pendingX);
        } else if (pendingY != 0) {
            command('v');
            append(pendingY);
        }
        pendingX = 0;
        pendingY = 0;
    }

    private void command(char next) {
        if (next != letter) {
            path.append(next);
        }
        letter = next;
    }

    /** A number, with a space before it only where it would merge with the previous number. */
    private void append(long tenths) {
        String number = tenths(tenths);
        boolean first = Character.isLetter(path.charAt(path.length() - 1));
        if (!first && !number.startsWith("-") && !(number.startsWith(".") && fraction)) {
            path.append(' ');
        }
        path.append(number);
        fraction = number.contains(".");
    }

    @Override
    public String toString() {
        flush();
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
