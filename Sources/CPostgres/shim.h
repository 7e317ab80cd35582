#include <libpq-fe.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Whether a read would return at once: there is input, or the connection has ended. libpq reads once per call and does
/// not say whether it left anything, and an edge-triggered loop tells only once.
static inline bool postgres_has_input(int socket) {
  struct pollfd entry = {.fd = socket, .events = POLLIN};
  return poll(&entry, 1, 0) > 0;
}
