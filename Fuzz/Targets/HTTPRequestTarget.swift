import HTTP

/// The bytes of a connection mean the same however the network cut them, and whether or not they came before: in pieces
/// no request is known again.
enum HTTPRequestTarget {
  static func run(_ bytes: [UInt8]) {
    for stream in [bytes, bytes + bytes] {
      let whole = transcript(of: stream, inPiecesOf: .max)
      for size in [1, 7] { precondition(transcript(of: stream, inPiecesOf: size) == whole) }
    }
  }

  /// What the application would see and the client would read, in order.
  private static func transcript(of bytes: [UInt8], inPiecesOf size: Int) -> [String] {
    var limits = RequestLimits(body: 256)
    limits.longBodies = [.init(.put, pathEnd: "/crl", bytes: 4096)]
    var parser = RequestParser(limits: limits)
    var transcript: [String] = []
    var start = 0
    while start < bytes.count {
      let end = size < bytes.count - start ? start + size : bytes.count
      while start < end {
        let (event, consumed) = parser.feed(bytes.span.extracting(start..<end))
        precondition(consumed <= end - start)
        start += consumed
        switch event {
        case .needsMore: precondition(start == end)
        case .head(let expectsContinue): transcript.append("head \(expectsContinue)")
        case .longBody(let request):
          transcript.append("long \(request.path)")
          if case .failed(let failure) = parser.permit() { return transcript + ["\(failure.status)"] }
        case .request(let request):
          transcript.append("\(request.method) \(request.path) \(request.body) \(request.keepsAlive)")
          if !request.keepsAlive { return transcript }
        case .failed(let failure): return transcript + ["\(failure.status)"]
        }
      }
    }
    return transcript
  }
}
