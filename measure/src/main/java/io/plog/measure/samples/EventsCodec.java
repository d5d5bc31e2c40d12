package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The body of an EVENTS chunk: a u32 with the length of the JSON, and the JSON, deflated. Stateless. */
final class EventsCodec {
    private EventsCodec() {}

    static void encode(SideEvents events, Deflater deflater, ByteBuf out) throws IOException {
        byte[] plain = SampleFormat.JSON.writeValueAsBytes(events);
        out.writeInt(plain.length);
        SampleFormat.deflate(ByteBuffer.wrap(plain), deflater, out);
    }

    /**
     * Decodes what {@link #encode} wrote.
     *
     * @throws DataFormatException if the bytes are no such body; the message says what is wrong
     */
    static SideEvents decode(ByteBuffer body, Inflater inflater) throws DataFormatException {
        try {
            int bytes = body.getInt();
            if (bytes < 0 || bytes > SampleFormat.MAX_BODY_BYTES) {
                throw new DataFormatException(Integer.toUnsignedString(bytes) + " bytes of events are announced");
            }
            byte[] plain = new byte[bytes];
            SampleFormat.inflate(body, inflater, ByteBuffer.wrap(plain));
            return SampleFormat.read(plain, SideEvents.class);
        } catch (BufferUnderflowException | IOException e) {
            String what = e.getMessage() == null
                    ? "too short"
                    : e.getMessage().lines().findFirst().orElse("");
            throw (DataFormatException) new DataFormatException("no events: " + what).initCause(e);
        }
    }
}
