// The load client of the benchmarks: a fixed number of operations over mutual TLS 1.3, each answer checked.
//
//   client OPERATION COUNT PORT AUTHORITY CERTIFICATE KEY PATH SERVER [PROCESS…]
//
//   full      COUNT connections one after the other: a full handshake and one GET each
//   first     the same, each with another certificate of the folder CERTIFICATE: 0.pem, 1.pem…, all of KEY; of a twentieth more
//             than COUNT, and two
//   resumed   the same, each resuming the session of the one before
//   getN      COUNT GETs over N connections that stay open (at most 1024), one in flight on each
//   idle      COUNT connections that stay open, and a client that sends its request at one byte a second
//   floor     COUNT full handshakes in memory with a server of OpenSSL alone, which has CERTIFICATE and KEY too
//
// `idle` prints the bytes of memory that SERVER took for each connection, the seconds until the slow client was cut,
// and the milliseconds of the slowest answer on the other connections meanwhile. `floor` prints the microseconds of CPU
// time that the server's side took for each handshake. The others print the microseconds of CPU time (user and system)
// that the process SERVER spent for each operation, those that the other processes spent, what everything else on the
// machine took meanwhile in percent of one processor, and the 50th and the 99th percentile of the time to an answer in
// microseconds (0 for handshakes). It fails at the first answer that is not 200 and at the first handshake that is not
// of the kind asked for.
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

enum { MOST_CONNECTIONS = 1024 };

static SSL_CTX *context;
static struct connection {
  SSL *ssl;
  double asked;  // when, in seconds
} all[MOST_CONNECTIONS];
static int connections;
static float *answer_times;  // of the round, in microseconds
static in_port_t port;
static char request[512];
static SSL_SESSION *session;  // the newest
static const char *certificates;  // a folder, of which each connection shows the next

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
      || (!certificates && !SSL_CTX_use_certificate_chain_file(context, certificate))
      || !SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM))
    fail("certificates");
  SSL_CTX_set_mode(context, SSL_MODE_NO_AUTO_CHAIN);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, keep_session);
}

static void show_next(SSL *ssl) {
  static long next;
  char path[1024];
  snprintf(path, sizeof path, "%s/%ld.pem", certificates, next++);
  if (!SSL_use_certificate_file(ssl, path, SSL_FILETYPE_PEM)) fail(path);
}

static SSL *open_connection(bool resumes) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  SSL *ssl = SSL_new(context);
  if (ssl && certificates) show_next(ssl);
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
  for (int index = 0; index < connections; index++) {
    SSL *ssl = open_connection(false);
    ask(ssl);  // takes what the handshake left, too
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, SSL_get_fd(ssl), &event)) fail("epoll_ctl");
    all[index].ssl = ssl;
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void send_timed(struct connection *connection) {
  connection->asked = now();
  send_request(connection->ssl);
}

static void get_often(int poll, long count) {
  long sent = 0, received = 0;
  while (sent < connections && sent < count) send_timed(&all[sent++]);
  while (received < count) {
    struct epoll_event events[MOST_CONNECTIONS];
    int ready = epoll_wait(poll, events, MOST_CONNECTIONS, 10000);
    if (ready <= 0) fail("no answer for 10 seconds");
    for (int index = 0; index < ready; index++) {
      struct connection *connection = events[index].data.ptr;
      read_answer(connection->ssl);
      answer_times[received++] = (float)((now() - connection->asked) * 1e6);
      if (sent < count) {
        send_timed(connection);
        sent++;
      }
    }
  }
}

