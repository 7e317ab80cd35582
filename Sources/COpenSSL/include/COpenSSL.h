#ifndef USHER_COPENSSL_H
#define USHER_COPENSSL_H

// OpenSSL 3, and its function-like macros as functions, since Swift cannot call a macro.
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "tls.h"

#include <stdbool.h>
#include <stdint.h>

/// XN_FLAG_RFC2253, whose parts are spread over two headers.
static const unsigned long usher_rfc2253 = XN_FLAG_RFC2253;

/// Seconds since 1970-01-01T00:00:00Z of a certificate's time; false when it is no such time.
bool usher_asn1_time(const ASN1_TIME *time, int64_t *seconds);

/// Whether an RSASSA-PSS algorithm identifier names SHA-256, SHA-384 or SHA-512 (its default is SHA-1).
bool usher_pss_uses_sha2(const X509_ALGOR *algorithm);

/// A PKCS#11 token: OpenSSL's engine `pkcs11` with one module loaded.
typedef struct usher_token USHER_TOKEN;

/// Loads the module and keeps the PIN for its log-in; NULL with an error in the queue.
USHER_TOKEN *usher_token_open(const char *module, const char *pin);

/// The private key of a PKCS#11 URI (RFC 7512), which stays in the token; NULL with an error in the queue.
EVP_PKEY *usher_token_key(USHER_TOKEN *token, const char *uri);

void usher_token_close(USHER_TOKEN *token);

/// Whether Fermat's method factors the key's RSA modulus in so many rounds; false when it is no RSA key.
bool usher_rsa_has_close_factors(const EVP_PKEY *key, int rounds);

#endif
