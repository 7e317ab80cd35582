import Reactor

/// The programs of one PostgreSQL on this machine.
struct Installation: Sendable, Equatable {
  /// The oldest version that Usher's schema runs on.
  static let oldest = 15

  let major: Int
  /// The folder of the programs.
  let programs: String

  var initdb: String { "\(programs)/initdb" }
  var server: String { "\(programs)/postgres" }

  /// All of them, newest first: where Debian puts them; only when there are none, `pg_config` and PATH are asked.
  static func all(
    debian: String = "/usr/lib/postgresql", path: [String], on loop: EventLoop
  ) async -> [Installation] {
    let packaged = Files.names(in: debian).compactMap(Int.init).map {
      Installation(major: $0, programs: "\(debian)/\($0)/bin")
    }
    let complete = packaged.filter { $0.major >= oldest && $0.isComplete }
    if !complete.isEmpty { return complete.sorted { $0.major > $1.major } }

    var folders = path
    if let completed = try? await ChildProcess.run(.init("pg_config", ["--bindir"]), on: loop),
      completed.status.isSuccess
    {
      folders.insert(String(decoding: completed.output, as: UTF8.self).filter { !$0.isNewline }, at: 0)
    }
    var found: [Installation] = []
    for folder in folders where Installation(major: 0, programs: folder).isComplete {
      guard let completed = try? await ChildProcess.run(.init("\(folder)/postgres", ["--version"]), on: loop),
        let major = major(of: String(decoding: completed.output, as: UTF8.self)), major >= oldest,
        !found.contains(where: { $0.major == major })
      else { continue }
      found.append(Installation(major: major, programs: folder))
    }
    return found.sorted { $0.major > $1.major }
  }

  private var isComplete: Bool { Files.isProgram(initdb) && Files.isProgram(server) }

  /// The major version in `postgres (PostgreSQL) 15.7 (Debian 15.7-0+deb12u1)` or `… 17beta1`.
  static func major(of text: String) -> Int? {
    text.split(separator: " ").dropFirst(2).first.flatMap { Int($0.prefix(while: \.isNumber)) }
  }
}
