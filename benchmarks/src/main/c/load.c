/*
 * A closed loop: each connection has one request outstanding. One thread, so that the load takes as little of the processors as it
 * can, and every server gets the same.
 *
 *   load PROTOCOL PORT CONNECTIONS BYTES SECONDS WARM_UP_SECONDS PID
 *
 * PROTOCOL is plog (the binary protocol, docs/protocol.md), bare (the same frames without a greeting, for reference.c), or redis (SET).
 * PID is the server's process. Prints one line: requests per second, p50, p99 and p99.9 in microseconds, microseconds of the
 * server's processors per request, processors used. A wrong answer ends it with status 1.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Of a request and of a reply: a length that does not count itself, a header, the payload. */
enum { LENGTH_BYTES = 4, HEADER_BYTES = 88, REQUEST = 3, TARGET_AT = 7, COUNT_AT = 64, CLIENT_AT = 72, NUMBER_AT = 80, STATUS_AT = 6 };
enum { MOST_EVENTS = 256, MOST_SAMPLES = 20 * 1000 * 1000 };

enum protocol { PLOG, BARE, REDIS };

struct connection {
  int socket;
  uint8_t *request, *reply;
  size_t request_bytes, sent, reply_bytes, received;
  uint64_t number, begun;
};

static enum protocol protocol;
static int epoll;

