package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of HELLO, WELCOME and GOODBYE, as docs/protocol.md draws them. */
class FramesTest {
    private interface Decoder {
        Object decode(ByteBuf frame) throws ProtocolException;
    }

    private static final String HELLO = Bytes.hex("0000000c 01 00 0001 504c4f47 00000000");
    private static final String GOODBYE = Bytes.hex("00000008 05 00 0004 0002 6869");
    private static final String WELCOME = Bytes.hex(
            "00000033 02 00 0001 00100000 00000100",
            "0001 0002 6f73 0005 4c696e7578",
            "0001 0007 0001 61 0005 6673796e63 0001 0002 6673 0004 65787434");
    private static final Welcome WELCOMED = new Welcome(
            1 << 20, 256, Map.of("os", "Linux"), List.of(new TargetDescription(7, "a", "fsync", Map.of("fs", "ext4"))));

    @Test
    void helloHasTheBytesOfTheSpecification() throws Exception {
        ByteBuf out = Unpooled.buffer();
        Hello.encode(out, "");
        assertThat(Bytes.hex(out)).isEqualTo(HELLO);
        Hello.read(out);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void helloCarriesAToken() throws Exception {
        ByteBuf out = Unpooled.buffer();
        Hello.encode(out, "abc");
        assertThat(Bytes.hex(out)).isEqualTo(Bytes.hex(Bytes.ofHex("0000000f 01 00 0001 504c4f47 00000003 616263")));
        assertThat(Hello.read(out)).isEqualTo("abc");
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void helloAndWelcomeOfAnotherVersionAreRefusedByNameWhateverTheirRestMeans() {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Hello.read(Bytes.ofHex("0000000c 01 00 00ff 504c4f47 00000007")))
                .withMessage("the client speaks protocol version 255, this server speaks 1")
                .matches(e -> e.code() == GoodbyeCode.VERSION);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Hello.read(Bytes.ofHex("00000008 01 00 0002 504c4f47")))
                .matches(e -> e.code() == GoodbyeCode.VERSION);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Welcome.decode(Bytes.ofHex("00000012 02 00 0002 ffffffff 00000000 ffff ffff ffff")))
                .withMessage("the server speaks protocol version 2, this client speaks 1")
                .matches(e -> e.code() == GoodbyeCode.VERSION);
    }

    @Test
    void helloWithAnotherMagicOrATokenOfAnotherLengthIsMalformed() {
        assertMalformed(FramesTest::hello, Bytes.ofHex("0000000c 01 00 0001 504c4f48 00000000"), "magic 504c4f48");
        assertMalformed(FramesTest::hello, Bytes.ofHex("0000000c 01 00 0001 504c4f47 00000001"), "a token of 1 bytes");
        assertMalformed(
                FramesTest::hello, Bytes.ofHex("0000000c 01 00 0001 504c4f47 ffffffff"), "a token of 4294967295");
        assertMalformed(FramesTest::hello, Bytes.ofHex("00000008 01 00 0001 504c4f47"), "0 bytes behind its magic");
        assertMalformed(FramesTest::hello, Bytes.ofHex("0000000d 01 00 0001 504c4f47 00000001 ff"), "than ASCII");
        assertMalformed(FramesTest::hello, Bytes.ofHex("0000000c 01 01 0001 504c4f47 00000000"), "flags 1");
        assertMalformed(FramesTest::hello, Bytes.ofHex("0000000c 02 00 0001 504c4f47 00000000"), "type 2");
    }

    @Test
    void welcomeHasTheBytesOfTheSpecification() throws Exception {
        ByteBuf out = Unpooled.buffer();
        WELCOMED.encode(out);
        assertThat(Bytes.hex(out)).isEqualTo(WELCOME);
        assertThat(Welcome.decode(out)).isEqualTo(WELCOMED);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void welcomeKeepsTheOrderOfTargetsAndFacts() throws Exception {
        Map<String, String> facts = new LinkedHashMap<>();
        for (int i = 20; i > 0; i--) {
            facts.put("fact " + i, "wörth " + i);
        }
        Welcome sent = new Welcome(
                0,
                1,
                facts,
                List.of(new TargetDescription(0, "z", "off", Map.of()), new TargetDescription(1, "a", "write", facts)));
        ByteBuf out = Unpooled.buffer();
        sent.encode(out);
        Welcome read = Welcome.decode(out);
        assertThat(read).isEqualTo(sent);
        assertThat(read.facts().keySet()).containsExactlyElementsOf(facts.keySet());
    }

    @Test
    void welcomeOverItsLimitIsNotWritten() {
        Map<String, String> facts = Map.of("a", "x".repeat(40_000), "b", "x".repeat(40_000));
        ByteBuf out = Unpooled.buffer();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Welcome(1, 1, facts, List.of()).encode(out))
                .withMessageContaining("65536");
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void welcomeWithLimitsOutOfRangeIsMalformed() {
        assertMalformed(
                Welcome::decode, Bytes.ofHex("00000012 02 00 0001 ffffffff 00000100 0000 0000 0000"), "limits of");
        assertMalformed(Welcome::decode, Bytes.ofHex("00000010 02 00 0001 00000001 00000000 0000 0000"), "0 requests");
    }

    @Test
    void goodbyeHasTheBytesOfTheSpecification() throws Exception {
        ByteBuf out = Unpooled.buffer();
        new Goodbye(GoodbyeCode.IDLE, "hi").encode(out);
        assertThat(Bytes.hex(out)).isEqualTo(GOODBYE);
        assertThat(Goodbye.decode(out)).isEqualTo(new Goodbye(4, "hi"));
    }

    @Test
    void goodbyeCutsALongReasonBetweenCharacters() throws Exception {
        ByteBuf out = Unpooled.buffer();
        new Goodbye(GoodbyeCode.MALFORMED, "xé".repeat(600)).encode(out);
        assertThat(out.readableBytes()).isLessThanOrEqualTo(4 + 1024);
        assertThat(Goodbye.decode(out).reason()).matches("(xé)+x?").hasSizeGreaterThan(670);
    }

    @Test
    void everyTruncationOfEveryFrameIsMalformed() {
        assertTruncations(FramesTest::hello, HELLO);
        assertTruncations(Welcome::decode, WELCOME);
        assertTruncations(Goodbye::decode, GOODBYE);
    }

    @Test
    void bytesAfterTheLastFieldAreMalformed() {
        for (Map.Entry<String, Decoder> each : Map.<String, Decoder>of(
                        WELCOME, Welcome::decode, GOODBYE, Goodbye::decode, HELLO, FramesTest::hello)
                .entrySet()) {
            ByteBuf frame =
                    Unpooled.buffer().writeBytes(Bytes.ofHex(each.getKey())).writeByte(0);
            frame.setInt(0, frame.getInt(0) + 1);
            assertMalformed(each.getValue(), frame, "");
        }
    }

    @Test
    void randomBytesAreReadOrMalformedAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] golden = {HELLO, WELCOME, GOODBYE};
        Decoder[] decoders = {FramesTest::hello, Welcome::decode, Goodbye::decode};
        for (int i = 0; i < 30_000; i++) {
            ByteBuf frame = Unpooled.copiedBuffer(Bytes.ofHex(golden[i % 3]));
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                frame.setByte(random.nextInt(frame.readableBytes()), random.nextInt(256));
            }
            String bytes = Bytes.hex(frame);
            try {
                assertThat(decoders[i % 3].decode(frame)).isNotNull();
            } catch (ProtocolException e) {
                assertThat(e.getMessage()).isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", frame " + bytes, e);
            }
        }
    }

    @Test
    void numbersOnTheWireNameTheirConstants() {
        for (Status status : Status.values()) {
            assertThat(Status.ofCode(status.code())).isSameAs(status);
        }
        for (GoodbyeCode code : GoodbyeCode.values()) {
            assertThat(GoodbyeCode.ofCode(code.code())).isSameAs(code);
        }
        for (FrameType type : FrameType.values()) {
            assertThat(FrameType.ofCode(type.code())).isSameAs(type);
        }
        assertThat(Status.ofCode(15)).isNull();
        assertThat(Status.ofCode(-1)).isNull();
        assertThat(GoodbyeCode.ofCode(0)).isNull();
        assertThat(GoodbyeCode.ofCode(9)).isNull();
        assertThat(FrameType.ofCode(0)).isNull();
        assertThat(FrameType.ofCode(6)).isNull();
    }

    @Test
    void onlyFailuresOfTheServerAndOfItsMemoryLeaveTheOutcomeUnknown() {
        assertThat(Status.values())
                .filteredOn(Status::isIndeterminate)
                .containsExactly(Status.LOG_FAILED, Status.FAILED, Status.OUTDATED);
    }

    private static String hello(ByteBuf frame) throws ProtocolException {
        Hello.read(frame);
        return "HELLO";
    }

    private static void assertTruncations(Decoder decoder, String golden) {
        ByteBuf whole = Bytes.ofHex(golden);
        for (int bytes = 0; bytes < whole.readableBytes(); bytes++) {
            ByteBuf lying = Unpooled.copiedBuffer(whole.slice(0, bytes));
            assertMalformed(decoder, lying, "");
            if (bytes >= 4) {
                ByteBuf honest = Unpooled.copiedBuffer(whole.slice(0, bytes)).setInt(0, bytes - 4);
                assertMalformed(decoder, honest, "");
            }
        }
    }

    private static void assertMalformed(Decoder decoder, ByteBuf frame, String message) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> decoder.decode(frame))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(GoodbyeCode.MALFORMED));
    }
}
