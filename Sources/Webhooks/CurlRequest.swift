internal import CCurl
internal import Glibc

/// One request of libcurl, from its making to its end, on one thread.
@safe final class CurlRequest {
  private let request: WebhookRequest
  private let policy: AddressPolicy
  private let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?

  init(
    _ request: WebhookRequest, _ policy: AddressPolicy, _ authorities: String?, _ timeout: Duration
  ) throws(WebhookFailure) {
    guard let handle = unsafe curl_easy_init() else { throw WebhookFailure("libcurl has no memory") }
    unsafe self.handle = unsafe handle
    (self.request, self.policy) = (request, policy)
    unsafe headers = nil
    for header in request.headers {
      // SAFETY: the list is this owner's alone; libcurl copies the text.
      unsafe headers = unsafe curl_slist_append(headers, "\(header.name): \(header.value)")
    }
    let milliseconds = Int(timeout / .milliseconds(1))
    // SAFETY: the handle is alive, and libcurl copies texts.
    let codes: [CURLcode] = unsafe [
      curl_set_text(handle, CURLOPT_URL, request.url),
      curl_set_text(handle, CURLOPT_PROTOCOLS_STR, policy == .any ? "https,http" : "https"),
      curl_set_text(handle, CURLOPT_PROXY, ""),
      curl_set_text(handle, CURLOPT_USERAGENT, "usher-webhooks/1"),
      curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
      curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      curl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds),
      curl_set_number(handle, CURLOPT_MAXREDIRS, 0),
      curl_set_headers(handle, headers),
      curl_set_writer(handle, discard),
      authorities.map { unsafe curl_set_text(handle, CURLOPT_CAINFO, $0) } ?? CURLE_OK,
    ]
    guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw WebhookFailure("libcurl takes no such URL") }
  }

  deinit {
    // SAFETY: both are this owner's alone, and nothing runs any more.
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(headers)
  }

  /// Ends early, within a second, when `isStopped` says so.
  func perform(_ isStopped: @escaping @Sendable () -> Bool) throws(WebhookFailure) {
    var opening = Opening(policy: policy, isStopped: isStopped)
    // SAFETY: body and opening outlive the call that uses them, and both are lent for its length.
    let code = unsafe request.body.withUnsafeBytes { body in
      unsafe withUnsafeMutablePointer(to: &opening) { opening in
        unsafe curl_set_opener(handle, open, opening)
        unsafe curl_set_progress(handle, ask, opening)
        unsafe curl_set_body(handle, body.baseAddress, body.count)
        return unsafe curl_easy_perform(handle)
      }
    }
    if let refused = opening.refused { throw WebhookFailure("no request is sent to \(refused)") }
    guard code == CURLE_OK else {
      throw WebhookFailure(unsafe String(cString: curl_easy_strerror(code)))
    }
    var status = 0
    unsafe curl_get_status(handle, &status)
    guard (200..<300).contains(status) else { throw WebhookFailure("the answer was \(status)") }
  }
}

/// What the opening of a socket is told, and says; and whether to go on.
private struct Opening {
  let policy: AddressPolicy
  let isStopped: @Sendable () -> Bool
  var refused: String?
}

/// Makes the socket for an address if that is permitted (a named function: C calls it).
private func open(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  let refused = curl_socket_t(-1)
  guard let context = unsafe context, let address = unsafe address else { return refused }
  // SAFETY: `perform` lends it for as long as libcurl runs.
  let opening = unsafe context.assumingMemoryBound(to: Opening.self)
  let family = unsafe address.pointee.family
  // In `sockaddr_in` and `sockaddr_in6`.
  let place: Range<Int> =
    switch family {
    case AF_INET: 4..<8
    case AF_INET6: 8..<24
    case _: 0..<0
    }
  let start = MemoryLayout<curl_sockaddr>.size - MemoryLayout<sockaddr>.size
  // SAFETY: the address is libcurl's last member, and goes on for as long as its family says.
  let bytes = unsafe Array(
    UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + start + place.lowerBound, count: place.count))
  guard unsafe opening.pointee.policy.permits(bytes) else {
    unsafe opening.pointee.refused = bytes.map(String.init).joined(separator: ".")
    return refused
  }
  return unsafe socket(family, address.pointee.socktype, address.pointee.protocol)
}

/// Says whether to end the request (a named function: C calls it).
private func ask(
  _ context: UnsafeMutableRawPointer?, _ toReceive: curl_off_t, _ received: curl_off_t, _ toSend: curl_off_t,
  _ sent: curl_off_t
) -> CInt {
  guard let context = unsafe context else { return 0 }
  // SAFETY: `perform` lends it for as long as libcurl runs.
  return unsafe context.assumingMemoryBound(to: Opening.self).pointee.isStopped() ? 1 : 0
}

/// What a receiver says is nobody's business (a named function: C calls it).
private func discard(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int { size * count }