static void die(const char *what) {
  fprintf(stderr, "load: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
  exit(1);
}

static uint64_t nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Of all threads of a process, in microseconds: user and system, the 14th and 15th field of its stat. */
static double processor_micros(int pid) {
  char path[64], stat[1024];
  unsigned long user, system;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  stat[fread(stat, 1, sizeof stat - 1, file)] = 0;
  fclose(file);
  if (sscanf(strrchr(stat, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) die("stat");
  return (user + system) * 1e6 / sysconf(_SC_CLK_TCK);
}

static void all(int socket, void *buffer, size_t bytes, int writes) {
  for (uint8_t *at = buffer; bytes > 0;) {
    ssize_t moved = writes ? write(socket, at, bytes) : read(socket, at, bytes);
    if (moved <= 0) die("the greeting");
    at += moved;
    bytes -= moved;
  }
}

static void greet(int socket) {
  uint8_t hello[16] = {0, 0, 0, 12, 1, 0, 0, 1, 'P', 'L', 'O', 'G'};
  uint32_t length;
  all(socket, hello, sizeof hello, 1);
  all(socket, &length, sizeof length, 0);
  uint8_t *welcome = malloc(be32toh(length));
  all(socket, welcome, be32toh(length), 0);
  free(welcome);
}

static void prepare(struct connection *c, int index, int bytes) {
  if (protocol == REDIS) {
    c->request = malloc(bytes + 200);
    int head = sprintf((char *)c->request, "*3\r\n$3\r\nSET\r\n$6\r\nk%05d\r\n$%d\r\n", index, bytes);
    memset(c->request + head, 'x', bytes);
    memcpy(c->request + head + bytes, "\r\n", 2);
    c->request_bytes = head + bytes + 2;
    c->reply_bytes = strlen("+OK\r\n");
  } else {
    uint64_t client = (uint64_t)1 << 56 | (uint64_t)rand() << 20 | index;
    c->request = calloc(1, HEADER_BYTES + bytes);
    *(uint32_t *)c->request = htobe32(HEADER_BYTES - LENGTH_BYTES + bytes);
    c->request[LENGTH_BYTES] = REQUEST;
    c->request[COUNT_AT] = 1;
    *(uint64_t *)(c->request + CLIENT_AT) = htobe64(client);
    for (int i = 0; i < bytes; i++) c->request[HEADER_BYTES + i] = rand();
    c->request_bytes = c->reply_bytes = HEADER_BYTES + bytes;
  }
  c->reply = malloc(c->reply_bytes);
}

static void watch(struct connection *c, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  if (epoll_ctl(epoll, operation, c->socket, &event) < 0) die("epoll_ctl");
}

static void open_connection(struct connection *c, int index, int port, int bytes) {
  int one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  c->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c->socket, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
  setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (protocol == PLOG) greet(c->socket);
  prepare(c, index, bytes);
  watch(c, EPOLL_CTL_ADD, EPOLLIN);
}

/* Sends what is left of the request; what the socket does not take now, when it can be written to. */
static void flush(struct connection *c) {
  int waited = c->sent > 0;
  while (c->sent < c->request_bytes) {
    ssize_t sent = send(c->socket, c->request + c->sent, c->request_bytes - c->sent, MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) die("send");
    if (sent < 0) {
      watch(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
      return;
    }
    c->sent += sent;
  }
  if (waited) watch(c, EPOLL_CTL_MOD, EPOLLIN);
}

static void begin(struct connection *c) {
  c->number++;
  if (protocol != REDIS) *(uint64_t *)(c->request + NUMBER_AT) = htobe64(c->number);
  c->sent = c->received = 0;
  c->begun = nanos();
  flush(c);
}

/* Whether the whole reply is there. */
static int receive(struct connection *c) {
  ssize_t received = recv(c->socket, c->reply + c->received, c->reply_bytes - c->received, MSG_DONTWAIT);
  if (received < 0 && errno == EAGAIN) return 0;
  if (received <= 0) die("the server closed a connection");
  c->received += received;
  if (c->received < c->reply_bytes) return 0;
  errno = 0;
  if (protocol == REDIS) {
    if (memcmp(c->reply, "+OK\r\n", 5)) die("not +OK");
  } else if (c->reply[STATUS_AT] || c->reply[STATUS_AT + 1]) {
    die("a request was refused");
  } else if (be64toh(*(uint64_t *)(c->reply + NUMBER_AT)) != c->number) {
    die("an answer to another request");
  }
  return 1;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

int main(int count, char **argument) {
  if (count != 8) die("expected PROTOCOL PORT CONNECTIONS BYTES SECONDS WARM_UP_SECONDS PID");
  protocol = !strcmp(argument[1], "plog") ? PLOG : !strcmp(argument[1], "bare") ? BARE : REDIS;
  int port = atoi(argument[2]), connections = atoi(argument[3]), bytes = atoi(argument[4]), pid = atoi(argument[7]);
  double seconds = atof(argument[5]), warm_up = atof(argument[6]);
  struct connection *all_connections = calloc(connections, sizeof *all_connections);
  uint32_t *tenths = malloc((size_t)MOST_SAMPLES * sizeof *tenths); /* of a microsecond */
  size_t samples = 0;
  uint64_t done = 0;
  srand(getpid() ^ (unsigned)nanos());
  epoll = epoll_create1(0);
  for (int i = 0; i < connections; i++) open_connection(&all_connections[i], i, port, bytes);

  uint64_t from = nanos() + warm_up * 1e9, until = from + seconds * 1e9, counted_from = 0;
  double processors_before = 0;
  for (int i = 0; i < connections; i++) begin(&all_connections[i]);
  for (;;) {
    struct epoll_event events[MOST_EVENTS];
    int ready = epoll_wait(epoll, events, MOST_EVENTS, -1);
    uint64_t now = nanos();
    if (!counted_from && now >= from) {
      counted_from = now;
      processors_before = processor_micros(pid);
    }
    if (now >= until) break;
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (events[i].events & EPOLLOUT) flush(c);
      if (!(events[i].events & EPOLLIN) || !receive(c)) continue;
      if (counted_from) {
        done++;
        if (samples < MOST_SAMPLES) tenths[samples++] = (nanos() - c->begun) / 100;
      }
      begin(c);
    }
  }
  errno = 0;
  if (done == 0) die("no request was answered");
  double lasted = (nanos() - counted_from) / 1e9, used = processor_micros(pid) - processors_before;
  qsort(tenths, samples, sizeof *tenths, ascending);
  printf("%.0f %.1f %.1f %.1f %.2f %.3f\n", done / lasted, tenths[samples / 2] / 10., tenths[(size_t)(samples * .99)] / 10.,
         tenths[(size_t)(samples * .999)] / 10., used / done, used / 1e6 / lasted);
}
