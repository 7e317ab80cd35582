#define _GNU_SOURCE
#include "COpenSSL.h"

#include <time.h>

bool usher_asn1_time(const ASN1_TIME *time, int64_t *seconds) {
  struct tm parts;
  if (time == NULL || ASN1_TIME_to_tm(time, &parts) != 1) return false;
  *seconds = (int64_t)timegm(&parts);
  return true;
}
