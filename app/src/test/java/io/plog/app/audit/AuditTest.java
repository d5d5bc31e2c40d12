package io.plog.app.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.audit.Violation.Kind;
import io.plog.app.audit.Violation.Place;
import io.plog.log.LogReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One test for each way in which a log can fail its clients, and for each in which it may look like it. */
class AuditTest {
    private static final long CLIENT = 7;

    /** A log's records as a list. */
    private static final class Log extends LogReader {
        final List<ByteBuffer> records = new ArrayList<>();
        final List<Long> indices = new ArrayList<>();
        long first = 1;
        int at = -1;

        Log add(long request) {
            return add(request, AuditTest.payload(request));
        }

        Log add(long request, byte[] payload) {
            ByteBuffer record = ByteBuffer.allocate(24 + payload.length);
            record.put(0, (byte) 1).putLong(8, CLIENT).putLong(16, request).put(24, payload);
            return addRecord(record);
        }

        Log addRecord(ByteBuffer record) {
            indices.add(first + indices.size());
            records.add(record);
            return this;
        }

        @Override
        public boolean next() {
            return ++at < records.size();
        }

        @Override
        public long index() {
            return at < 0 ? first - 1 : indices.get(at);
        }

        @Override
        public ByteBuffer payload() {
            return records.get(at);
        }

        @Override
        public void close() {}
    }

    private final Acknowledgements acknowledged = new Acknowledgements();
    private final Log log = new Log();
    private final List<Violation> violations = new ArrayList<>();

    private static byte[] payload(long request) {
        byte[] payload = new byte[10 + (int) (request % 5)];
        new SplittableRandom(request).nextBytes(payload);
        return payload;
    }

    private static int crc(byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        return (int) crc.getValue();
    }

    private void acknowledge(long request, long index) {
        byte[] payload = payload(request);
        assertThat(acknowledged.add(CLIENT, request, new Place(index, payload.length, crc(payload))))
                .isNull();
    }

    private Audit.Result audit(long checkpoint) throws Exception {
        return new Audit(acknowledged, violations::add).run(log, checkpoint, null);
    }

    private void assertOnly(Kind kind, long request) {
        assertThat(violations).singleElement().satisfies(violation -> {
            assertThat(violation.kind()).isEqualTo(kind);
            assertThat(violation.client()).isEqualTo(CLIENT);
            assertThat(violation.request()).isEqualTo(request);
        });
    }

    @Test
    void aLogThatHasEverythingInItsPlaceHolds() throws Exception {
        for (int i = 1; i <= 5; i++) {
            log.add(10 + i);
            acknowledge(10 + i, i);
        }
        Audit.Result result = audit(0);
        assertThat(result.holds()).isTrue();
        assertThat(result.intact()).isEqualTo(5);
        assertThat(result.records()).isEqualTo(5);
        assertThat(result.firstIndex()).isEqualTo(1);
        assertThat(result.lastIndex()).isEqualTo(5);
        assertThat(violations).isEmpty();
    }

    @Test
    void recordsWithoutAnAcknowledgementAreNoViolation() throws Exception {
        log.add(1).addRecord(ByteBuffer.wrap(new byte[] {9, 9})).add(2).add(3);
        acknowledge(2, 3);
        Audit.Result result = audit(0);
        assertThat(result.holds()).isTrue();
        assertThat(result.records()).isEqualTo(4);
    }

