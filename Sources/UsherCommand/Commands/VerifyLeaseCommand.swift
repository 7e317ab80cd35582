internal import Reactor
internal import UsherClient

/// `usher verify-lease`: whether a signed lease holds here and now, without a server.
struct VerifyLeaseCommand: Command {
  static let name = "verify-lease"
  static let summary = "Say whether a signed lease holds, without a server"
  static let discussion = """
    Checks the signature by the server's published keys (/v1/jwks.json), the times, and with --key or --certificate that
    the lease belongs to that key: without either a copy of it passes on any machine. A clock that stands more than 60
    seconds before the time of signing was set back, and is not believed. Prints one line, and the claims as a second one
    when it holds. Exit codes: 0 it holds, 1 it does not, or anything else.
    """

  private static let keySet = Option<String>("jwks", "FILE", required: true, "The server's keys, a JWK Set")
  private static let certificate = Option<String>(
    "certificate", "FILE", required: false, "The device's certificate, PEM: the lease must be of its key")
  private static let key = Option<String>(
    "key", "FILE", required: false, "The device's key, PEM: the lease must be of this key")
  private static let at = Option<Moment>(
    "at", "TIME", required: false, "When (now unless given), such as 2026-11-30T12:00:00Z")
  private static let lease = Operand("LEASE", "The signed lease, a file, or - for standard input")
  static let arguments: [any Argument] = [keySet, certificate, key, at, lease]

  private let keySet, lease: String
  private let certificate, key: String?
  private let time: Moment?

  init(_ given: GivenArguments) throws(UsageError) {
    keySet = try given.value(Self.keySet)
    certificate = try given.optional(Self.certificate)
    key = try given.optional(Self.key)
    time = try given.optional(Self.at)
    lease = try given.word(Self.lease)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let text = String(decoding: try InputFile.read(lease), as: UTF8.self)
    let keys = try InputFile.read(keySet)
    let verifier: LeaseVerifier
    var holders: [LeaseHolder] = []
    do throws(ClientError) {
      verifier = try LeaseVerifier(keySet: keys)
      if let key { holders.append(try LeaseHolder(key: DeviceKey(readingFrom: key))) }
    } catch { throw CommandFailure(error) }
    if let certificate {
      let pem = try InputFile.read(certificate)
      do throws(ClientError) { holders.append(try LeaseHolder(certificatePEM: pem)) } catch {
        throw CommandFailure(error)
      }
    }
    do throws(LeaseFault) {
      let lease = try check(text.filter { !$0.isWhitespace }, by: verifier, holders)
      terminal.print("SUCCESS: \(lease.identity) of \(lease.organization) may use \(lease.product)")
      terminal.print(lease.json)
      return .success
    } catch {
      terminal.print("FAILURE: \(error)")
      return .failure
    }
  }

  private func check(
    _ text: String, by verifier: LeaseVerifier, _ holders: [LeaseHolder]
  ) throws(LeaseFault) -> Lease {
    let now = time?.seconds ?? WallClock.seconds
    for holder in holders.dropFirst() { _ = try verifier.verify(text, at: now, holder: holder) }
    return try verifier.verify(text, at: now, holder: holders.first)
  }
}
