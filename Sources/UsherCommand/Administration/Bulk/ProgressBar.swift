/// How far a work is, on the last line of a terminal; nothing where there is none.
struct ProgressBar: Sendable {
  private static let width = 40

  let terminal: Terminal
  let total: Int
  private let start = ContinuousClock.now

  init(terminal: Terminal, total: Int) { (self.terminal, self.total) = (terminal, total) }

  func show(_ count: Int) {
    guard let progress = terminal.progress, total > 0 else { return }
    let filled = Self.width * count / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    progress("[\(bar)] \(count)/\(total)\(remaining(count))")
  }

  func wipe() { terminal.progress?("") }

  /// Told once there is something to reckon from.
  private func remaining(_ count: Int) -> String {
    let seconds = Int(start.duration(to: .now) / .seconds(1))
    guard count > 0, seconds > 1 else { return "" }
    let left = seconds * (total - count) / count
    return ", \(left / 60) min \(left % 60) s left"
  }
}
