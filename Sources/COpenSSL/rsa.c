#include "COpenSSL.h"

/// The integer square root by Newton's method, from above.
static bool square_root(BIGNUM *root, const BIGNUM *number, BIGNUM *next, BN_CTX *context) {
  if (BN_is_zero(number)) return BN_zero(root), true;
  if (!BN_one(root) || !BN_lshift(root, root, (BN_num_bits(number) + 1) / 2)) return false;
  for (;;) {
    if (!BN_div(next, NULL, number, root, context) || !BN_add(next, next, root) || !BN_rshift1(next, next)) return false;
    if (BN_cmp(next, root) >= 0) return true;
    if (BN_copy(root, next) == NULL) return false;
  }
}

/// Most numbers are no squares modulo 64, 63, 65 or 11, which is seen at once.
static bool may_be_square(const BIGNUM *number) {
  BN_ULONG rest = BN_mod_word(number, 64 * 63 * 65 * 11);
  const unsigned moduli[] = {64, 63, 65, 11};
  for (int i = 0; i < 4; i++) {
    bool found = false;
    for (unsigned root = 0; root < moduli[i] && !found; root++) found = root * root % moduli[i] == rest % moduli[i];
    if (!found) return false;
  }
  return true;
}

bool usher_rsa_has_close_factors(const EVP_PKEY *key, int rounds) {
  BIGNUM *modulus = NULL;
  if (!EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) != 1) return false;
  BN_CTX *context = BN_CTX_new();
  bool found = false;
  if (context != NULL) {
    BN_CTX_start(context);
    BIGNUM *middle = BN_CTX_get(context), *square = BN_CTX_get(context), *root = BN_CTX_get(context),
           *next = BN_CTX_get(context);
    // With middle² - modulus = root², the factors are middle ± root.
    bool going = next != NULL && square_root(middle, modulus, next, context) && BN_sqr(square, middle, context);
    if (going && BN_cmp(square, modulus) < 0)
      going = BN_add_word(middle, 1) && BN_sqr(square, middle, context);
    going = going && BN_sub(square, square, modulus);
    for (int round = 0; going && !found && round < rounds; round++) {
      if (may_be_square(square))
        going = square_root(root, square, next, context) && BN_sqr(next, root, context);
      else
        BN_one(next), BN_set_negative(next, 1);
      found = going && BN_cmp(next, square) == 0;
      // (middle + 1)² = middle² + 2 middle + 1
      going = going && BN_add(square, square, middle) && BN_add_word(middle, 1) && BN_add(square, square, middle);
    }
    BN_CTX_end(context);
    BN_CTX_free(context);
  }
  BN_free(modulus);
  return found;
}
