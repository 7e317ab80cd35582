internal import FoundationEssentials
internal import Glibc

/// What a process on this machine has used, read from `/proc`.
package struct ProcessUsage: Sendable {
  /// User and system time, in nanoseconds.
  package let processor: Int64
  /// Memory of its own (RssAnon), in bytes.
  package let memory: Int64
  /// Files and sockets that are open.
  package let descriptors: Int

  /// What several have used together; nil when there is none, or one is gone.
  package init?(of processes: [Int32]) {
    let usages = processes.compactMap { ProcessUsage(of: $0) }
    guard !usages.isEmpty, usages.count == processes.count else { return nil }
    processor = usages.reduce(0) { $0 + $1.processor }
    memory = usages.reduce(0) { $0 + $1.memory }
    descriptors = usages.reduce(0) { $0 + $1.descriptors }
  }

  /// Nil when it is gone, or not ours to look at.
  init?(of process: Int32) {
    guard let stat = Self.text("/proc/\(process)/stat"), let end = stat.lastIndex(of: ")"),
      let status = Self.text("/proc/\(process)/status")
    else { return nil }
    // The fields behind the name begin with the third; 14 and 15 are the times (proc(5)).
    let fields = stat[end...].split(separator: " ")
    guard fields.count > 13, let user = Int64(fields[12]), let system = Int64(fields[13]) else { return nil }
    processor = (user + system) * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap {
      Int64($0)
    }
    memory = (kilobytes ?? 0) * 1024
    descriptors = Self.descriptors(of: process).count
  }

  /// The process of ours that listens at a port of this machine.
  package static func listener(at port: UInt16) -> Int32? {
    let sockets = Set(
      ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listening(at: port, in: text($0) ?? "") })
    guard !sockets.isEmpty else { return nil }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in processes.compactMap({ Int32($0) }) {
      for descriptor in descriptors(of: process) {
        let link = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/fd/\(descriptor)")
        if let link, sockets.contains(link) { return process }
      }
    }
    return nil
  }

  private static func descriptors(of process: Int32) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
  }

  /// `socket:[inode]` of the listening sockets.
  private static func listening(at port: UInt16, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
        UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
      else { return nil }
      return "socket:[\(fields[9])]"
    }
  }

  private static func text(_ path: String) -> String? {
    // Files of /proc have no size, so they are read piece by piece.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      // SAFETY: the kernel writes at most as many bytes as the array has.
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
