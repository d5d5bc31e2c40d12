package io.plog.server.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullMarked;

/** Cases for {@link HttpFuzz}: requests as they should be, attempts to smuggle and to flood, and random ones. */
@NullMarked
public final class HttpSeeds {
    private static final String HOST = "Host: localhost\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
    private static final String POST = "POST /log/a HTTP/1.1\r\n" + HOST;

    private static final List<String> STREAMS = List.of(
            POST + "Content-Length: 5\r\n\r\nhello" + POST + "content-length:0\r\n\r\n\r\nGET / HTTP/1.1\r\n" + HOST
                    + "\r\n",
            POST + CHUNKED + "\r\n3;a=\"b\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n" + POST + CHUNKED
                    + "\r\n0\r\n\r\n",
            "HEAD http://x/ HTTP/1.0\r\nConnection: keep-alive\r\nAccept: text/*, application/json\r\n\r\nGET / HTTP/1.0\r\n\r\nGET /",
            POST + "Idempotency-Key: order 1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx" + POST
                    + "Connection: Upgrade, close\r\nContent-Length: 1\r\n\r\nyGET / HTTP/1.1\r\n\r\n",
            POST + "Content-Length: 4\r\n" + CHUNKED + "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
            POST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            POST + "Content-Length : 1\r\n\r\nx",
            POST + "A: b\r\n folded\r\nContent-Length: 0\r\n\r\n",
            POST + CHUNKED + "\r\nFFFFFFFFFFFFFFF\r\n",
            POST + CHUNKED + "\r\n2\r\nabc\r\n0\r\n\r\n",
            POST + "A: \u0001\r\n\r\n",
            "GET /" + flood(81, 'a') + " HTTP/1.1\r\n" + HOST + "\r\nGET /" + flood(85, 'a') + " HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\n" + HOST + "A: " + flood(159, 'b') + "\r\nB: c\r\n\r\nGET / HTTP/1.1\r\nA: "
                    + flood(164, 'b'),
            "GET / HTTP/1.1\r\n" + HOST + "A:1\r\n".repeat(99) + "\r\nGET / HTTP/1.1\r\n" + HOST
                    + "A:1\r\n".repeat(100),
            "\r\n" + POST + "Content-Length: 5\r\n\r\nhello\r\nGET / HTTP/1.1\r\n" + HOST
                    + "\r\n\r\n\r\nGET / HTTP/1.1\r\n",
            POST + "A: b\nContent-Length: 0\r\n\r\n",
            POST + ("A: " + flood(53, 'b') + "\r\n").repeat(3) + "\r\n",
            POST + ("A: " + flood(53, 'b') + "\r\n").repeat(4) + "\r\n",
            POST + CHUNKED + "\r\n1;" + flood(3, 'x') + "\r\n",
            POST + CHUNKED + "\r\n0\r\nA: " + flood(164, 'b') + "\r\n\r\n");

    private static final List<String> FIRST_LINES = List.of(
            "GET / HTTP/1.1\r\n",
            "GET http://x HTTP/1.1\r\n",
            "OPTIONS * HTTP/1.1\r\n",
            "HEAD / HTTP/1.0\r\n",
            "POST /log/a HTTP/1.1\r\n",
            "PUT http://x/ HTTP/1.1\r\n",
            "POST /log/a HTTP/1.1\r\n",
            "GET / HTTP/2.0\r\n");

    private static final List<String> FIELDS = List.of(
            "X-Other: y\r\n",
            "Origin: null\r\n",
            "content-TYPE: text/plain\r\n",
            "Sec-Fetch-Site: cross-site\r\n",
            "a:\t b \r\n",
            "Accept: application/json\r\n",
            "Connection: close\r\n",
            "Connection: keep-alive , x\r\n",
            "Expect: 100-Continue\r\n",
            "Plog-Client: 7\r\nPlog-Request: 18446744073709551615\r\n",
            "Idempotency-Key: k k\r\n");

    /** Put anywhere, they make another request of it, or none. */
    private static final List<String> DISTURBANCES = List.of(
            "\r\n",
            "\r\n\r\n",
            "\n",
            "\r",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "0",
            "7",
            "a",
            HOST,
            CHUNKED,
            "HTTP/2.0\r\n",
            "0\r\n\r\n",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: gzip\r\n",
            "Expect: x\r\n",
            "Expect: y\r\n",
            "Transfer-Encoding: chunked, gzip\r\n",
            "Idempotency-Key:\r\n",
            "Plog-Client: 5211883371348623366\r\n",
            "Plog-Request: 18446744073709551616\r\n",
            "\u0000",
            "\u007f",
            "\u0085",
            "\u00e4");

    private static final List<String> FLOODS = List.of(
            flood(82, 'a'),
            flood(164, 'b'),
            flood(3, ' '),
            ("A: " + flood(53, 'b') + "\r\n").repeat(4),
            "A:\r\n".repeat(101),
            "0".repeat(20));

    private HttpSeeds() {}

    /** So many hundreds of a character. */
    private static String flood(int hundreds, char of) {
        return "\u00ff" + (char) hundreds + of;
    }

    /** Cases made by hand, each cut in two ways. */
    public static List<byte[]> all() {
        List<byte[]> cases = new ArrayList<>();
        for (String stream : STREAMS) {
            cases.add(("\u0008\u0003" + stream).getBytes(StandardCharsets.ISO_8859_1));
            cases.add(("\u0005\u00c8" + stream).getBytes(StandardCharsets.ISO_8859_1));
        }
        return cases;
    }

    /** A case of a few requests, of which most are disturbed somewhere; one in sixteen is of random bytes only. */
    public static byte[] random(SplittableRandom random) {
        StringBuilder stream = new StringBuilder();
        if (random.nextInt(16) == 0) {
            for (int bytes = random.nextInt(100); bytes > 0; bytes--) {
                stream.append((char) random.nextInt(256));
            }
        } else {
            for (int requests = 1 + random.nextInt(3); requests > 0; requests--) {
                addRequest(stream, random);
            }
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                stream.insert(random.nextInt(stream.length()), one(DISTURBANCES, random));
            }
            if (random.nextInt(8) == 0) {
                stream.insert(random.nextInt(stream.length()), one(FLOODS, random));
            }
        }
        stream.insert(0, (char) random.nextInt(256)).insert(0, (char) random.nextInt(256));
        return stream.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void addRequest(StringBuilder stream, SplittableRandom random) {
        stream.append("\r\n".repeat(Math.max(0, random.nextInt(16) - 13)));
        stream.append(one(FIRST_LINES, random)).append(HOST);
        for (int fields = random.nextInt(3); fields > 0; fields--) {
            stream.append(one(FIELDS, random));
        }
        switch (random.nextInt(3)) {
            case 0 -> stream.append("\r\n");
            case 1 -> {
                int bytes = random.nextInt(20);
                stream.append("Content-Length: ")
                        .append(bytes)
                        .append("\r\n\r\n")
                        .append("c".repeat(bytes));
            }
            default -> {
                stream.append(CHUNKED).append("\r\n");
                for (int chunks = random.nextInt(3); chunks > 0; chunks--) {
                    int bytes = 1 + random.nextInt(20);
                    stream.append(Integer.toHexString(bytes))
                            .append("\r\n")
                            .append("d".repeat(bytes))
                            .append("\r\n");
                }
                stream.append(random.nextBoolean() ? "0\r\n\r\n" : "00;x\r\nTrailer: t\r\n\r\n");
            }
        }
    }

    private static String one(List<String> of, SplittableRandom random) {
        return of.get(random.nextInt(of.size()));
    }
}
