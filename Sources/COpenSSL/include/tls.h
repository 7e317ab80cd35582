#ifndef USHER_TLS_H
#define USHER_TLS_H

// The calls of TLS: every one clears the error queue first and says at once what came of it, while errno
// and the queue are still its own.
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int error;     // SSL_ERROR_*
  int system;    // errno where `error` is SSL_ERROR_SYSCALL; 0: the transport ended
  size_t count;  // bytes read or written
} usher_tls_outcome;

// Empties the error queue. It nearly always is empty, which is seen much sooner than each of its places is cleared.
static inline void usher_tls_clear_errors(void) {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

static inline usher_tls_outcome usher_tls_outcome_of(SSL *ssl, int result, size_t count) {
  int saved = errno;
  usher_tls_outcome outcome = {SSL_get_error(ssl, result), saved, count};
  return outcome;
}

static inline usher_tls_outcome usher_tls_handshake(SSL *ssl) {
  usher_tls_clear_errors();
  errno = 0;
  return usher_tls_outcome_of(ssl, SSL_do_handshake(ssl), 0);
}

static inline usher_tls_outcome usher_tls_read(SSL *ssl, void *bytes, size_t capacity) {
  size_t count = 0;
  usher_tls_clear_errors();
  errno = 0;
  int result = SSL_read_ex(ssl, bytes, capacity, &count);
  return usher_tls_outcome_of(ssl, result, count);
}

static inline usher_tls_outcome usher_tls_write(SSL *ssl, const void *bytes, size_t length) {
  size_t count = 0;
  usher_tls_clear_errors();
  errno = 0;
  int result = SSL_write_ex(ssl, bytes, length, &count);
  return usher_tls_outcome_of(ssl, result, count);
}

// Sends close_notify; does not wait for the peer's.
static inline usher_tls_outcome usher_tls_shutdown(SSL *ssl) {
  usher_tls_clear_errors();
  errno = 0;
  int result = SSL_shutdown(ssl);
  return usher_tls_outcome_of(ssl, result < 0 ? result : 1, 0);
}

// Gives the connection a socket that it does not own, through a BIO that never raises SIGPIPE.
int usher_tls_set_socket(SSL *ssl, int descriptor);

// What TLS connections work with: OpenSSL without the decoders and key types that no certificate here can have, for
// ever; NULL with an error in the queue.
OSSL_LIB_CTX *usher_tls_library(void);

// Macros.
static const uint64_t usher_tls_options = SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                          SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;
static const long usher_tls_modes =
    SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS |
    SSL_MODE_NO_AUTO_CHAIN;  // show the chain that was configured, never one made up from what is trusted
static inline int usher_tls_set_versions(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) && SSL_CTX_set_max_proto_version(context, highest);
}
static inline int usher_tls_set_groups(SSL_CTX *context, const char *groups) {
  return (int)SSL_CTX_set1_groups_list(context, groups);
}
static inline int usher_tls_set_signatures(SSL_CTX *context, const char *algorithms) {
  return (int)SSL_CTX_set1_sigalgs_list(context, algorithms);
}
static inline void usher_tls_set_modes(SSL_CTX *context, long modes) { SSL_CTX_set_mode(context, modes); }
static inline void usher_tls_set_session_cache_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}
static inline void usher_tls_set_max_certificate_list(SSL_CTX *context, long bytes) {
  SSL_CTX_set_max_cert_list(context, bytes);
}
static inline void usher_tls_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
static inline int usher_tls_add_chain_of_one(SSL *ssl, X509 *certificate) {
    return (int)SSL_add1_chain_cert(ssl, certificate);
}

static inline int usher_tls_add_chain(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
static inline int usher_tls_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int usher_tls_session_index(CRYPTO_EX_dup *dup, CRYPTO_EX_free *free) {
  return CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_SESSION, 0, NULL, NULL, dup, free);
}
// The reason in a packed error of libssl; 0 for another library's.
static inline int usher_tls_reason(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0;
}
static inline int usher_tls_chain_count(const STACK_OF(X509) * chain) { return sk_X509_num(chain); }
static inline X509 *usher_tls_chain_value(const STACK_OF(X509) * chain, int index) {
  return sk_X509_value(chain, index);
}

#endif
