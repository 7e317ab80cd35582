import Fixtures
import Foundation

extension Program {
  /// How much memory it has (VmRSS, proc(5)), without what it started.
  func residentBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    guard let match = status.firstMatch(of: /VmRSS:\s+(\d+) kB/), let kilobytes = Int(match.1) else {
      throw Shell.Failure("no VmRSS")
    }
    return kilobytes * 1024
  }

  /// How long it has been on a processor (proc(5)), without what it started.
  func processorTime() throws -> Duration {
    let line = try String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
    // Behind the name, which may hold anything, `utime` and `stime` are the 12th and 13th.
    let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
      throw Shell.Failure("no times")
    }
    return .milliseconds((user + system) * 1000 / sysconf(Int32(_SC_CLK_TCK)))
  }
}
