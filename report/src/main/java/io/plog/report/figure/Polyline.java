package io.plog.report.figure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The corners of a curve as it is drawn, in user units. */
final class Polyline {
    /** A corner nearer than this to the line, in user units, cannot be seen: lines are at least a unit wide. */
    static final double SEEN = 0.2;

    /** The same of a curve of many small steps, which looks smooth. */
    static final double SEEN_IN_STEPS = 0.4;

    /** The same of the edge of a pale area, which has no line of its own. */
    static final double SEEN_AT_EDGE = 0.6;

    private final List<double[]> points = new ArrayList<>();

    Polyline to(double x, double y) {
        points.add(new double[] {x, y});
        return this;
    }

    /** Continues with another one, from its end to its beginning. */
    Polyline backwards(Polyline other) {
        List<double[]> reversed = new ArrayList<>(other.points);
        Collections.reverse(reversed);
        points.addAll(reversed);
        return this;
    }

    /**
     * The same with fewer corners (Ramer 1972, Douglas and Peucker 1973). The ends stay.
     *
     * @param seen how far from the new line, in user units, a corner that was left out may lie
     */
    Polyline simplified(double seen) {
        boolean[] kept = new boolean[points.size()];
        Deque<int[]> stretches = new ArrayDeque<>();
        if (!points.isEmpty()) {
            kept[0] = true;
            kept[points.size() - 1] = true;
            stretches.push(new int[] {0, points.size() - 1});
        }
        while (!stretches.isEmpty()) {
            int[] stretch = stretches.pop();
            int farthest = farthest(stretch[0], stretch[1], seen);
            if (farthest >= 0) {
                kept[farthest] = true;
                stretches.push(new int[] {stretch[0], farthest});
                stretches.push(new int[] {farthest, stretch[1]});
            }
        }
        Polyline simple = new Polyline();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i]) {
                simple.points.add(points.get(i));
            }
        }
        return simple;
    }

    /** The point between two others that is farthest from the line between them; -1 if none is far enough to be seen. */
    private int farthest(int from, int to, double seen) {
        int farthest = -1;
        double most = seen;
        for (int i = from + 1; i < to; i++) {
            double distance = distance(points.get(i), points.get(from), points.get(to));
            if (distance > most) {
                most = distance;
                farthest = i;
            }
        }
        return farthest;
    }

    private static double distance(double[] point, double[] from, double[] to) {
        double alongX = to[0] - from[0];
        double alongY = to[1] - from[1];
        double length = alongX * alongX + alongY * alongY;
        double at = length == 0
                ? 0
                : Math.max(0, Math.min(1, ((point[0] - from[0]) * alongX + (point[1] - from[1]) * alongY) / length));
        return Math.hypot(point[0] - from[0] - at * alongX, point[1] - from[1] - at * alongY);
    }

    List<double[]> points() {
        return points;
    }

    SvgPath path() {
        SvgPath path = new SvgPath();
        for (int i = 0; i < points.size(); i++) {
            double[] point = points.get(i);
            if (i == 0) {
                path.move(point[0], point[1]);
            } else {
                path.line(point[0], point[1]);
            }
        }
        return path;
    }
}