static int compare_times(const void *one, const void *other) {
  float left = *(const float *)one, right = *(const float *)other;
  return (left > right) - (left < right);
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

// The CPU time of a process in microseconds.
static double cpu_time(const char *process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(atoi(process), &clock) || clock_gettime(clock, &time)) fail(process);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double cpu_times(char **processes) {
  double sum = 0;
  for (; *processes; processes++) sum += cpu_time(*processes);
  return sum;
}

// What all processors together have worked, and were kept from working by other machines, in microseconds.
static double machine_time(void) {
  FILE *file = fopen("/proc/stat", "r");
  long user, nice, system, idle, wait, interrupts, soft, stolen;
  if (!file || fscanf(file, "cpu %ld %ld %ld %ld %ld %ld %ld %ld", &user, &nice, &system, &idle, &wait, &interrupts, &soft,
                      &stolen) != 8)
    fail("/proc/stat");
  fclose(file);
  return (double)(user + nice + system + interrupts + soft + stolen) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static double own_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int accept_any(X509_STORE_CTX *store, void *argument) {
  (void)store, (void)argument;
  return 1;
}

// A full handshake over two pipes in memory; returns what the server's side took.
static double shake_in_memory(SSL_CTX *server_context) {
  BIO *one, *other;
  SSL *client = SSL_new(context);
  double begun = own_time(), spent = 0;
  SSL *server = SSL_new(server_context);
  spent += own_time() - begun;
  if (!client || !server || !BIO_new_bio_pair(&one, 1 << 16, &other, 1 << 16)) fail("memory");
  SSL_set_bio(client, one, one);
  SSL_set_bio(server, other, other);
  SSL_set_connect_state(client);
  SSL_set_accept_state(server);
  bool is_done = false;
  for (int turn = 0; turn < 8 && !is_done; turn++) {
    SSL_do_handshake(client);
    begun = own_time();
    is_done = SSL_do_handshake(server) == 1;
    spent += own_time() - begun;
  }
  if (!is_done) fail("handshake in memory");
  SSL_free(client);
  begun = own_time();
  SSL_free(server);
  return spent + own_time() - begun;
}

// The server verifies the client's signature and no chain, as one that has seen the certificate before.
static void find_floor(long count, const char *certificate, const char *key) {
  SSL_CTX *server = SSL_CTX_new(TLS_server_method());
  if (!server || !SSL_CTX_use_certificate_chain_file(server, certificate)
      || !SSL_CTX_use_PrivateKey_file(server, key, SSL_FILETYPE_PEM))
    fail("certificates");
  SSL_CTX_set_options(server, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(server, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(server, 0);
  SSL_CTX_set_verify(server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  SSL_CTX_set_cert_verify_callback(server, accept_any, NULL);
  SSL_CTX_set_cert_verify_callback(context, accept_any, NULL);
  double spent = 0;
  for (long done = -count / 20; done < count; done++) {
    double once = shake_in_memory(server);
    if (done >= 0) spent += once;
  }
  printf("%.2f\n", spent / (double)count);
}

int main(int argc, char **argv) {
  if (argc < 9) fail("usage: see its first lines");
  const char *operation = argv[1];
  long count = atol(argv[2]), warmup = count / 20 + 1;
  port = htons((in_port_t)atoi(argv[3]));
  if (strcmp(operation, "first") == 0) certificates = argv[5];
  prepare(argv[4], argv[5], argv[6]);
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\n\r\n", argv[7], argv[3]);
  char **server = argv + 8, **beside = argv + 9;

  if (strcmp(operation, "idle") == 0) {
    hold(count, *server);
    return 0;
  }
  if (strcmp(operation, "floor") == 0) {
    find_floor(count, argv[5], argv[6]);
    return 0;
  }
  bool gets = sscanf(operation, "get%d", &connections) == 1, resumes = strcmp(operation, "resumed") == 0;
  if (gets && (connections < 1 || connections > MOST_CONNECTIONS)) fail("connections");
  answer_times = calloc((size_t)count + 1, sizeof *answer_times);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (gets) open_all(poll);
  connect_often(1, false);
  for (int round = 0; round < 2; round++) {  // the first one warms up
    long operations = round == 0 ? warmup : count;
    double server_before = cpu_time(*server), beside_before = cpu_times(beside), own_before = own_time();
    double machine_before = machine_time(), begun = now();
    if (gets) get_often(poll, operations);
    else connect_often(operations, resumes);
    if (round == 0) continue;
    double elapsed = (now() - begun) * 1e6, machine_spent = machine_time() - machine_before;
    double server_spent = cpu_time(*server) - server_before, beside_spent = cpu_times(beside) - beside_before;
    double others = machine_spent - server_spent - beside_spent - (own_time() - own_before);
    qsort(answer_times, (size_t)count, sizeof *answer_times, compare_times);
    printf("%.2f %.2f %.1f %.0f %.0f\n", server_spent / (double)count, beside_spent / (double)count,
           others > 0 ? others / elapsed * 100 : 0, answer_times[count / 2], answer_times[count * 99 / 100]);
  }
  for (int index = 0; gets && index < connections; index++) close_connection(all[index].ssl);
}
