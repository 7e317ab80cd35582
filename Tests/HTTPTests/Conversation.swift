import HTTP

/// What a server would do with the bytes of one connection, without a server.
struct Conversation: Equatable {
  /// What the client sees and what the application saw, in order.
  enum Outcome: Equatable, CustomStringConvertible {
    case request(String, path: String, body: [UInt8], keepsAlive: Bool)
    case goOn
    case failed(Int)

    var description: String {
      switch self {
      case .request(let method, let path, let body, let keepsAlive):
        "\(method) \(path) \(String(decoding: body, as: UTF8.self))\(keepsAlive ? "" : " close")"
      case .goOn: "100"
      case .failed(let status): "\(status)"
      }
    }
  }

  private(set) var outcomes: [Outcome] = []
  private(set) var isOpen = true

  /// Feeds `bytes` in pieces of `size` bytes, each until the parser wants more.
  init(_ bytes: [UInt8], inPiecesOf size: Int = .max, limits: RequestLimits = RequestLimits()) {
    var parser = RequestParser(limits: limits)
    self.feed(&parser, bytes, size)
  }

  init(_ text: String, inPiecesOf size: Int = .max, limits: RequestLimits = RequestLimits()) {
    self.init(Array(text.utf8), inPiecesOf: size, limits: limits)
  }

  /// The statuses that the client would read.
  var statuses: [Int] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .request: 200
      case .goOn: nil
      case .failed(let status): status
      }
    }
  }

  private mutating func feed(_ parser: inout RequestParser, _ bytes: [UInt8], _ size: Int) {
    var start = 0
    while isOpen, start < bytes.count {
      let end = size < bytes.count - start ? start + size : bytes.count
      while isOpen, start < end {
        let (event, consumed) = parser.feed(bytes.span.extracting(start..<end))
        precondition(consumed <= end - start)
        start += consumed
        switch event {
        case .needsMore:
          precondition(start == end, "what is needed must have been taken")
        case .longBody:
          _ = parser.permit()
        case .head(let expectsContinue):
          precondition(parser.progress == .body)
          if expectsContinue { outcomes.append(.goOn) }
        case .request(let request):
          precondition(parser.progress == .idle)
          isOpen = request.keepsAlive
          outcomes.append(
            .request(
              "\(request.method)", path: request.path, body: request.body, keepsAlive: request.keepsAlive))
        case .failed(let failure):
          precondition(parser.progress == .failed)
          isOpen = false
          outcomes.append(.failed(failure.status))
        }
      }
    }
  }
}
