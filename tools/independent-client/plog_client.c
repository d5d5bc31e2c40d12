/*
 * A second client of plog's wire protocol, written from docs/protocol.md alone and sharing no line with plog: what both
 * measure against the same server must agree, or one of the two adds something of its own.
 *
 *   cc -O2 -Wall -o plog_client plog_client.c
 *   ./plog_client --port 7411 --target main --bytes 1000 --count 20000 --warmup 2000 [--busy] [--host H] [--seed S]
 *                 [--samples FILE]
 *
 * One connection, one request outstanding: the next is sent when the reply to the last was checked. Each payload is
 * random bytes that begin with the request's number. A latency is the difference of two readings of CLOCK_MONOTONIC,
 * just before the request is handed to the socket and just after the reply's last byte was read. Percentiles are
 * exact, by nearest rank. FILE gets a line for each counted request: when it was sent, its latency, and the six durations
 * of its reply, in ns; the first line says what to add to CLOCK_MONOTONIC for the time of day.
 * Exit codes: 0 done, 1 failed, 2 misused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HELLO = 1, WELCOME = 2, REQUEST = 3, REPLY = 4, GOODBYE = 5 };
enum { VERSION = 1, HEADER = 88, WELCOME_LIMIT = 65536, SENTENCE_LIMIT = 1024 };

struct options {
    const char *host, *port, *target, *samples;
    uint32_t bytes, count, warmup;
    uint64_t seed;
    int busy;
};

struct target {
    uint16_t id;
    char force[32];
    int inverts;
};

/* The durations of a reply, in the order in which they stand in it. */
enum { WAITING, BATCH_WAIT, WRITE, FORCE, EXECUTION, RESIDENCE, DURATIONS };

static const char *const duration_names[DURATIONS] = {"waiting", "batch wait", "write", "force", "execution", "residence"};

static void die(int code, const char *what, const char *detail) {
    fprintf(stderr, "plog_client: %s%s%s\n", what, *detail ? ": " : "", detail);
    exit(code);
}

static void fail(const char *what) { die(1, what, errno ? strerror(errno) : ""); }

/* Big-endian numbers. */
static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value = value << 8 | at[i];
    return value;
}

static void put(uint8_t *at, int bytes, uint64_t value) {
    for (int i = bytes - 1; i >= 0; i--, value >>= 8) at[i] = (uint8_t) value;
}

static uint64_t nanos(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static uint64_t now_nanos(void) { return nanos(CLOCK_MONOTONIC); }

static void send_all(int fd, const uint8_t *from, size_t bytes) {
    while (bytes > 0) {
        ssize_t sent = send(fd, from, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail("sending failed");
        from += sent;
        bytes -= (size_t) sent;
    }
}

/*
 * Receives at least as many bytes as asked for, and no more than there is room; says how many. Blocks in the read, or, if
 * busy, asks again and again without ever giving the processor away.
 */
static size_t receive(int fd, uint8_t *to, size_t least, size_t room, int busy) {
    size_t had = 0;
    while (had < least) {
        ssize_t got = recv(fd, to + had, room - had, busy ? MSG_DONTWAIT : 0);
        if (got < 0 && (errno == EINTR || (busy && (errno == EAGAIN || errno == EWOULDBLOCK)))) continue;
        if (got < 0) fail("receiving failed");
        if (got == 0) {
            errno = 0;
            fail("the server closed the connection");
        }
        had += (size_t) got;
    }
    return had;
}

static int connect_to(const struct options *o) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    int error = getaddrinfo(o->host, o->port, &hints, &found);
    if (error) die(1, o->host, gai_strerror(error));
    int fd = -1;
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    if (fd < 0) fail("nobody answers there");
    freeaddrinfo(found);
    int one = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) fail("TCP_NODELAY");
    return fd;
}

