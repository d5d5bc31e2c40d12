package io.plog.simdisk;

import static io.plog.simdisk.SimulatedDiskTest.pattern;
import static io.plog.simdisk.SimulatedDiskTest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In simulated time: it passes when an operation waits for it, or a test says so. */
class ModelledDiskTest {
    private static final String NAME = "file";
    private static final long MILLI = 1_000_000;

    private static final class SteppedClock implements DeviceTime.Clock {
        private final AtomicLong now = new AtomicLong(12_345_678);

        /** So much time passes with each look. */
        private long nanosOfALook;

        @Override
        public long now() {
            return now.getAndAdd(nanosOfALook);
        }

        /** What others do while the next operation waits. */
        private Callable<?> meanwhile = () -> null;

        @Override
        public void await(long nanos) {
            Callable<?> once = meanwhile;
            meanwhile = () -> null;
            assertThatCode(once::call).doesNotThrowAnyException();
            now.accumulateAndGet(nanos, Math::max);
        }

        void pass(long nanos) {
            now.addAndGet(nanos);
        }
    }

    private final SteppedClock clock = new SteppedClock();

    @TempDir
    Path directory;

    private ModelledDisk disk(String model) throws IOException {
        return ModelledDisk.open(directory, DeviceModel.parse(model), clock);
    }

    private static FileHandle stableFile(ModelledDisk disk, int bytes) throws IOException {
        FileHandle file = disk.create(NAME);
        write(file, 0, new byte[bytes]);
        file.force(true);
        disk.forceDirectory();
        return file;
    }

    /** The median of forced appends of 512 bytes, by a caller that thinks for 100 µs. */
    private double forcedAppendNanos(String model) throws IOException {
        Path own = Files.createDirectory(directory.resolve(model.replace(':', '-')));
        try (ModelledDisk disk = ModelledDisk.open(own, DeviceModel.parse(model), clock);
                FileHandle file = stableFile(disk, 1 << 20)) {
            long[] took = new long[101];
            for (int i = 0; i < took.length; i++) {
                clock.pass(MILLI / 10);
                long began = clock.now();
                write(file, i * 512L, pattern(512, i));
                file.force(false);
                took[i] = clock.now() - began;
            }
            Arrays.sort(took);
            return took[50];
        }
    }

    @Test
    void aSmallForcedAppendJustMissesItsPlaceAndWaitsATurn() throws Exception {
        double turn = 60e9 / 7200;
        assertThat(forcedAppendNanos("hdd") + MILLI / 10.0).isBetween(0.95 * turn, 1.05 * turn);
    }

    @Test
    void devicesAreToEachOtherAsTheyAre() throws Exception {
        double hdd = forcedAppendNanos("hdd");
        double ssd = forcedAppendNanos("ssd");
        double nvme = forcedAppendNanos("nvme");
        assertThat(hdd / nvme).isGreaterThan(20);
        assertThat(hdd / ssd).isGreaterThan(4);
        assertThat(ssd / nvme).isGreaterThan(10);
        assertThat(forcedAppendNanos("nvme-consumer") / nvme).isGreaterThan(10);
        assertThat(forcedAppendNanos("network")).isGreaterThan(ssd);
        assertThat(hdd / forcedAppendNanos("lying")).isGreaterThan(20);
        assertThat(forcedAppendNanos("fixed:2ms")).isBetween(2.0 * MILLI, 2.0 * MILLI);
    }

    @Test
    void aLargeForcedWriteTakesTheBandwidth() throws Exception {
        try (ModelledDisk disk = disk("hdd");
                FileHandle file = stableFile(disk, 16 << 20)) {
            long began = clock.now();
            write(file, 0, pattern(16 << 20, 1));
            file.force(false);
            assertThat((16 << 20) / ((clock.now() - began) / 1e9)).isBetween(0.85 * 138e6, 138e6);
        }
    }

