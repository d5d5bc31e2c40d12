/*
 * The least that a server with a log can do: one thread reads what is ready, writes all of it with one call, answers all of it. The
 * file was written before, so a write is forced without the file system's journal: O_DIRECT | O_DSYNC, whole blocks of 4096 bytes.
 *
 *   reference PORT_FILE [LOG_FILE]
 *
 * Without LOG_FILE it answers at once: the network alone. It knows nothing of clients, order, recovery or errors.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LENGTH_BYTES = 4, BLOCK_BYTES = 4096, MOST_EVENTS = 256, HEADER_FROM = 4, HEADER_TO = 8 };
enum { LOG_BYTES = 256 << 20, GROUP_BYTES = 32 << 20, BUFFER_BYTES = 1 << 20 };

struct connection {
  int socket;
  uint8_t *buffer;
  size_t received, frame;
};

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int listen_on_loopback(const char *port_file) {
  int one = 1, listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listening, (struct sockaddr *)&address, length) < 0 || listen(listening, 1024) < 0) die("listen");
  getsockname(listening, (struct sockaddr *)&address, &length);
  FILE *file = fopen(port_file, "w");
  if (!file) die(port_file);
  fprintf(file, "%d\n", ntohs(address.sin_port));
  fclose(file);
  return listening;
}

static int initialised_log(const char *path, uint8_t *group) {
  int log = open(path, O_RDWR | O_CREAT | O_DIRECT | O_DSYNC, 0600);
  if (log < 0) die(path);
  memset(group, 0, GROUP_BYTES);
  for (off_t at = 0; at < LOG_BYTES; at += GROUP_BYTES) {
    if (pwrite(log, group, GROUP_BYTES, at) != GROUP_BYTES) die("write");
  }
  return log;
}

static void answer(struct connection *c) {
  memset(c->buffer + HEADER_FROM, 0, HEADER_TO - HEADER_FROM); /* type, flags and status of a reply */
  for (size_t sent = 0; sent < c->frame;) {
    ssize_t now = send(c->socket, c->buffer + sent, c->frame - sent, 0);
    if (now < 0 && errno != EAGAIN) die("send");
    sent += now > 0 ? now : 0;
  }
  c->received = c->frame = 0;
}

int main(int count, char **argument) {
  uint8_t *group = NULL;
  int log = -1;
  off_t position = 0;
  if (posix_memalign((void **)&group, BLOCK_BYTES, GROUP_BYTES)) die("memory");
  if (count > 2) log = initialised_log(argument[2], group);
  int listening = listen_on_loopback(argument[1]), epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &event);
  for (;;) {
    struct epoll_event events[MOST_EVENTS];
    struct connection *whole[MOST_EVENTS];
    int requests = 0, ready = epoll_wait(epoll, events, MOST_EVENTS, -1);
    size_t bytes = 0;
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (!c) {
        int one = 1;
        c = calloc(1, sizeof *c);
        c->buffer = malloc(BUFFER_BYTES);
        c->socket = accept4(listening, NULL, NULL, SOCK_NONBLOCK);
        if (c->socket < 0) die("accept");
        setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        event.data.ptr = c;
        epoll_ctl(epoll, EPOLL_CTL_ADD, c->socket, &event);
        continue;
      }
      ssize_t received = recv(c->socket, c->buffer + c->received, BUFFER_BYTES - c->received, 0);
      if (received < 0 && errno == EAGAIN) continue;
      if (received <= 0) {
        close(c->socket);
        free(c->buffer);
        free(c);
        continue;
      }
      c->received += received;
      if (c->received < LENGTH_BYTES) continue;
      c->frame = LENGTH_BYTES + be32toh(*(uint32_t *)c->buffer);
      if (c->received < c->frame) continue;
      memcpy(group + bytes, c->buffer, c->frame);
      bytes += c->frame;
      whole[requests++] = c;
    }
    if (requests == 0) continue;
    if (log >= 0) {
      size_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
      if (position + (off_t)blocks > LOG_BYTES) position = 0;
      if (pwrite(log, group, blocks, position) != (ssize_t)blocks) die("write");
      position += blocks;
    }
    for (int i = 0; i < requests; i++) answer(whole[i]);
  }
}
