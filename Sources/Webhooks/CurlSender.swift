internal import CCurl
internal import Glibc
public import Reactor
internal import Synchronization

/// Sends by libcurl, on threads of its own: a receiver and a name server may take their time.
///
/// Redirects are not followed and proxies of the environment not asked. Which address is permitted is decided where the
/// connection is made, of the address that it is made to, so that no second look-up can give another one.
public final class CurlSender: WebhookSender {
  /// So many requests at once, unless said.
  public static let usual = 4

  private let loops: EventLoopGroup
  private let policy: AddressPolicy
  private let timeout: Duration
  private let authorities: String?
  private let isStopped = Atomic(false)

  /// - Parameters:
  ///   - count: so many requests at once; more wait.
  ///   - authorities: a PEM file of CAs that are trusted instead of the system's.
  public init(
    _ policy: AddressPolicy, authorities: String? = nil, timeout: Duration = .seconds(15), count: Int = usual
  ) throws(SystemError) {
    // Once for the process, before its threads; it counts how often.
    curl_global_init(Int(CURL_GLOBAL_ALL))
    loops = try EventLoopGroup(count: count, name: "webhooks")
    (self.policy, self.timeout, self.authorities) = (policy, timeout, authorities)
  }

  public func shutdown() {
    stop()
    loops.shutdown()
  }

  /// Ends what is under way within a second, and lets nothing begin; receivers may have taken it all the same.
  public func stop() { isStopped.store(true, ordering: .relaxed) }

  public func send(_ request: WebhookRequest) async throws(WebhookFailure) {
    let loop = loops.next()
    let failure: WebhookFailure? = await withCheckedContinuation { continuation in
      loop.submit { _ in
        do throws(WebhookFailure) {
          try CurlRequest(request, self.policy, self.authorities, self.timeout)
            .perform { self.isStopped.load(ordering: .relaxed) }
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
    if let failure { throw failure }
  }
}
