/*
 * A device on which a force takes a given time, for a machine that has no such device: preloaded, it makes each fdatasync
 * and fsync of a process take SLOW_FORCE_NANOS in all. Forces wait for each other, as in a device with one queue.
 * benchmarks/run compiles it for its option --force-time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

typedef int force_function(int);

static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;

static int force_slowly(const char *name, int fd) {
  static __thread int ready;
  if (!ready) {
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0); /* else the kernel adds up to 50 us to each sleep */
    ready = 1;
  }
  const char *nanos = getenv("SLOW_FORCE_NANOS");
  force_function *real = (force_function *)dlsym(RTLD_NEXT, name);
  pthread_mutex_lock(&device);
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  long long end = until.tv_nsec + (nanos ? atoll(nanos) : 0);
  until.tv_sec += end / 1000000000;
  until.tv_nsec = end % 1000000000;
  int result = real(fd);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
  }
  pthread_mutex_unlock(&device);
  return result;
}

int fdatasync(int fd) { return force_slowly("fdatasync", fd); }

int fsync(int fd) { return force_slowly("fsync", fd); }
