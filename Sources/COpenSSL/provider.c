#include "tls.h"

#include <openssl/core_dispatch.h>
#include <openssl/provider.h>
#include <string.h>

// OpenSSL 3.0 asks every decoder and every key type that it has whether they might be meant, for each public key that it
// parses: more work than verifying a signature. Here it has only those that a certificate in TLS may need.

static OSSL_PROVIDER *whole;  // OpenSSL's own, in a context of its own
static OSSL_LIB_CTX *library;
static OSSL_ALGORITHM decoders[8], keys[16];
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;

static int is_named(const OSSL_ALGORITHM *algorithm, const char *const *names) {
  for (; *names; names++) {
    size_t length = strlen(*names);
    const char *all = algorithm->algorithm_names;  // "EC:id-ecPublicKey:1.2.840.10045.2.1"
    if (strncmp(all, *names, length) == 0 && (all[length] == ':' || all[length] == 0)) return 1;
  }
  return 0;
}

// Copies what `wanted` names into `some`, which keeps an empty last place; the operation's whole list stays OpenSSL's.
static void choose(int operation, const char *const *wanted, const char *property, OSSL_ALGORITHM *some, size_t places) {
  int no_cache = 0;
  const OSSL_ALGORITHM *all = OSSL_PROVIDER_query_operation(whole, operation, &no_cache);
  for (size_t count = 0; all && all->algorithm_names && count + 1 < places; all++)
    if (is_named(all, wanted) && strstr(all->property_definition, property)) some[count++] = *all;
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_cache) {
  (void)context;
  *no_cache = 0;
  switch (operation) {
    case OSSL_OP_DECODER: return decoders;
    case OSSL_OP_KEYMGMT: return keys;
    default: return OSSL_PROVIDER_query_operation(whole, operation, no_cache);
  }
}

static int capabilities(void *context, const char *capability, OSSL_CALLBACK *tell, void *argument) {
  (void)context;
  return OSSL_PROVIDER_get_capabilities(whole, capability, tell, argument);
}

static int start(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
  static const OSSL_DISPATCH functions[] = {
      {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
      {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))capabilities},
      {0, NULL}};
  (void)handle, (void)in;
  *out = functions;
  *context = OSSL_PROVIDER_get0_provider_ctx(whole);  // its algorithms are given what they expect
  return 1;
}

static void make_library(void) {
  static const char *const decoded[] = {"EC", "RSA", "RSA-PSS", "ED25519", NULL};
  static const char *const managed[] = {"EC", "RSA", "RSA-PSS", "ED25519", "X25519", "HMAC", "HKDF", "TLS1-PRF", NULL};
  OSSL_LIB_CTX *all = OSSL_LIB_CTX_new(), *some = OSSL_LIB_CTX_new();
  if (all && some && (whole = OSSL_PROVIDER_load(all, "default"))) {
    choose(OSSL_OP_DECODER, decoded, "input=der,structure=SubjectPublicKeyInfo", decoders, sizeof decoders / sizeof *decoders);
    choose(OSSL_OP_KEYMGMT, managed, "", keys, sizeof keys / sizeof *keys);
    if (OSSL_PROVIDER_add_builtin(some, "usher", start) && OSSL_PROVIDER_load(some, "usher")) {
      library = some;
      return;
    }
  }
  OSSL_LIB_CTX_free(some);
  // `all` stays: what was loaded into it may be referred to.
}

OSSL_LIB_CTX *usher_tls_library(void) { return CRYPTO_THREAD_run_once(&once, make_library) ? library : NULL; }
