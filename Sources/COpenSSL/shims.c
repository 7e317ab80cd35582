#define _GNU_SOURCE
#include "COpenSSL.h"

#include <time.h>

bool usher_asn1_time(const ASN1_TIME *time, int64_t *seconds) {
  struct tm parts;
  if (time == NULL || ASN1_TIME_to_tm(time, &parts) != 1) return false;
  *seconds = (int64_t)timegm(&parts);
  return true;
}

bool usher_pss_uses_sha2(const X509_ALGOR *algorithm) {
  const ASN1_OBJECT *name;
  const void *value;
  int type;
  X509_ALGOR_get0(&name, &type, &value, algorithm);
  if (OBJ_obj2nid(name) != NID_rsassaPss || type != V_ASN1_SEQUENCE) return false;
  const unsigned char *cursor = ASN1_STRING_get0_data(value);
  RSA_PSS_PARAMS *parameters = d2i_RSA_PSS_PARAMS(NULL, &cursor, ASN1_STRING_length(value));
  if (parameters == NULL) {
    ERR_clear_error();
    return false;
  }
  bool is_sha2 = false;
  if (parameters->hashAlgorithm != NULL) {
    X509_ALGOR_get0(&name, NULL, NULL, parameters->hashAlgorithm);
    int hash = OBJ_obj2nid(name);
    is_sha2 = hash == NID_sha256 || hash == NID_sha384 || hash == NID_sha512;
  }
  RSA_PSS_PARAMS_free(parameters);
  return is_sha2;
}
