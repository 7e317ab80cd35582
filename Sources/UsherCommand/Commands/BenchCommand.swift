internal import FoundationEssentials
internal import LoadTest
internal import Reactor
internal import UsherClient

/// `usher bench`: load with generated certificates, and figures.
struct BenchCommand: Command {
  static let name = "bench"
  static let summary = "Put a server under load with generated certificates, and print figures"
  static let discussion = """
    WORK is one of
      handshake  full mutual handshakes, each with one check of a seat
      resume     the same with the session resumed
      check      GET of a held seat on connections that stand
      claim      claims, each followed by a release
      renew      renewals of held seats
      mixed      days of devices: connect, claim, check and renew, release, leave
      idle       opens connections and holds them
      enroll     enrollments of new keys

    It makes what it needs on the server (organizations, a CA of its own for each, licenses of the product usher-bench)
    and deletes it again but for the product, also after Ctrl-C. Without options it works on the usher dev of this folder. With --identity it makes
    nothing and plays that one device. With --rate, latency counts from the moment at which an operation should have
    begun. The table goes to standard output, progress to standard error.
    Exit codes: 0 done, 3 done and some operations failed, 1 else.
    """

  private static let work = Operand("WORK", "What to do, as above")
  private static let connections = Option<Count>(
    "connections", "N", default: Count(64), "Connections at a time")
  private static let rate = Option<Count>(
    "rate", "N", required: false, "Operations each second, instead of as many as go")
  private static let seconds = Option<Count>("seconds", "N", default: Count(10), "How long")
  private static let identities = Option<Count>(
    "identities", "N", required: false, "Devices (as many as connections unless given)")
  private static let organizations = Option<Count>(
    "organizations", "N", default: Count(1), "Organizations that the devices belong to")
  private static let isSkewed = Flag("skewed", "Half of the devices belong to the first organization")
  private static let threads = Option<Count>("threads", "N", default: Count(1), "Threads of the generator")
  private static let sendChain = Flag("send-chain", "Devices send the CA's certificate with their own")
  private static let data = Option("data", "DIR", default: ".usher", "The folder of a usher dev")
  private static let adminURL = Option<String>("admin-url", "URL", required: false, "The admin listener")
  private static let deviceURL = Option<String>(
    "device-url", "URL", required: false, "The device listener, or several with commas between, taken in turn"
  )
  private static let authority = Option<String>(
    "ca", "FILE", required: false, "Which authorities the server's certificate may lead to")
  private static let token = Option<String>("token-file", "FILE", required: false, "An operator's token")
  private static let identity = Option<String>(
    "identity", "DIR", required: false, "The folder that enroll wrote: play this device, make nothing")
  private static let product = Option<String>(
    "product", "CODE", required: false, "With --identity: whose seat")
  private static let cache = Option<String>(
    "cache", "DIR", required: false, "Where keys are kept between runs (~/.cache/usher/bench unless given)")
  private static let json = Flag("json", "Print figures as JSON, with every second")
  private static let html = Option<String>("html", "FILE", required: false, "Write a page with charts")
  private static let ownsServer = Flag(
    "i-own-this-server", "Yes, put a server under load that is not on this machine")

  static let arguments: [any Argument] = [
    connections, rate, seconds, identities, organizations, isSkewed, threads, sendChain, data, adminURL,
    deviceURL,
    authority, token, identity, product, cache, json, html, ownsServer, work,
  ]

  private let work: Work
  private let plan: LoadRun.Plan
  private let identityCount, organizationCount: Int
  private let isSkewed, sendsChain, printsJSON, ownsServer: Bool
  private let given: GivenArguments

  init(_ given: GivenArguments) throws(UsageError) {
    let word = try given.word(Self.work)
    guard let work = Work(rawValue: word) else {
      let allowed = "one of " + Work.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badValue(word, option: Self.work.name, allowed: allowed)
    }
    let connections = try given.value(Self.connections).number
    self.work = work
    plan = LoadRun.Plan(
      work, product: try given.optional(Self.product) ?? "", connections: connections,
      rate: try given.optional(Self.rate).map { Double($0.number) },
      length: .seconds(try given.value(Self.seconds).number), loops: try given.value(Self.threads).number)
    identityCount = try given.optional(Self.identities)?.number ?? connections
    organizationCount = min(try given.value(Self.organizations).number, identityCount)
    isSkewed = given.isGiven(Self.isSkewed)
    sendsChain = given.isGiven(Self.sendChain)
    printsJSON = given.isGiven(Self.json)
    ownsServer = given.isGiven(Self.ownsServer)
    self.given = given
    if [.claim, .mixed].contains(work), identityCount < connections {
      let word = "\(identityCount)"
      throw .badValue(
        word, option: "--identities", allowed: "at least as many as --connections for \(work.rawValue)")
    }
    if try given.optional(Self.identity) != nil {
      guard try given.optional(Self.product) != nil else { throw .missing(Self.product.usage) }
    }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    _ = OpenFileLimit.raise()
    do {
      let folder = try given.optional(Self.identity)
      let played =
        if let folder { try await playOne(folder, terminal) } else { try await playMany(terminal) }
      let report = played.report
      terminal.print(printsJSON ? report.json : report.text)
      if let file = try given.optional(Self.html) {
        let page = report.html(title: "usher bench \(work.rawValue)")
        guard FileManager.default.createFile(atPath: file, contents: Data(page.utf8)) else {
          throw CommandFailure("\(file) cannot be written")
        }
      }
      // What was measured is told whatever became of the cleaning.
      if let failure = played.cleaning { throw failure }
      return report.hasFailures ? .refused : .success
    } catch let failure as CommandFailure {
      throw failure
    } catch { throw CommandFailure("\(error)") }
  }