/* A frame that ends the conversation says why; had is how much of it came already. */
static void goodbye(int fd, const uint8_t *begin, size_t had) {
    uint8_t frame[4 + 1024] = {0};
    size_t whole = 4 + get(begin, 4);
    if (whole < 10 || whole > sizeof frame || had > whole) die(1, "the server sent a malformed GOODBYE", "");
    memcpy(frame, begin, had);
    receive(fd, frame + had, whole - had, whole - had, 0);
    size_t said = get(frame + 8, 2), room = whole - 10;
    char reason[1024];
    snprintf(reason, sizeof reason, "code %u, %.*s", (unsigned) get(frame + 6, 2), (int) (said < room ? said : room),
        (const char *) frame + 10);
    die(1, "the server said goodbye", reason);
}

/* A place in the WELCOME, and where it ends. Whatever would reach beyond the end is malformed. */
struct cursor {
    const uint8_t *at, *end;
};

static const uint8_t *take(struct cursor *c, size_t bytes) {
    if ((size_t) (c->end - c->at) < bytes) die(1, "the WELCOME ends too early", "");
    const uint8_t *here = c->at;
    c->at += bytes;
    return here;
}

static size_t take_string(struct cursor *c, const char **text) {
    size_t bytes = get(take(c, 2), 2);
    *text = (const char *) take(c, bytes);
    return bytes;
}