    @Test
    void whatItTakesToKeepTheBytesIsPartOfTheDevicesTime() throws Exception {
        try (ModelledDisk disk = disk("fixed:2ms");
                FileHandle file = stableFile(disk, 4096)) {
            clock.nanosOfALook = MILLI / 10;
            long took = 0;
            for (int i = 0; i < 50; i++) {
                write(file, 0, pattern(4096, 1));
                long began = clock.now();
                file.force(false);
                took = clock.now() - began;
            }
            // With the two looks before the force, and not those around the writing to the directory.
            assertThat(took).isBetween(2 * MILLI, 2 * MILLI + 5 * clock.nanosOfALook / 2);
        }
    }

    @Test
    void elsewhereOnTheDiskItSeeksFirst() throws Exception {
        try (ModelledDisk disk = disk("hdd")) {
            DeviceTime time = new DeviceTime(DeviceModel.parse("hdd"), clock);
            long there = time.forced(clock.now(), 0, 4096);
            long elsewhere = time.forced(there, 600L << 30, 4096); // a third of it away
            assertThat(elsewhere - there).isBetween(8 * MILLI, 17 * MILLI);
            assertThat(disk.list()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdd", "ssd", "nvme", "network", "fixed:1ms"})
    void whatWasForcedIsThereAfterTheProcessDiedAndNothingElse(String model) throws Exception {
        ModelledDisk disk = disk(model);
        FileHandle file = stableFile(disk, 8192);
        write(file, 100, pattern(5000, 1));
        file.force(false);
        write(file, 4096, pattern(512, 2));
        write(disk.create("unforced"), 0, pattern(10, 3));
        disk.rename(NAME, "renamed");
        assertThat(disk.list()).containsExactly("renamed", "unforced");

        ModelledDisk after = disk(model); // what the next process sees
        assertThat(after.list()).containsExactly(NAME);
        byte[] expected = new byte[8192];
        System.arraycopy(pattern(5000, 1), 0, expected, 100, 5000);
        assertThat(bytes(after.open(NAME, Storage.Access.READ))).isEqualTo(expected);
    }

    @Test
    void whatIsReadIsWhatWasWrittenForcedOrNot() throws Exception {
        try (ModelledDisk disk = disk("nvme");
                FileHandle file = stableFile(disk, 0)) {
            write(file, 0, pattern(10_000, 1));
            write(file, 4000, pattern(300, 2));
            byte[] expected = pattern(10_000, 1);
            System.arraycopy(pattern(300, 2), 0, expected, 4000, 300);
            assertThat(bytes(file)).isEqualTo(expected);
            file.force(false);
            write(file, 9000, pattern(2000, 3));
            expected = Arrays.copyOf(expected, 11_000);
            System.arraycopy(pattern(2000, 3), 0, expected, 9000, 2000);
            assertThat(bytes(file)).isEqualTo(expected);
        }
        assertThat(Files.size(directory.resolve(NAME))).isEqualTo(11_000); // an orderly end makes it stable
    }

    /** What was written to a file that is gone goes nowhere: not into the one that has its name now. */
    @ParameterizedTest
    @EnumSource(ModelledDisk.Survivors.class)
    void aFileThatIsGoneLeavesItsNameToAnother(ModelledDisk.Survivors survivors) throws Exception {
        for (boolean cut : new boolean[] {true, false}) {
            Path own = Files.createDirectory(directory.resolve("cut-" + cut));
            ModelledDisk disk = ModelledDisk.open(own, DeviceModel.parse("ssd"), clock);
            for (String each : List.of(NAME, "deleted", "replaced")) {
                try (FileHandle gone = disk.create(each)) {
                    write(gone, 0, pattern(20_000, 1));
                }
            }
            disk.forceDirectory();
            disk.delete(NAME);
            disk.delete("deleted");
            for (String each : List.of(NAME, "new")) {
                try (FileHandle file = disk.create(each)) {
                    write(file, 0, pattern(9000, 2));
                    file.force(false);
                }
            }
            disk.rename("new", "replaced");
            disk.forceDirectory();
            if (cut) {
                disk.cut(survivors, 4);
            } else {
                disk.close();
            }
            for (String each : List.of(NAME, "replaced")) {
                assertThat(Files.readAllBytes(own.resolve(each))).isEqualTo(pattern(9000, 2));
            }
            assertThat(own.resolve("deleted")).doesNotExist();
        }
    }

    @Test
    void aFileThatIsGoneIsStillItsOpeners() throws Exception {
        try (ModelledDisk disk = disk("ssd")) {
            disk.create("gone").close();
            disk.forceDirectory();
            FileHandle gone = disk.open("gone", Storage.Access.WRITE);
            disk.delete("gone");
            disk.forceDirectory();
            write(gone, 0, pattern(5000, 1));
            gone.force(false);
            assertThat(bytes(gone)).isEqualTo(pattern(5000, 1));
            gone.close();
        }
    }

    /** The thread that began first wakes up last. */
    @ParameterizedTest
    @ValueSource(strings = {"nvme", "lying"})
    void aForceThatEndsLateTakesNothingBack(String model) throws Exception {
        try (ModelledDisk disk = disk(model);
                FileHandle file = stableFile(disk, 4096)) {
            write(file, 0, pattern(4096, 1));
            clock.meanwhile = () -> {
                write(file, 0, pattern(4096, 2));
                file.force(false);
                return null;
            };
            file.force(false);
            clock.pass(2000 * MILLI);
            disk.forceDirectory();
            assertThat(bytes(file)).isEqualTo(pattern(4096, 2));
            assertThat(Files.readAllBytes(directory.resolve(NAME))).isEqualTo(pattern(4096, 2));
        }
    }

    @Test
    void whoForcesTheDirectoryHasTheNamesThatAnotherIsForcing() throws Exception {
        ModelledDisk disk = disk("nvme");
        disk.create(NAME).close();
        clock.meanwhile = () -> {
            disk.forceDirectory();
            assertThat(disk("nvme").list()).containsExactly(NAME);
            return null;
        };
        disk.forceDirectory();
    }

    @Test
    void aSeedDecidesWhatSurvivesOfEachFile() throws Exception {
        List<Map<String, Integer>> runs = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            Path own = Files.createDirectory(directory.resolve("run-" + run));
            ModelledDisk disk = ModelledDisk.open(own, DeviceModel.parse("ssd"), clock);
            List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h");
            for (String each : names) {
                disk.create(each).close();
            }
            disk.forceDirectory();
            for (String each : names) {
                write(disk.open(each, Storage.Access.WRITE), 0, pattern(20 * 4096, 1));
            }
            disk.cut(ModelledDisk.Survivors.RANDOM, 7);
            Map<String, Integer> survived = new TreeMap<>();
            for (String each : names) {
                survived.put(each, Arrays.hashCode(Files.readAllBytes(own.resolve(each))));
            }
            runs.add(survived);
        }
        assertThat(runs).containsOnly(runs.get(0));
    }

    @Test
    void aDiskThatLiesForgetsWhatItSaidWasStable() throws Exception {
        ModelledDisk disk = disk("lying");
        FileHandle file = stableFile(disk, 4096);
        clock.pass(2000 * MILLI); // long enough for that to be stable
        write(file, 0, pattern(4096, 1));
        file.force(false);
        assertThat(bytes(file)).isEqualTo(pattern(4096, 1));
        assertThat(bytes(disk("lying").open(NAME, Storage.Access.READ))).isEqualTo(new byte[4096]);
    }

    @Test
    void whatADiskThatLiesHoldsIsNotTransferredAgain() throws Exception {
        try (ModelledDisk disk = disk("lying");
                FileHandle file = stableFile(disk, 4 << 20)) {
            long began = clock.now();
            for (int i = 0; i < 1000; i++) {
                write(file, i * 4096L, pattern(4096, i));
                file.force(false);
            }
            assertThat((clock.now() - began) / 1000).isLessThan(MILLI / 5);
        }
    }

    private static byte[] bytes(FileHandle file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate((int) file.size());
        while (file.read(target, target.position()) > 0) {}
        return target.array();
    }

    private LogOptions options() {
        return LogOptions.in(directory)
                .withSegmentBytes(256 * 1024)
                .withMaxRecordBytes(32 * 1024)
                .withReserveSegments(1);
    }

    private static byte[] payload(long index) {
        return pattern((int) (index * 7919 % 9000) + 1, (int) index);
    }

    private void assertHolds(ModelledDisk disk, long atLeast) throws Exception {
        try (MessageLog log = MessageLog.open(options().withStorage(path -> disk));
                LogReader reader = log.read(log.firstIndex())) {
            assertThat(log.durableIndex()).isGreaterThanOrEqualTo(atLeast);
            while (reader.next()) {
                byte[] found = new byte[reader.payload().remaining()];
                reader.payload().get(found);
                assertThat(found).isEqualTo(payload(reader.index()));
            }
        }
    }

    /** Cuts by seed, with everything that survives by chance. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void afterACutTheLogHasWhatWasAcknowledged(long seed) throws Exception {
        ModelledDisk.Survivors survivors = ModelledDisk.Survivors.values()[(int) (seed % 3)];
        long acknowledged = 0;
        for (int start = 0; start < 4; start++) {
            ModelledDisk disk = disk("hdd");
            try (MessageLog log = MessageLog.open(options().withStorage(path -> disk))) {
                assertThat(log.durableIndex()).isGreaterThanOrEqualTo(acknowledged);
                for (int i = 0; i < 40 + seed; i++) {
                    acknowledged = log.appendAndWait(ByteBuffer.wrap(payload(log.durableIndex() + 1)));
                }
                log.append(ByteBuffer.wrap(payload(acknowledged + 1)));
                disk.cut(survivors, seed + start);
                assertThatThrownBy(() -> log.appendAndWait(ByteBuffer.wrap(payload(1))))
                        .isInstanceOf(IOException.class);
            } catch (IOException failed) {
                assertThat(disk.hasLostPower()).isTrue();
            }
            assertHolds(disk("hdd"), acknowledged);
        }
    }

    @Test
    void withWriteAloneACutLosesWhatWasAcknowledged() throws Exception {
        ModelledDisk disk = disk("nvme");
        try (MessageLog log = MessageLog.open(options().withForce(Force.WRITE).withStorage(path -> disk))) {
            for (int i = 1; i <= 20; i++) {
                log.appendAndWait(ByteBuffer.wrap(payload(i)));
            }
            disk.cut(ModelledDisk.Survivors.DROP, 1);
        } catch (IOException failed) {
            assertThat(disk.hasLostPower()).isTrue();
        }
        try (MessageLog log = MessageLog.open(options().withStorage(path -> disk("nvme")))) {
            assertThat(log.durableIndex()).isLessThan(20);
        }
    }

    @Test
    void aLogOfASimulatedDiskIsARealOneWhoseFilesCanBeOpened() throws Exception {
        try (MessageLog log = MessageLog.open(options().withStorage(path -> disk("ssd")))) {
            log.appendAndWait(ByteBuffer.wrap(payload(1)));
        }
        try (MessageLog log = MessageLog.open(options())) {
            assertThat(log.durableIndex()).isEqualTo(1);
        }
    }

    /** Or what a real writer acknowledged would stand behind records that only the page cache has, and be simulated later. */
    @Test
    void aDiskThatWasMadeRealIsStableAndNeverSimulatedAgain() throws Exception {
        LogOptions options = LogOptions.in(directory);
        Path left = directory.resolve("unforced-1");
        try (MessageLog log = MessageLog.open(options.withStorage(path -> disk("ssd")))) {
            log.appendAndWait(ByteBuffer.wrap(new byte[] {1}));
            assertThatThrownBy(() -> ModelledDisk.makeReal(directory)).isInstanceOf(LogLockedException.class);
            assertThat(ModelledDisk.modelOf(directory)).hasValue("ssd");
            Files.createFile(left);
        }
        assertThat(ModelledDisk.makeReal(directory)).hasValue("ssd");
        assertThat(left).doesNotExist();
        assertThat(ModelledDisk.makeReal(directory)).isEmpty();
        assertThatThrownBy(() -> disk("ssd")).hasMessageContaining("not written on a simulated disk");
        try (MessageLog log = MessageLog.open(options)) {
            assertThat(log.recovery().lastIndex()).isEqualTo(1);
        }
    }

    @Test
    void whatDoesNotFitIsRefusedInASentence() throws Exception {
        assertThatThrownBy(() -> DeviceModel.parse("floppy")).hasMessageContaining("hdd, ssd, nvme");
        assertThatThrownBy(() -> DeviceModel.parse("hdd:rpm=5400")).hasMessageContaining("none takes parameters");
        for (String fixed : new String[] {"fixed", "fixed:", "fixed:0ms", "fixed:11s", "fixed:3"}) {
            assertThatThrownBy(() -> DeviceModel.parse(fixed)).hasMessageContaining("fixed:TIME");
        }
        disk("ssd").close();
        assertThatThrownBy(() -> disk("hdd")).hasMessageContaining("sim:ssd@" + directory);
        Path real = Files.createDirectory(directory.resolve("real"));
        MessageLog.open(options().withDirectories(List.of(real))).close();
        assertThatThrownBy(() -> ModelledDisk.open(real, DeviceModel.parse("hdd")))
                .hasMessageContaining("not written on a simulated disk");
        assertThatThrownBy(() -> PowerSwitch.cut(real, ModelledDisk.Survivors.DROP, 1, Duration.ZERO))
                .hasMessageContaining("not the directory of a simulated disk");
    }

    /** Windows shows Java no inode: a file's identity is its name there, which a disk that lies changes late. */
    @Test
    void aFileStaysTheSameWhenItsNameBecomesStable() throws Exception {
        Storage real = LogOptions.ON_DISK.open(directory);
        Storage withoutInodes = (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) ->
                        method.getName().equals("identityOf") ? arguments[0] : method.invoke(real, arguments));
        for (Storage storage : List.of(real, withoutInodes)) {
            try (ModelledDisk disk = new ModelledDisk(directory, DeviceModel.parse("lying"), storage, clock)) {
                FileHandle file = disk.create(NAME);
                Object identity = disk.identityOf(NAME);
                disk.forceDirectory();
                clock.pass(Duration.ofHours(1).toNanos());
                write(file, 0, new byte[1]);
                file.force(true);
                assertThat(real.list()).contains(NAME);
                assertThat(disk.identityOf(NAME)).isEqualTo(identity);
                file.close();
                disk.create("other").close();
                assertThat(disk.identityOf("other")).isNotEqualTo(identity);
            }
            real.delete(NAME);
            real.delete("other");
        }
    }

    @Test
    void anotherProcessCanCutThePower() throws Exception {
        try (ModelledDisk disk = disk("ssd")) {
            assertThat(PowerSwitch.cut(directory, ModelledDisk.Survivors.DROP, 1, Duration.ZERO))
                    .isFalse(); // nobody uses it
            Closeable lock = disk.lock("lock");
            assertThat(PowerSwitch.cut(directory, ModelledDisk.Survivors.RANDOM, 7, Duration.ofMinutes(1)))
                    .isTrue();
            assertThatThrownBy(disk::list).isInstanceOf(PowerLostException.class);
            lock.close();
        }
    }
}
