#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

// Swift cannot call functions that take any number of arguments: one of these for each kind of option.

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// The body is not copied.
static inline CURLcode curl_set_body(CURL *handle, const void *bytes, long count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
  return code ? code : curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

static inline CURLcode curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode curl_set_opener(CURL *handle, curl_opensocket_callback open, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  return code ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}

static inline CURLcode curl_set_writer(CURL *handle, curl_write_callback write) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
}

/// Asked at least once a second while a request runs; what is not 0 ends it.
static inline CURLcode curl_set_progress(CURL *handle, curl_xferinfo_callback ask, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  if (!code) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, ask);
  return code ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

static inline CURLcode curl_get_status(CURL *handle, long *status) {
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}
