package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void whatCouldRewriteATerminalIsReplacedAndTheRestIsAsItWas() {
        assertThat(Printable.of("a\u001b]0;title\u0007b")).isEqualTo("a\uFFFD]0;title\uFFFDb");
        assertThat(Printable.of("\u009b31m\r\n\t\0\u007f")).isEqualTo("\uFFFD31m" + "\uFFFD".repeat(5));
        assertThat(Printable.of("x\u202egpj\u2066\u200f\u2028\u2029\ufeff"))
                .isEqualTo("x\uFFFDgpj" + "\uFFFD".repeat(5));
        assertThat(Printable.of("\ud83d\ude00 \ud83d \ude00")).isEqualTo("\ud83d\ude00 \uFFFD \uFFFD");
        String harmless = "größer, 漢字, \ud83d\ude00, (x=1) <b>";
        assertThat(Printable.of(harmless)).isSameAs(harmless);
        assertThat(Printable.of("")).isEmpty();
    }

    private static TargetDescription target(int id, String name) {
        return new TargetDescription(id, name, "off", Map.of());
    }

    private static Welcome decoded(List<TargetDescription> targets, Map<String, String> facts)
            throws ProtocolException {
        ByteBuf frame = Unpooled.buffer();
        new Welcome(1_000, 1, facts, targets).encode(frame);
        return Welcome.decode(frame);
    }

    @Test
    void whatAServerSaysOfItselfIsPrintable() throws Exception {
        Welcome welcome = decoded(
                List.of(new TargetDescription(1, "\u001b]0;owned\u0007", "o\u202eff", Map.of("k\n", "v\u001b[2J"))),
                Map.of("host", "h\u001b[31m"));
        assertThat(welcome.facts()).containsEntry("host", "h\uFFFD[31m");
        TargetDescription target = welcome.targets().get(0);
        assertThat(target.name()).isEqualTo("\uFFFD]0;owned\uFFFD");
        assertThat(target.force()).isEqualTo("o\uFFFDff");
        assertThat(target.facts()).containsEntry("k\uFFFD", "v\uFFFD[2J");
        ByteBuf goodbye = Unpooled.buffer();
        new Goodbye(GoodbyeCode.IDLE, "bye\u001bc").encode(goodbye);
        assertThat(Goodbye.decode(goodbye).reason()).isEqualTo("bye\uFFFDc");
    }

    private static void assertRefused(String sentence, List<TargetDescription> targets, Map<String, String> facts) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> decoded(targets, facts))
                .withMessageContaining(sentence);
    }

    @Test
    void namesAreBoundedInLengthAndNumber() throws Exception {
        List<TargetDescription> targets = new ArrayList<>();
        for (int i = 0; i < Welcome.MAX_TARGETS; i++) {
            targets.add(target(i, "t" + i));
        }
        assertThat(decoded(targets, Map.of()).targets()).hasSize(64);
        targets.add(target(64, "t64"));
        assertRefused("a WELCOME with 65 targets: expected at most 64", targets, Map.of());
        assertRefused("two targets of id 1 or name 'b'", List.of(target(1, "a"), target(1, "b")), Map.of());
        assertRefused("two targets of id 2 or name 'a'", List.of(target(1, "a"), target(2, "a")), Map.of());
        assertRefused("has 256 characters: expected at most 255", List.of(target(1, "n".repeat(256))), Map.of());
        assertRefused("has 256 characters: expected at most 255", List.of(), Map.of("n".repeat(256), "v"));
        Map<String, String> facts = new java.util.HashMap<>();
        for (int i = 0; i <= Frame.MAX_FACTS; i++) {
            facts.put("f" + i, "v");
        }
        assertRefused("the server's facts are 257: expected at most 256", List.of(), facts);
    }

    @Test
    void aDurationThatCannotBeOneIsNamed() {
        ByteBuf reply = Unpooled.buffer().writeZero(ReplyHeader.BYTES);
        assertThat(ReplyHeader.impossibleDuration(reply)).isNull();
        ReplyHeader.setLogged(reply, 1, 0, 0, 0, ReplyHeader.MAX_DURATION_NANOS, 1);
        assertThat(ReplyHeader.impossibleDuration(reply)).isNull();
        ReplyHeader.setLogged(reply, 1, 0, -1, 0, 0, 1);
        assertThat(ReplyHeader.impossibleDuration(reply)).startsWith("a duration 'batch wait' of -1 ns: expected 0 to");
        ReplyHeader.setLogged(reply, 1, 0, 0, 0, 0, 1);
        ReplyHeader.setResidenceNanos(reply, ReplyHeader.MAX_DURATION_NANOS + 1);
        assertThat(ReplyHeader.impossibleDuration(reply)).startsWith("a duration 'residence' of");
    }
}
