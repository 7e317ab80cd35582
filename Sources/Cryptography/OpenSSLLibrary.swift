internal import COpenSSL

/// OpenSSL as a whole, in this process.
package enum OpenSSLLibrary {
  /// Has OpenSSL leave its memory to the system when the process ends (OPENSSL_init_crypto(3)). By itself it takes itself
  /// apart at `exit`, under the hands of threads that still close a connection or end, whose own state is lost then.
  ///
  /// A program calls it before anything else of OpenSSL: later it changes nothing.
  package static func staysWhileThreadsEnd() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }
}
