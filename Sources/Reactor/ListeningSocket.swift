internal import CLinux

/// A TCP socket that accepts connections.
public final class ListeningSocket: Sendable {
  public let descriptor: Descriptor
  /// Where it listens, with the port that the kernel chose for port 0.
  public let address: SocketAddress

  /// Listens at one address. A taken port is an error that names it (`SystemError.isAddressInUse`): the port is never
  /// shared with another process.
  public init(_ address: SocketAddress) throws(SystemError) {
    do throws(SystemError) {
      descriptor = try .socket(for: address)
      let number = descriptor.rawValue
      try descriptor.setOption(Int(SOL_SOCKET), SO_REUSEADDR, 1)
      // Accepted sockets inherit it: an answer is one write and must not wait for another.
      try descriptor.setOption(IPPROTO_TCP, TCP_NODELAY, 1)
      if address.isIPv6 { try descriptor.setOption(IPPROTO_IPV6, IPV6_V6ONLY, 1) }
      // SAFETY: the address outlives the call.
      try immediateCall("bind") { unsafe address.withSocketAddress { unsafe bind(number, $0, $1) } }
      try immediateCall("listen") { listen(number, 4096) }
      self.address = try descriptor.localAddress()
    } catch { throw error.about("\(address)") }
  }

  /// Listens at every address of a host: a number, a name, or `localhost`, which is 127.0.0.1 and ::1 at one port.
  ///
  /// An IPv6 address that this machine does not have is left out where another of the name could be had.
  public static func open(host: String, port: UInt16) throws(SystemError) -> [ListeningSocket] {
    let addresses = try SocketAddress.resolve(host, port: port)
    var failure: SystemError?
    // With port 0 the kernel's choice for the first address may be taken at the second: choose again.
    for _ in 0..<(port == 0 ? 16 : 1) {
      var sockets: [ListeningSocket] = []
      do throws(SystemError) {
        for address in addresses {
          do throws(SystemError) {
            sockets.append(try ListeningSocket(address.with(port: sockets.first?.address.port ?? port)))
          } catch  where error.isMissingAddress && address.isIPv6 && !sockets.isEmpty {}
        }
        return sockets
      } catch { failure = error }
    }
    throw failure ?? SystemError(errno: EADDRNOTAVAIL, call: "bind", subject: host)
  }

  /// Lets nobody in any more: who comes now, or waits to be accepted, is refused by the kernel.
  public func stop() { descriptor.shutdownBoth() }

  /// Takes the next connection: non-blocking, closed on exec, without Nagle's delay.
  ///
  /// Throws when descriptors or memory have run out (`SystemError.isExhaustion`): wait a moment, then try again.
  public func accept() throws(SystemError) -> IOResult<Descriptor> {
    while true {
      do throws(SystemError) {
        switch try systemCall("accept4", { linux_accept(descriptor.rawValue) }) {
        case .done(let number): return .done(Descriptor(owning: number))
        case .wouldBlock: return .wouldBlock
        }
      } catch {
        // Anything else befell the one connection that was being accepted (accept(2), "Error handling").
        if error.isExhaustion || error.errno == EINVAL { throw error }
      }
    }
  }
}

extension SystemError {
  fileprivate var isMissingAddress: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }
}