  /// A device that is enrolled already.
  private func playOne(_ folder: String, _ terminal: Terminal) async throws -> Played {
    let device = try IdentityFolder(folder).read()
    let target = try target(
      given.optional(Self.deviceURL) ?? device.deviceURL, authorityPEM: device.authorityPEM)
    let identity = try LoadIdentity(device)
    return Played(try await measure(plan, target, [identity], nil, terminal), cleaning: .success(()))
  }

  /// Devices that are made for the run.
  private func playMany(_ terminal: Terminal) async throws -> Played {
    let site = try BenchSite(
      data: given.value(Self.data), adminURL: given.optional(Self.adminURL),
      deviceURL: given.optional(Self.deviceURL), authorityFile: given.optional(Self.authority),
      tokenFile: given.optional(Self.token))
    let target = try target(work == .enroll ? site.adminURL : site.deviceURL, authorityPEM: site.authorityPEM)
    let keys = KeyCache(folder: try given.optional(Self.cache) ?? Self.cacheFolder(terminal))
    terminal.error("making \(identityCount) devices")
    let pool = try await IdentityPool.make(
      identityCount, organizations: organizationCount, isSkewed: isSkewed, sendsAuthority: sendsChain,
      keys: keys)
    terminal.error("preparing the server")
    let stage = try await Stage.make(
      trusting: pool.authorities, seats: identityCount, by: site.administrators(8))
    let result = await Result.of {
      var plan = plan
      plan.product = Stage.product
      // More than a server can do: unused tokens are deleted with their organization.
      let supply = work == .enroll ? try await stage.enrollments(plan.enrollmentLimit, keys: keys) : nil
      return try await measure(plan, target, pool.identities, supply, terminal)
    }
    terminal.error("cleaning up")
    let cleaning = await Result.of { try await stage.strike() }
    return Played(try result.get(), cleaning: cleaning)
  }

  private func target(_ url: String, authorityPEM: [UInt8]) throws -> Target {
    let target = try Target(url, authorityPEM: authorityPEM)
    guard target.isLoopback || ownsServer else {
      throw CommandFailure(
        "\(target.authority) is not on this machine; if it is yours to put under load, add --i-own-this-server"
      )
    }
    return target
  }

  private func measure(
    _ plan: LoadRun.Plan, _ target: Target, _ identities: [LoadIdentity], _ supply: EnrollmentSupply?,
    _ terminal: Terminal
  ) async throws -> Report {
    let servers = target.isLoopback ? target.addresses.compactMap { ProcessUsage.listener(at: $0.port) } : []
    let run = LoadRun(plan, target: target, identities: identities, enrollment: supply, servers: servers)
    terminal.error("connecting")
    return try await Interruption.watch(run.stop) {
      try await run.run { terminal.error($0.line) }
    }
  }

  private static func cacheFolder(_ terminal: Terminal) -> String? {
    let home = terminal.environment["HOME"].map { "\($0)/.cache" }
    return (terminal.environment["XDG_CACHE_HOME"] ?? home).map { "\($0)/usher/bench" }
  }
}

/// What was measured, and why something that was made for it remains on the server; nil: nothing does.
private struct Played {
  let report: Report
  let cleaning: (any Error)?

  init(_ report: Report, cleaning: Result<Void, any Error>) {
    self.report = report
    if case .failure(let error) = cleaning { self.cleaning = error } else { self.cleaning = nil }
  }
}

extension LoadRun.Plan {
  /// So many enrollments it can want at most.
  fileprivate var enrollmentLimit: Int {
    let seconds = Double(length.components.seconds)
    return Int((rate ?? 5000) * seconds) + connections
  }
}

extension Result where Failure == any Error {
  fileprivate static func of(_ body: () async throws -> Success) async -> Result {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
