// The load client of Benchmarks/run: a fixed number of operations over mutual TLS 1.3, each answer checked.
//
//   client OPERATION COUNT PORT AUTHORITY CERTIFICATE KEY PATH SERVER [PROCESS…]
//
//   full      COUNT connections one after the other: a full handshake and one GET each
//   resumed   the same, each resuming the session of the one before
//   get       COUNT GETs over 64 connections that stay open, one in flight on each
//   idle      COUNT connections that stay open, and a client that sends its request at one byte a second
//
// `idle` prints the bytes of memory that SERVER took for each connection, the seconds until the slow client was cut,
// and the milliseconds of the slowest answer on the other connections meanwhile. The others print two numbers: the microseconds of CPU time (user and system) that the process SERVER spent for each operation,
// and those that the other processes spent. It fails at the first answer that is not 200 and at the first handshake
// that is not of the kind asked for.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 64 };

static SSL_CTX *context;
static SSL *all[CONNECTIONS];
static in_port_t port;
static char request[512];
static SSL_SESSION *session;  // the newest

static void fail(const char *what) {
  fprintf(stderr, "client: %s\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static int keep_session(SSL *ssl, SSL_SESSION *fresh) {
  (void)ssl;
  SSL_SESSION_free(session);
  session = fresh;
  return 1;
}

static void prepare(const char *authority, const char *certificate, const char *key) {
  context = SSL_CTX_new(TLS_client_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)
      || !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256")  // the same with every server
      || !SSL_CTX_load_verify_file(context, authority)
      || !SSL_CTX_use_certificate_chain_file(context, certificate)
      || !SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM))
    fail("certificates");
  SSL_CTX_set_mode(context, SSL_MODE_NO_AUTO_CHAIN);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, keep_session);
}

static SSL *open_connection(bool resumes) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  SSL *ssl = SSL_new(context);
  if (!ssl || !SSL_set_fd(ssl, descriptor) || !SSL_set_tlsext_host_name(ssl, "localhost")
      || (resumes && !SSL_set_session(ssl, session)) || SSL_connect(ssl) != 1)
    fail("handshake");
  if (SSL_session_reused(ssl) != resumes) fail(resumes ? "not resumed" : "resumed");
  return ssl;
}

static void close_connection(SSL *ssl) {
  int descriptor = SSL_get_fd(ssl);
  SSL_shutdown(ssl);
  SSL_free(ssl);
  close(descriptor);
}

static void send_request(SSL *ssl) {
  int length = (int)strlen(request);
  if (SSL_write(ssl, request, length) != length) fail("write");
}

static void read_answer(SSL *ssl) {
  char answer[8192];
  size_t count = 0;
  while (true) {
    int more = SSL_read(ssl, answer + count, (int)(sizeof answer - 1 - count));
    if (more <= 0) fail("read");
    answer[count += (size_t)more] = 0;
    char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\nContent-Length:");
    if (!end) continue;
    if (strncmp(answer, "HTTP/1.1 200 ", 13) || !length) fail(answer);
    if (count >= (size_t)(end + 4 - answer) + strtoul(length + 17, NULL, 10)) return;
  }
}

static void ask(SSL *ssl) {
  send_request(ssl);
  read_answer(ssl);
}

// Full or resumed, after `session` is there.
static void connect_often(long count, bool resumes) {
  for (long done = 0; done < count; done++) {
    SSL *ssl = open_connection(resumes);
    ask(ssl);
    close_connection(ssl);
  }
}

static void open_all(int poll) {
  for (int index = 0; index < CONNECTIONS; index++) {
    SSL *ssl = open_connection(false);
    ask(ssl);  // takes what the handshake left, too
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = ssl};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, SSL_get_fd(ssl), &event)) fail("epoll_ctl");
    all[index] = ssl;
  }
}

