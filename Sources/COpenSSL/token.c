#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <openssl/engine.h>

static bool set(ENGINE *engine, const char *name, const char *value) {
  return ENGINE_ctrl_cmd_string(engine, name, value, 0) == 1;
}

USHER_TOKEN *usher_token_open(const char *module, const char *pin) {
  ENGINE_load_builtin_engines();
  ENGINE *engine = ENGINE_by_id("pkcs11");
  if (engine == NULL) return NULL;
  // Whoever else in the process has OpenSSL register its engines, as libcurl does, must not make this one the maker of keys.
  ENGINE_set_flags(engine, ENGINE_get_flags(engine) | ENGINE_FLAGS_NO_REGISTER_ALL);
  if (!set(engine, "MODULE_PATH", module) || !set(engine, "PIN", pin) || ENGINE_init(engine) != 1) {
    ENGINE_free(engine);
    return NULL;
  }
  return (USHER_TOKEN *)engine;
}

EVP_PKEY *usher_token_key(USHER_TOKEN *token, const char *uri) {
  return ENGINE_load_private_key((ENGINE *)token, uri, NULL, NULL);
}

void usher_token_close(USHER_TOKEN *token) {
  ENGINE_finish((ENGINE *)token);
  ENGINE_free((ENGINE *)token);
}
