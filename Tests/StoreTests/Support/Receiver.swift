import Foundation
import Reactor

/// An HTTP server on a thread of its own that takes one request a connection, and answers as the test says.
final class Receiver: Sendable {
  struct Visit: Sendable {
    let path: String
    /// Names in small letters.
    let headers: [String: String]
    let body: String
  }

  let port: UInt16
  private let listener: Int32
  private let seen = Lock<[Visit]>([])
  private let answer: @Sendable (Visit) -> String?

  var visits: [Visit] { seen.withLock { $0 } }
  var url: String { "http://127.0.0.1:\(port)/" }

  /// - Parameter answer: the status line and headers after `HTTP/1.1 `; nil: it never answers.
  init(port wanted: UInt16 = 0, _ answer: @escaping @Sendable (Visit) -> String? = { _ in "204 No Content" })
    throws
  {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the values live for the calls that read and fill them.
    unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isBound = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
        && getsockname(listener, address, &length) == 0
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    (self.listener, port, self.answer) = (listener, address.sin_port.bigEndian, answer)
    Thread.detachNewThread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        Thread.detachNewThread { [self] in serve(descriptor) }
      }
      close(listener)
    }
  }

  /// Takes no more connections.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve(_ descriptor: Int32) {
    defer { close(descriptor) }
    var request = ""
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return }
      request += String(decoding: piece[..<count], as: UTF8.self)
      guard let end = request.range(of: "\r\n\r\n") else { continue }
      let length = request.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
      let body = String(request[end.upperBound...])
      if body.utf8.count < length { continue }
      let lines = request[..<end.lowerBound].components(separatedBy: "\r\n")
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      let visit = Visit(path: lines[0].components(separatedBy: " ")[1], headers: headers, body: body)
      seen.withLock { $0.append(visit) }
      if let answer = answer(visit) {
        let text = Array("HTTP/1.1 \(answer)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)
        _ = unsafe send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
        return
      }
    }
  }
}
