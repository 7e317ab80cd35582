#include "tls.h"

#include <stdint.h>
#include <sys/socket.h>

// A socket of somebody else, for a library that must not kill its host by SIGPIPE.
static int socket_descriptor(BIO *bio) { return (int)(intptr_t)BIO_get_data(bio); }

static int socket_again(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

static int socket_read(BIO *bio, char *bytes, int capacity) {
  BIO_clear_retry_flags(bio);
  ssize_t count = recv(socket_descriptor(bio), bytes, (size_t)capacity, 0);
  if (count == 0) errno = 0;  // the end is no error
  if (count < 0 && socket_again(errno)) BIO_set_retry_read(bio);
  return (int)count;
}

static int socket_write(BIO *bio, const char *bytes, int length) {
  BIO_clear_retry_flags(bio);
  ssize_t count = send(socket_descriptor(bio), bytes, (size_t)length, MSG_NOSIGNAL);
  if (count < 0 && socket_again(errno)) BIO_set_retry_write(bio);
  return (int)count;
}

static long socket_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *socket_method;
static CRYPTO_ONCE socket_once = CRYPTO_ONCE_STATIC_INIT;

static void socket_make_method(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "usher socket");
  if (method && BIO_meth_set_read(method, socket_read) && BIO_meth_set_write(method, socket_write)
      && BIO_meth_set_ctrl(method, socket_control))
    socket_method = method;
}

int usher_tls_set_socket(SSL *ssl, int descriptor) {
  if (!CRYPTO_THREAD_run_once(&socket_once, socket_make_method) || !socket_method) return 0;
  BIO *bio = BIO_new(socket_method);
  if (!bio) return 0;
  BIO_set_data(bio, (void *)(intptr_t)descriptor);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);  // takes the one reference
  return 1;
}
