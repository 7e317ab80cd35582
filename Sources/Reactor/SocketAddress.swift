internal import CLinux

/// Where a TCP socket is or goes: an IPv4 or IPv6 address and a port.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The kernel's form of it, a `sockaddr_in` or `sockaddr_in6`.
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// An address in numbers, such as `127.0.0.1` or `::1`; names and anything else are nil.
  public init?(_ host: String, port: UInt16) {
    guard let first = try? Self.lookUp(host, port: port, flags: AI_NUMERICHOST).first else { return nil }
    self = first
  }

  /// The addresses of a name, in the order in which to try them. It may ask a name server and blocks meanwhile, so never
  /// call it on a loop with anything but numbers or `localhost`, which is 127.0.0.1 and ::1 without asking anybody.
  public static func resolve(_ host: String, port: UInt16) throws(SystemError) -> [SocketAddress] {
    if host == "localhost" {
      return ["127.0.0.1", "::1"].compactMap { SocketAddress($0, port: port) }
    }
    return try lookUp(host, port: port, flags: AI_ADDRCONFIG)
  }

  private static func lookUp(_ host: String, port: UInt16, flags: Int32) throws(SystemError)
    -> [SocketAddress]
  {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = flags | AI_NUMERICSERV
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    // SAFETY: the strings live for the length of the call, which fills in `list`.
    let failure = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard failure == 0 else {
      // SAFETY: the text is a constant of the C library.
      throw SystemError(
        errno: failure == EAI_SYSTEM ? linux_errno() : ENXIO, call: "getaddrinfo",
        subject: "\(host) (\(unsafe String(cString: gai_strerror(failure))))")
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    // SAFETY: the list is the library's until it is freed above; each entry says how long its address is.
    var next = unsafe list
    while let entry = unsafe next {
      unsafe addresses.append(
        SocketAddress(
          bytes: [UInt8](
            UnsafeRawBufferPointer(start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen)))))
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  public var isIPv6: Bool { family == AF_INET6 }

  /// Whether what goes there stays on this machine: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    isIPv6 ? bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1 : bytes[4] == 127
  }

  /// The port; 0 asks the kernel for a free one.
  public var port: UInt16 { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }

  /// The same host at another port.
  public func with(port: UInt16) -> SocketAddress {
    var bytes = bytes
    bytes[2] = UInt8(port >> 8)
    bytes[3] = UInt8(port & 0xFF)
    return SocketAddress(bytes: bytes)
  }

  /// The host in numbers, IPv6 without brackets.
  public var host: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      unsafe bytes.withUnsafeBytes { bytes in
        // SAFETY: the address begins 4 (IPv4) or 8 (IPv6) bytes into its structure; the text has room for the longest.
        let address = unsafe bytes.baseAddress.map { unsafe $0 + (isIPv6 ? 8 : 4) }
        let result = unsafe inet_ntop(family, address, text.baseAddress, socklen_t(text.count))
        return unsafe result.map { unsafe String(cString: $0) } ?? "?"
      }
    }
  }

  /// `127.0.0.1:8443` or `[::1]:8443`.
  public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  var family: Int32 { Int32(UInt16(bytes[0]) | UInt16(bytes[1]) << 8) }

  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
    // SAFETY: the bytes are a socket address, and array storage is aligned for one.
    unsafe bytes.withUnsafeBytes {
      unsafe body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }
}