static void get_often(int poll, long count) {
  long sent = 0, received = 0;
  while (sent < CONNECTIONS && sent < count) send_request(all[sent++]);
  while (received < count) {
    struct epoll_event events[CONNECTIONS];
    int ready = epoll_wait(poll, events, CONNECTIONS, 10000);
    if (ready <= 0) fail("no answer for 10 seconds");
    for (int index = 0; index < ready; index++) {
      SSL *ssl = events[index].data.ptr;
      read_answer(ssl);
      received++;
      if (sent < count) {
        send_request(ssl);
        sent++;
      }
    }
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// What a process has in memory that is its own, in bytes.
static double memory(const char *process) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%s/status", process);
  FILE *file = fopen(path, "r");
  long kilobytes = -1;
  while (file && kilobytes < 0 && fgets(line, sizeof line, file)) sscanf(line, "RssAnon: %ld kB", &kilobytes);
  if (kilobytes < 0) fail(path);
  fclose(file);
  return (double)kilobytes * 1024;
}

static void hold(long count, const char *process) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL **held = calloc((size_t)count, sizeof *held);
  if (!held) fail("memory");
  connect_often(1, false);
  double before = memory(process);
  for (long index = 0; index < count; index++) ask(held[index] = open_connection(false));
  double each = (memory(process) - before) / (double)count;

  SSL *slow = open_connection(false);
  fcntl(SSL_get_fd(slow), F_SETFL, O_NONBLOCK);
  struct pollfd watched = {.fd = SSL_get_fd(slow), .events = POLLIN};
  double start = now(), slowest = 0;
  size_t sent = 0;
  bool is_cut = false;
  for (long next = 0; !is_cut && now() - start < 60; next = (next + 1) % count) {
    // The session ticket makes it readable as well; an answer (408) or the end is a cut.
    char byte;
    if (poll(&watched, 1, 10) > 0) {
      int peeked = SSL_peek(slow, &byte, 1);
      is_cut = peeked > 0 || SSL_get_error(slow, peeked) != SSL_ERROR_WANT_READ;
    }
    if (!is_cut && now() - start >= (double)sent && sent < strlen(request))
      is_cut = SSL_write(slow, request + sent++, 1) != 1;
    double asked = now();
    ask(held[next]);
    if (now() - asked > slowest) slowest = now() - asked;
  }
  if (!is_cut) fail("the slow client was not cut");
  printf("%.0f %.1f %.1f\n", each, now() - start, slowest * 1e3);
  SSL_free(slow);
  for (long index = 0; index < count; index++) close_connection(held[index]);
  free(held);
}

// The CPU time of a process and of its children that have ended, in microseconds.
static double cpu_time(const char *process) {
  char path[64], line[1024];
  snprintf(path, sizeof path, "/proc/%s/stat", process);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) fail(path);
  fclose(file);
  long user, system, children_user, children_system;
  // Fields 14 to 17; the name, field 2, may hold anything but ends at the last parenthesis.
  if (sscanf(strrchr(line, ')'), ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld %ld %ld %ld", &user, &system,
             &children_user, &children_system) != 4)
    fail(path);
  return (double)(user + system + children_user + children_system) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static double cpu_times(char **processes) {
  double sum = 0;
  for (; *processes; processes++) sum += cpu_time(*processes);
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 9) fail("usage: see its first lines");
  const char *operation = argv[1];
  long count = atol(argv[2]), warmup = count / 20 + 1;
  port = htons((in_port_t)atoi(argv[3]));
  prepare(argv[4], argv[5], argv[6]);
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\n\r\n", argv[7], argv[3]);
  char **server = argv + 8, **beside = argv + 9;

  if (strcmp(operation, "idle") == 0) {
    hold(count, *server);
    return 0;
  }
  bool gets = strcmp(operation, "get") == 0, resumes = strcmp(operation, "resumed") == 0;
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (gets) open_all(poll);
  connect_often(1, false);
  for (int round = 0; round < 2; round++) {  // the first one warms up
    long operations = round == 0 ? warmup : count;
    double server_before = cpu_time(*server), beside_before = cpu_times(beside);
    if (gets) get_often(poll, operations);
    else connect_often(operations, resumes);
    if (round == 1) {
      double per_operation = 1 / (double)count;
      printf("%.2f %.2f\n", (cpu_time(*server) - server_before) * per_operation,
             (cpu_times(beside) - beside_before) * per_operation);
    }
  }
  for (int index = 0; gets && index < CONNECTIONS; index++) close_connection(all[index]);
}