    /** Records of the log are request@index, as acknowledgements are; what is found are kinds with the requests that they are of. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a lost one | 1@1 2@2 | 1@1 2@2 3@3 | 2 | LOST 3 | lost: request 3 of client 7, acknowledged at index 3 (13 bytes, crc32c",
                "another in its place | 1@1 9@2 | 1@1 2@2 | 1 | LOST 2 | lost: request 2 of client 7",
                "a repeated one | 1@1 2@2 1@3 | 1@1 2@2 | 1 | REPEATED 1 | is in the log once more at index 3",
                "two that changed places | 2@1 1@2 3@3 | 1@1 2@2 3@3 | 1 | MOVED 2, MOVED 1 | moved: request 2 of client 7, acknowledged at index 2",
                "where a moved one is | 2@1 1@2 3@3 | 1@1 2@2 3@3 | 1 | MOVED 2, MOVED 1 | is in the log at index 1",
                "a gap | 1@1 2@2 3@4 | 1@1 3@4 | 2 | GAP 0 | gap: the log continues at index 4"
            })
    void whatIsWrongIsFoundAndNothingElse(
            String what, String records, String acknowledgements, int intact, String found, String sentence)
            throws Exception {
        for (String record : records.split(" ")) {
            log.add(Long.parseLong(record.substring(0, 1)));
            log.indices.set(log.indices.size() - 1, Long.parseLong(record.substring(2)));
        }
        for (String each : acknowledgements.split(" ")) {
            acknowledge(Long.parseLong(each.substring(0, 1)), Long.parseLong(each.substring(2)));
        }
        Audit.Result result = audit(0);
        assertThat(result.holds()).isFalse();
        assertThat(result.intact()).isEqualTo(intact);
        assertThat(result.wrong()).isEqualTo(acknowledgements.split(" ").length - intact);
        assertThat(violations.stream().map(each -> each.kind() + " " + each.request()))
                .containsExactly(found.split(", "));
        assertThat(result.counts()).isEqualTo(Map.of(violations.get(0).kind(), (long) violations.size()));
        assertThat(violations.get(0).sentence()).contains(sentence);
    }

    @Test
    void oneOtherBitIsFound() throws Exception {
        byte[] other = payload(2);
        other[4] ^= 0x20;
        log.add(1).add(2, other).add(3);
        acknowledge(1, 1);
        acknowledge(2, 2);
        acknowledge(3, 3);
        assertThat(audit(0).intact()).isEqualTo(2);
        assertOnly(Kind.CHANGED, 2);
        assertThat(violations.get(0).sentence()).contains("is in the log at index 2 (12 bytes, crc32c ");
    }

    @Test
    void anotherLengthIsFoundEvenWithTheSameChecksum() throws Exception {
        byte[] payload = payload(1);
        log.add(1);
        acknowledged.add(CLIENT, 1, new Place(1, payload.length + 1, crc(payload)));
        audit(0);
        assertOnly(Kind.CHANGED, 1);
    }

    @Test
    void aLedgerThatContradictsItselfIsFound() throws Exception {
        log.add(1);
        acknowledge(1, 1);
        Audit audit = new Audit(acknowledged, violations::add);
        audit.contradicted(new Violation(Kind.CONTRADICTED, CLIENT, 1, acknowledged.place(0), new Place(5, 11, 0)));
        Audit.Result result = audit.run(log, 0, null);
        assertThat(result.holds()).isFalse();
        assertThat(result.wrong()).isEqualTo(1);
        assertOnly(Kind.CONTRADICTED, 1);
        assertThat(violations.get(0).sentence())
                .startsWith("acknowledged at two places: request 1 of client 7, at index 1")
                .endsWith("and at index 5 (11 bytes, crc32c 00000000)");
    }

    @Test
    void whatACheckpointCoversMayBeDropped() throws Exception {
        log.first = 4;
        log.add(4).add(5);
        for (int i = 1; i <= 5; i++) {
            acknowledge(i, i);
        }
        Audit.Result result = audit(3);
        assertThat(result.holds()).isTrue();
        assertThat(result.dropped()).isEqualTo(3);
        assertThat(result.intact()).isEqualTo(2);
        assertThat(result.checkpointIndex()).isEqualTo(3);
    }

    @Test
    void whatWasDroppedWithoutACheckpointIsLost() throws Exception {
        log.first = 4;
        log.add(4).add(5);
        for (int i = 1; i <= 5; i++) {
            acknowledge(i, i);
        }
        Audit.Result result = audit(2);
        assertThat(result.dropped()).isEqualTo(2);
        assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST, 1L));
        assertOnly(Kind.LOST, 3);
    }

    @Test
    void aCheckpointDoesNotExcuseWhatTheLogShouldStillHave() throws Exception {
        log.add(1).add(2);
        acknowledge(1, 1);
        acknowledge(3, 3);
        assertThat(audit(9).dropped()).isZero();
        assertOnly(Kind.LOST, 3);
    }

    @Test
    void thousandsOfRandomAcknowledgementsAreFoundAgain() {
        SplittableRandom random = new SplittableRandom(11);
        List<Violation> expected = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            long client = random.nextInt(4);
            long request = random.nextLong();
            Place place = new Place(i, random.nextInt(1 << 20), random.nextInt());
            assertThat(acknowledged.add(client, request, place)).isNull();
            expected.add(new Violation(Kind.LOST, client, request, place, null));
        }
        assertThat(acknowledged.size()).isEqualTo(200_000);
        for (Violation entry : expected) {
            int id = acknowledged.find(entry.client(), entry.request());
            Place place = acknowledged.place(id);
            assertThat(new Violation(Kind.LOST, acknowledged.client(id), acknowledged.request(id), place, null))
                    .isEqualTo(entry);
            Place elsewhere = new Place(place.index() + 1, place.length(), place.crc32c());
            assertThat(acknowledged.add(entry.client(), entry.request(), place)).isEqualTo(place);
            assertThat(acknowledged.add(entry.client(), entry.request(), elsewhere))
                    .isEqualTo(place);
            assertThat(acknowledged.find(entry.client() + 4, entry.request())).isEqualTo(-1);
        }
    }
}
