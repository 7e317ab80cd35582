import Reactor
import Testing

@Suite struct SocketTests {
  @Test(arguments: [
    ("127.0.0.1", 8443, "127.0.0.1:8443"), ("::1", 1, "[::1]:1"), ("0.0.0.0", 65535, "0.0.0.0:65535"),
    ("2001:db8::7", 443, "[2001:db8::7]:443"),
  ])
  func `an address in numbers is understood and shown`(host: String, port: UInt16, shown: String) throws {
    let address = try #require(SocketAddress(host, port: port))
    #expect(address.description == shown)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.isIPv6 == host.contains(":"))
  }

  @Test(arguments: ["localhost", "", "300.1.1.1", "example.com", "127.0.0.1:80", "[::1]"])
  func `anything else is no address`(host: String) { #expect(SocketAddress(host, port: 80) == nil) }

  @Test func `localhost is both families, without asking anybody`() throws {
    #expect(try SocketAddress.resolve("localhost", port: 5).map(\.description) == ["127.0.0.1:5", "[::1]:5"])
  }

  @Test func `a name that cannot be resolved is an error that says so`() {
    let error = #expect(throws: SystemError.self) { try SocketAddress.resolve("nobody.invalid", port: 5) }
    #expect(error?.description.contains("nobody.invalid") == true)
  }

  @Test func `port 0 picks one, the same for every address of localhost`() throws {
    let sockets = try ListeningSocket.open(host: "localhost", port: 0)
    #expect(!sockets.isEmpty)
    #expect(sockets.allSatisfy { $0.address.port != 0 && $0.address.port == sockets[0].address.port })
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a taken port is an error that names the address`(host: String) throws {
    let taken = try ListeningSocket(#require(SocketAddress("127.0.0.1", port: 0)))
    let error = #expect(throws: SystemError.self) {
      try ListeningSocket.open(host: host, port: taken.address.port)
    }
    #expect(error?.isAddressInUse == true)
    #expect(error?.description == "bind \(taken.address): Address already in use")
  }

  @Test func `a connection is accepted, carries bytes both ways, and ends`() throws {
    let listener = try ListeningSocket(#require(SocketAddress("127.0.0.1", port: 0)))
    let client = try Descriptor.connecting(to: listener.address)
    let server = try accepted(by: listener)
    try client.takeSocketError()
    #expect(try server.peerAddress() == client.localAddress())
    #expect(try server.read(atMost: 10) == nil)
    #expect(try client.write([7, 8].span) == .done(2))
    #expect(try server.read(atMost: 10) == [7, 8])
    client.shutdownWriting()
    #expect(try server.read(atMost: 10) == [])
    #expect(try server.write([9].span) == .done(1))
    #expect(try client.read(atMost: 10) == [9])
  }

  @Test func `a write that nobody reads would block, and none is lost`() throws {
    let listener = try ListeningSocket(#require(SocketAddress("127.0.0.1", port: 0)))
    let client = try Descriptor.connecting(to: listener.address)
    let server = try accepted(by: listener)
    let chunk = [UInt8](repeating: 1, count: 1 << 20)
    var written = 0
    while case .done(let count) = try client.write(chunk.span) { written += count }
    var read = 0
    while let bytes = try server.read(atMost: 1 << 16) { read += bytes.count }
    #expect(read > 0 && read <= written)
  }

  @Test func `the limit of open files is raised to the hard one`() { #expect(OpenFileLimit.raise() > 0) }

  /// The kernel completes the handshake on the loopback before `connect` returns.
  private func accepted(by listener: ListeningSocket) throws -> Descriptor {
    switch try listener.accept() {
    case .done(let descriptor): return descriptor
    case .wouldBlock: throw NobodyCame()
    }
  }

  private struct NobodyCame: Error {}
}
