package io.plog.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Streams that are as they should be, for either side. */
final class FrameSeeds {
    private static final int SERVER = 4;
    private static final int CLIENT = 5;

    private FrameSeeds() {}

    static List<byte[]> all() {
        List<byte[]> seeds = new ArrayList<>();
        for (int cut : new int[] {3, 200}) {
            ByteBuf fromClient = start(SERVER, cut);
            Hello.encode(fromClient, "");
            for (int length : new int[] {0, 1, 100}) {
                request(fromClient, length);
            }
            seeds.add(ByteBufUtil.getBytes(fromClient));

            ByteBuf fromServer = start(CLIENT, cut);
            welcome().encode(fromServer);
            reply(fromServer, Status.OK);
            reply(fromServer, Status.LOG_FAILED);
            new Goodbye(GoodbyeCode.IDLE, "too slow").encode(fromServer);
            seeds.add(ByteBufUtil.getBytes(fromServer));
        }
        return seeds;
    }

    private static ByteBuf start(int side, int cut) {
        return Unpooled.buffer().writeByte(side).writeByte(cut);
    }

    private static Welcome welcome() {
        Map<String, String> facts = Map.of("fs", "ext4");
        return new Welcome(
                1_000,
                16,
                Map.of("os", "Linux"),
                List.of(
                        new TargetDescription(0, "a", "fdatasync", facts),
                        new TargetDescription(7, "b", "off", facts)));
    }

    private static void request(ByteBuf out, int length) {
        RequestHeader.write(out, 3, 17, 4, length);
        for (int i = 0; i < length; i++) {
            out.writeByte(i);
        }
    }

    private static void reply(ByteBuf out, Status status) {
        ByteBuf request = Unpooled.buffer();
        request(request, 10);
        ByteBuf reply = Unpooled.buffer();
        ReplyHeader.begin(reply, request);
        reply.writeZero(10);
        ReplyHeader.setLogged(reply, 12, 1, 2, 3, 4, 5);
        if (status != Status.OK) {
            reply = ReplyHeader.refusal(reply, status, "no");
        }
        out.writeBytes(reply);
        reply.release();
    }
}
