internal import Reactor
internal import TLS

/// A client of one server, over one connection that it keeps while the server does.
///
/// Operations run one after the other on a thread of the client's own, which exists only while one runs; none takes longer
/// than the time-out (but the resolver's own when a name has to be looked up), and cancelling the task cuts it short.
public actor Client {
  private nonisolated let executor = BlockingExecutor()
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private let server: ServerURL
  private let context: ClientContext
  private let timeout: Duration
  private let bodyLimit: Int
  private var kept: ServerConnection?

  init(
    server: String, context: ClientContext, timeout: Duration, bodyLimit: Int = AnswerParser.usualBodyLimit
  ) throws(ClientError) {
    guard let url = ServerURL(server) else {
      throw .unusable("“\(server)” is no server: it must be https://host or https://host:port")
    }
    self.server = url
    self.context = context
    self.timeout = timeout
    self.bodyLimit = bodyLimit
  }

  /// Sends a request and returns the answer if it is a success; the server may wait for `patience` before it answers.
  func perform(
    _ request: OutgoingRequest, waiting patience: Duration = .zero
  ) async throws(ClientError) -> Answer {
    let cut = CancellationCut()
    let result = await withTaskCancellationHandler {
      Result { () throws(ClientError) in try exchange(request, patience, cut) }
    } onCancel: {
      cut.cut()
    }
    let answer = try result.get()
    try answer.requireSuccess()
    return answer
  }

  private func exchange(
    _ request: OutgoingRequest, _ patience: Duration, _ cut: CancellationCut
  ) throws(ClientError) -> Answer {
    let deadline = MonotonicInstant.now.advanced(by: timeout + patience)
    let bytes = request.bytes(to: server)
    if let answer = try exchangeOnKept(request, bytes, until: deadline, cut) { return answer }
    if cut.isCut { throw .cancelled }
    let connection = try ServerConnection(to: server, context, bodyLimit: bodyLimit, until: deadline, cut)
    return keep(connection, try connection.exchange(bytes, until: deadline, cut))
  }

  /// Uses the kept connection, if there is one. The server may have closed it meanwhile: then, for what is safe to say
  /// twice, nil, and it is let go.
  private func exchangeOnKept(
    _ request: OutgoingRequest, _ bytes: [UInt8], until deadline: MonotonicInstant, _ cut: CancellationCut
  ) throws(ClientError) -> Answer? {
    guard let connection = kept else { return nil }
    kept = nil
    guard request.isRepeatable else { return nil }
    do throws(ClientError) {
      return keep(connection, try connection.exchange(bytes, until: deadline, cut))
    } catch {
      if connection.hasAnswerBegun || cut.isCut { throw error }
      return nil
    }
  }

  private func keep(_ connection: ServerConnection, _ answer: Answer) -> Answer {
    if answer.keepsAlive && !connection.hasAnswerBegun { kept = connection }
    return answer
  }
}
