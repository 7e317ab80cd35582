import Testing

/// The house as `docs/architecture.md` draws it.
struct House {
  /// The rooms that are C: seen only by those whose own arrow names them.
  static let outside: Set = ["CLinux", "COpenSSL", "CPostgres", "CCurl"]

  /// What belongs to the toolchain and may be imported anywhere.
  static let everywhere: Set = ["Swift", "Synchronization", "_Concurrency"]
  /// Rooms that decide or parse: the machine does not exist for them.
  static let pure: Set = ["HTTP", "JSON", "Licensing", "Issuance", "Database"]
  /// Where FoundationEssentials earns its weight. Foundation itself is in no room.
  static let withFoundationEssentials: Set = [
    "JSON", "Service", "LocalCluster", "LoadTest", "UsherCommand",
  ]
  /// Rooms that may not have a logger.
  static let silent: Set = [
    "CLinux", "COpenSSL", "CPostgres", "CCurl", "Telemetry", "Licensing", "HTTP", "JSON", "Database",
  ]

  /// Each room's own arrows.
  let arrows: [String: [String]]

  static let drawn = Result { try House(drawing: Checkout.text(of: "docs/architecture.md")) }

  init(drawing text: String) throws {
    let block = try #require(text.firstMatch(of: /```house\n((?:.|\n)*?)```/), "no drawing of the house")
    var arrows: [String: [String]] = [:]
    for line in block.1.split(separator: "\n") {
      let match = try #require(line.wholeMatch(of: /(\w+) +.*?→ (.+)/), "not a room: \(line)")
      let names = match.2.split(separator: " ").map(String.init)
      arrows[String(match.1)] = names == ["nothing"] ? [] : names
    }
    self.arrows = arrows
  }

  /// Every module of ours that a room may import.
  func permitted(in room: String) -> Set<String> {
    var permitted = Set(arrows[room, default: []])
    var unseen = arrows[room, default: []].filter { !Self.outside.contains($0) }
    while let next = unseen.popLast() {
      for below in arrows[next, default: []] where !Self.outside.contains(below) {
        if permitted.insert(below).inserted { unseen.append(below) }
      }
    }
    if !Self.silent.contains(room) { permitted.insert("Telemetry") }
    return permitted
  }

  /// Every module of the toolchain that a room may import.
  func permittedOfToolchain(in room: String) -> Set<String> {
    var permitted = Self.everywhere
    if !Self.pure.contains(room) { permitted.insert("Glibc") }
    if Self.withFoundationEssentials.contains(room) { permitted.insert("FoundationEssentials") }
    return permitted
  }
}
