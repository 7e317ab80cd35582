internal import CLinux

extension Descriptor {
  /// A TCP socket, non-blocking and closed on exec, for addresses of the given one's family.
  static func socket(for address: SocketAddress) throws(SystemError) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return Descriptor(owning: try immediateCall("socket") { CLinux.socket(address.family, kind, 0) })
  }

  /// Begins to connect. The socket is writable when that is decided, and `takeSocketError` says how.
  public static func connecting(to address: SocketAddress) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      let socket = try socket(for: address)
      try socket.setOption(IPPROTO_TCP, TCP_NODELAY, 1)
      let descriptor = socket.rawValue
      do throws(SystemError) {
        // SAFETY: the address outlives the call.
        try immediateCall("connect") {
          unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
        }
      } catch  where error.errno == EINPROGRESS {}
      return socket
    } catch { throw error.about("\(address)") }
  }

  /// Throws what has befallen the socket since the last time, if anything.
  public func takeSocketError() throws(SystemError) {
    var (number, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    let descriptor = rawValue
    // SAFETY: the kernel fills in the local variables.
    try immediateCall("getsockopt") { unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) }
    if number != 0 { throw SystemError(errno: number, call: "connect") }
  }

  /// The address of this side of a socket.
  public func localAddress() throws(SystemError) -> SocketAddress {
    // SAFETY: the call fills in as much as it is given room for.
    try unsafe address("getsockname", getsockname)
  }

  /// The address of the other side of a connected socket.
  public func peerAddress() throws(SystemError) -> SocketAddress {
    // SAFETY: the call fills in as much as it is given room for.
    try unsafe address("getpeername", getpeername)
  }

  private func address(
    _ name: StaticString,
    _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) throws(SystemError) -> SocketAddress {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = rawValue
    // SAFETY: a storage has room for every kind of address; the kernel says how much it used.
    try immediateCall(name) {
      unsafe withUnsafeMutableBytes(of: &storage) {
        unsafe call(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
    }
    return unsafe SocketAddress(bytes: withUnsafeBytes(of: storage) { unsafe [UInt8]($0.prefix(Int(size))) })
  }

  func setOption(_ level: Int, _ name: Int32, _ value: Int32) throws(SystemError) {
    let descriptor = rawValue
    // SAFETY: the kernel copies the value.
    try immediateCall("setsockopt") {
      unsafe withUnsafePointer(to: value) {
        unsafe setsockopt(descriptor, Int32(level), name, $0, socklen_t(MemoryLayout<Int32>.size))
      }
    }
  }
}