static int is(const char *text, size_t bytes, const char *word) {
    return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

/* Reads facts; tells whether one of them is service=invert. */
static int facts_say_invert(struct cursor *c) {
    int inverts = 0;
    for (size_t left = get(take(c, 2), 2); left > 0; left--) {
        const char *name, *value;
        size_t name_bytes = take_string(c, &name);
        size_t value_bytes = take_string(c, &value);
        inverts |= is(name, name_bytes, "service") && is(value, value_bytes, "invert");
    }
    return inverts;
}

static struct target shake_hands(int fd, const struct options *o) {
    uint8_t hello[16] = {0};
    put(hello, 4, 12);
    put(hello + 4, 1, HELLO);
    put(hello + 6, 2, VERSION);
    put(hello + 8, 4, 0x504C4F47);
    send_all(fd, hello, sizeof hello);

    uint8_t *frame = malloc(4 + WELCOME_LIMIT);
    if (!frame) fail("no memory");
    receive(fd, frame, 6, 6, 0);
    size_t length = get(frame, 4);
    if (frame[4] == GOODBYE) goodbye(fd, frame, 6);
    if (length < 2 || length > WELCOME_LIMIT) die(1, "this is no plog server", "");
    receive(fd, frame + 6, length - 2, length - 2, 0);
    struct cursor c = {frame + 6, frame + 4 + length};
    if (frame[4] != WELCOME) die(1, "expected a WELCOME", "");
    uint64_t version = get(take(&c, 2), 2);
    if (version != VERSION) {
        char versions[80];
        snprintf(versions, sizeof versions, "the server speaks version %u, this client speaks %d", (unsigned) version, VERSION);
        die(1, "another version of the protocol", versions);
    }
    if (o->bytes > get(take(&c, 4), 4)) die(2, "--bytes is more than the server takes", "");
    take(&c, 4); /* max requests outstanding: we have one */
    facts_say_invert(&c);

    for (size_t left = get(take(&c, 2), 2); left > 0; left--) {
        struct target t = {.id = (uint16_t) get(take(&c, 2), 2)};
        const char *name, *force;
        size_t name_bytes = take_string(&c, &name);
        size_t force_bytes = take_string(&c, &force);
        snprintf(t.force, sizeof t.force, "%.*s", (int) force_bytes, force);
        t.inverts = facts_say_invert(&c);
        if (is(name, name_bytes, o->target)) {
            if (!t.inverts) die(2, "the target's service does not invert; replies could not be checked", o->target);
            free(frame);
            return t;
        }
    }
    die(2, "the server has no such target", o->target);
    abort();
}

static uint64_t random64(uint64_t *state) { /* SplitMix64 */
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A refusal is as long as its sentence; the first bytes of it have been read. */
static void refused(int fd, const uint8_t *begun, size_t had) {
    uint8_t frame[HEADER + SENTENCE_LIMIT];
    size_t length = 4 + get(begun, 4);
    if (length < HEADER || length > sizeof frame || had > length) die(1, "a refusal of a wrong length", "");
    memcpy(frame, begun, had);
    receive(fd, frame + had, length - had, length - had, 0);
    char sentence[SENTENCE_LIMIT + 20];
    snprintf(sentence, sizeof sentence, "status %u: %.*s", (unsigned) get(frame + 6, 2), (int) (length - HEADER),
        (const char *) frame + HEADER);
    die(1, "the server refused", sentence);
}

/* One reply against its request, to the last byte. */
static void check(const uint8_t *request, const uint8_t *reply, uint32_t bytes, int logged, uint64_t *last_index) {
    if (memcmp(request, reply, 4) || reply[4] != REPLY || reply[5] != request[5]) die(1, "wrong length, type or flags", "");
    if (memcmp(request + 72, reply + 72, 16)) die(1, "the reply is for another client or number", "");
    if (get(reply + 68, 4)) die(1, "bytes 68 to 72 of the reply are not zero", "");
    uint64_t index = get(reply + 8, 8), sharing = get(reply + 64, 4);
    if (logged ? index <= *last_index || sharing < 1 : index != 0 || sharing != 0) die(1, "wrong log index or batch", "");
    *last_index = index;
    for (uint32_t i = 0; i < bytes; i++) {
        if ((reply[HEADER + i] ^ request[HEADER + i]) != 0xFF) die(1, "a byte of the payload is wrong", "");
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
    return (x > y) - (x < y);
}

static void print_row(const char *name, uint64_t *nanos, uint32_t count) {
    long double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += nanos[i];
    qsort(nanos, count, sizeof *nanos, by_value);
    uint64_t p50 = nanos[(uint32_t) (((uint64_t) count * 50 + 99) / 100) - 1];
    uint64_t p99 = nanos[(uint32_t) (((uint64_t) count * 99 + 99) / 100) - 1];
    printf("%-11s %12.3f %12.3f %12.3f %12.3f %12.3f\n", name, (double) (sum / count) / 1e3, nanos[0] / 1e3, p50 / 1e3,
        p99 / 1e3, nanos[count - 1] / 1e3);
}

/* Before the rows are printed, which sorts them. */
static void write_samples(const char *path, const uint64_t *sent, const uint64_t *end_to_end, uint64_t *const *durations,
    uint32_t count) {
    FILE *file = fopen(path, "w");
    if (!file) fail(path);
    fprintf(file, "%llu\n", (unsigned long long) (nanos(CLOCK_REALTIME) - now_nanos()));
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "%llu %llu", (unsigned long long) sent[i], (unsigned long long) end_to_end[i]);
        for (int d = 0; d < DURATIONS; d++) fprintf(file, " %llu", (unsigned long long) durations[d][i]);
        fputc('\n', file);
    }
    if (fclose(file)) fail(path);
}

static uint32_t number(const char *option, const char *text, uint32_t least) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text == '-' || value < least || value > 1000000000) die(2, "not a usable number", option);
    return (uint32_t) value;
}

static struct options parse(int argc, char **argv) {
    struct options o = {.host = "127.0.0.1", .port = "7411", .target = "main", .bytes = 1000, .count = 20000, .warmup = 2000, .seed = 1};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!strcmp(name, "--busy")) {
            o.busy = 1;
            continue;
        }
        const char *value = i + 1 < argc ? argv[++i] : "";
        if (!strcmp(name, "--host")) o.host = value;
        else if (!strcmp(name, "--port")) o.port = value;
        else if (!strcmp(name, "--target")) o.target = value;
        else if (!strcmp(name, "--samples")) o.samples = value;
        else if (!strcmp(name, "--bytes")) o.bytes = number(name, value, 8);
        else if (!strcmp(name, "--count")) o.count = number(name, value, 1);
        else if (!strcmp(name, "--warmup")) o.warmup = number(name, value, 0);
        else if (!strcmp(name, "--seed")) o.seed = number(name, value, 0);
        else die(2, "unknown option; expected --host --port --target --bytes (8 or more) --count --warmup --seed --samples --busy", name);
    }
    return o;
}

