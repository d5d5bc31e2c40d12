package io.plog.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static void add(Answers answers, long number, int storedBytes) {
        answers.add(number, 1000 + number, 5, (int) number, storedBytes < 0 ? null : new byte[storedBytes]);
    }

    @Test
    void numbersAreUnsigned() {
        Answers answers = new Answers(2, HeapArrays.JVM);
        add(answers, Long.MAX_VALUE, -1);
        add(answers, Long.MIN_VALUE, -1); // one more
        assertThat(answers.isBeyondAll(Long.MAX_VALUE)).isFalse();
        assertThat(answers.isBeyondAll(Long.MIN_VALUE + 1)).isTrue();
        add(answers, -1, -1);
        assertThat(answers.isOutdated(Long.MAX_VALUE)).isTrue();
        assertThat(answers.isOutdated(0)).isTrue();
        assertThat(answers.isOutdated(Long.MIN_VALUE)).isFalse();
        assertThat(answers.isBeyondAll(-1)).isFalse();
    }

    @Test
    void theFloorIsTheHighestNumberForgottenInWhateverOrderTheyCame() {
        Answers answers = new Answers(2, HeapArrays.JVM);
        add(answers, 9, -1);
        add(answers, 5, -1);
        add(answers, 6, -1); // forgets 9
        assertThat(answers.isOutdated(7)).isTrue();
        assertThat(answers.find(6)).isNotNull();
        add(answers, 20, -1); // forgets 5
        assertThat(answers.floor()).isEqualTo(9);
    }

    @Test
    void afterForgettingEverythingTheNumbersAreNotNewAgain() {
        Answers answers = new Answers(4, HeapArrays.JVM);
        add(answers, 7, 3);
        answers.forgetOldest();
        assertThat(answers.isBeyondAll(7)).isFalse();
        assertThat(answers.isOutdated(7)).isTrue();
        assertThat(answers.isBeyondAll(8)).isTrue();
        answers.clear();
        assertThat(answers.isBeyondAll(7)).isTrue();
        assertThat(answers.isOutdated(7)).isFalse();
    }

    @Test
    void theRingHoldsWhatAPlainQueueHoldsThroughGrowthAndWrapAround() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            int window = 1 + random.nextInt(40);
            Answers answers = new Answers(window, HeapArrays.JVM);
            Deque<Long> model = new ArrayDeque<>();
            for (long number = 1; number <= 200; number++) {
                if (!model.isEmpty() && random.nextInt(5) == 0) {
                    answers.forgetOldest();
                    model.removeFirst();
                }
                add(answers, number, random.nextInt(3) - 1);
                model.addLast(number);
                if (model.size() > window) {
                    model.removeFirst();
                }
                for (Answers each : new Answers[] {answers, answers.copy()}) {
                    assertHolds(each, model, "seed " + seed + ", window " + window);
                }
            }
        }
    }

    private static void assertHolds(Answers answers, Deque<Long> model, String what) {
        assertThat(answers.count()).as(what).isEqualTo(model.size());
        long bytes = 0;
        int i = 0;
        for (long number : model) {
            assertThat(answers.number(i)).as(what).isEqualTo(number);
            assertThat(answers.index(i)).as(what).isEqualTo(1000 + number);
            RecordedAnswer found = answers.find(number);
            assertThat(found).as(what).isNotNull();
            byte[] stored = answers.answer(i);
            bytes += stored == null ? 0 : stored.length;
            i++;
        }
        assertThat(answers.storedBytes()).as(what).isEqualTo(bytes);
    }

    @Test
    void aCopyDoesNotChangeWithItsOriginal() {
        Answers answers = new Answers(2, HeapArrays.JVM);
        add(answers, 1, 4);
        Answers copy = answers.copy();
        add(answers, 2, 4);
        add(answers, 3, 4);
        assertThat(copy.count()).isEqualTo(1);
        assertThat(copy.find(1)).isNotNull();
        assertThat(copy.forgotSome()).isFalse();
        assertThat(copy.storedBytes()).isEqualTo(4);
    }
}
