package io.plog.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PolylineTest {
    /** The distance of a point to the nearest stretch of a line, by trying places along it. */
    private static double distance(double[] point, List<double[]> line) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 1; i < line.size(); i++) {
            for (double at = 0; at <= 1; at += 0.001) {
                double x = line.get(i - 1)[0] + at * (line.get(i)[0] - line.get(i - 1)[0]);
                double y = line.get(i - 1)[1] + at * (line.get(i)[1] - line.get(i - 1)[1]);
                least = Math.min(least, Math.hypot(point[0] - x, point[1] - y));
            }
        }
        return least;
    }

    @Test
    void whatIsLeftOutLiesOnTheLineAsFarAsCanBeSeen() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Polyline line = new Polyline();
        for (int i = 0; i < 200; i++) {
            line.to(i * 0.5, 40 * Math.sin(i / 20.0) + random.nextDouble(0.3));
        }
        Polyline simple = line.simplified(Polyline.SEEN);
        assertThat(simple.points()).as("seed %d", seed).hasSizeLessThan(100);
        assertThat(simple.points().get(0)).isEqualTo(line.points().get(0));
        assertThat(simple.points().get(simple.points().size() - 1))
                .isEqualTo(line.points().get(199));
        for (double[] point : line.points()) {
            assertThat(distance(point, simple.points())).as("seed %d", seed).isLessThan(Polyline.SEEN + 0.01);
        }
    }

    @Test
    void aPeakStaysAndAStraightLineHasTwoEnds() {
        assertThat(new Polyline()
                        .to(0, 0)
                        .to(1, 0)
                        .to(2, 9)
                        .to(3, 0)
                        .to(4, 0)
                        .simplified(Polyline.SEEN)
                        .points())
                .hasSize(5);
        assertThat(new Polyline()
                        .to(0, 0)
                        .to(1, 1)
                        .to(2, 2)
                        .to(3, 3)
                        .simplified(Polyline.SEEN)
                        .points())
                .hasSize(2);
        assertThat(new Polyline().simplified(Polyline.SEEN).points()).isEmpty();
        assertThat(new Polyline().to(1, 1).simplified(Polyline.SEEN).points()).hasSize(1);
    }

    @Test
    void aPathHasNoCharacterTooMany() {
        assertThat(new SvgPath()
                        .move(10, 20)
                        .line(11.3, 20)
                        .line(12.6, 20)
                        .line(12.6, 18)
                        .line(13.9, 18.8)
                        .line(15.2, 19.6))
                .hasToString("M10 20h2.6v-2l1.3.8 1.3.8");
        assertThat(new SvgPath()
                        .move(100, 100)
                        .line(110, 100)
                        .line(105, 100)
                        .move(100, 101)
                        .line(110, 101))
                .hasToString("M100 100h10-5m-5 1h10");
        assertThat(new SvgPath()
                        .move(1, 1)
                        .line(5, 1)
                        .line(5, 5)
                        .close()
                        .move(7, 7)
                        .line(8, 8))
                .hasToString("M1 1h4v4ZM7 7l1 1");
        assertThat(new SvgPath().dot(3, 4).dot(5.5, 4)).hasToString("M3 4h0M5.5 4h0");
    }
}