int main(int argc, char **argv) {
    struct options o = parse(argc, argv);
    int fd = connect_to(&o);
    struct target target = shake_hands(fd, &o);
    int logged = strcmp(target.force, "off") != 0;

    size_t frame_bytes = HEADER + (size_t) o.bytes;
    uint8_t *request = calloc(1, frame_bytes), *reply = calloc(1, frame_bytes);
    uint64_t *end_to_end = calloc(o.count, sizeof *end_to_end), *logging = calloc(o.count, sizeof *logging);
    uint64_t *sent_at = calloc(o.count, sizeof *sent_at);
    uint64_t *durations[DURATIONS];
    for (int d = 0; d < DURATIONS; d++) {
        durations[d] = calloc(o.count, sizeof **durations);
        if (!durations[d]) fail("no memory");
    }
    if (!request || !reply || !end_to_end || !logging || !sent_at) fail("no memory");
    /* Touched before they count, so that no first page fault lands in a latency. */
    memset(end_to_end, 0xff, o.count * sizeof *end_to_end);
    memset(sent_at, 0xff, o.count * sizeof *sent_at);

    uint64_t client, last_index = 0;
    if (getrandom(&client, sizeof client, 0) != sizeof client) fail("no random client id");
    put(request, 4, HEADER - 4 + o.bytes);
    put(request + 4, 1, REQUEST);
    put(request + 6, 2, target.id);
    put(request + 64, 1, 1);
    put(request + 72, 8, client);
    for (uint32_t i = 0; i < o.bytes; i++) request[HEADER + i] = (uint8_t) random64(&o.seed);

    for (uint64_t n = 1; n <= (uint64_t) o.warmup + o.count; n++) {
        put(request + 80, 8, n);
        put(request + HEADER, 8, n);
        uint64_t sent = now_nanos();
        send_all(fd, request, frame_bytes);
        /* A refusal and a GOODBYE have other lengths, and are told by their first bytes. */
        size_t had = receive(fd, reply, 8, frame_bytes, o.busy);
        if (reply[4] == GOODBYE) goodbye(fd, reply, had);
        if (reply[4] == REPLY && get(reply + 6, 2)) refused(fd, reply, had);
        receive(fd, reply + had, frame_bytes - had, frame_bytes - had, o.busy);
        uint64_t received = now_nanos();
        check(request, reply, o.bytes, logged, &last_index);
        if (n > o.warmup) {
            uint32_t i = (uint32_t) (n - o.warmup - 1);
            sent_at[i] = sent;
            end_to_end[i] = received - sent;
            for (int d = 0; d < DURATIONS; d++) durations[d][i] = get(reply + 16 + 8 * d, 8);
            logging[i] = durations[WAITING][i] + durations[BATCH_WAIT][i] + durations[WRITE][i] + durations[FORCE][i];
        }
    }

    if (o.samples) write_samples(o.samples, sent_at, end_to_end, durations, o.count);
    printf("target %s, force %s, %u bytes, %u counted, %s reads; µs\n", o.target, target.force, o.bytes, o.count,
        o.busy ? "busy" : "blocking");
    printf("%-11s %12s %12s %12s %12s %12s\n", "", "mean", "min", "p50", "p99", "max");
    print_row("end to end", end_to_end, o.count);
    print_row("logging", logging, o.count);
    for (int d = 0; d < DURATIONS; d++) print_row(duration_names[d], durations[d], o.count);
    close(fd);
    return 0;
}
