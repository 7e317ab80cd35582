internal import COpenSSL

/// Chooses HTTP/1.1 by ALPN (`SSL_CTX_set_alpn_select_cb`); a client that offers protocols without it is told so by
/// `no_application_protocol` (RFC 7301 section 3.2).
func selectApplicationProtocol(
  _ ssl: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ chosenLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  let http: StaticString = "http/1.1"
  // SAFETY: the offer is a list of length-prefixed names, checked by OpenSSL and walked within its length; what is
  // chosen points into it.
  let offer = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
  var start = 0
  while start < offer.count {
    let length = unsafe Int(offer[start])
    let name = unsafe offer.dropFirst(start + 1).prefix(length)
    if unsafe name.elementsEqual(UnsafeBufferPointer(start: http.utf8Start, count: http.utf8CodeUnitCount)) {
      unsafe chosen?.pointee = offered.map { unsafe $0 + start + 1 }
      unsafe chosenLength?.pointee = UInt8(length)
      return SSL_TLSEXT_ERR_OK
    }
    start += 1 + length
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL
}
