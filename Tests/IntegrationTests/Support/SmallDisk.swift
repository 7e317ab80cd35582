import Fixtures
import Foundation

/// A disk of so many megabytes (a tmpfs) in a folder, for whoever wants to see it full.
final class SmallDisk: Sendable {
  /// Whether this account may mount one.
  static let isPossible =
    (try? Shell.run("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status) == 0

  private let folder: String
  private let keeper: Program

  /// Makes the folder and mounts the disk, until `unmount`, or the end of this process.
  init(at folder: String, megabytes: Int) throws {
    self.folder = folder
    let script = #"""
      mkdir -p "$0" && mount -t tmpfs -o size="$1"m,mode=0755 usher-test "$0" && echo mounted
      cat >/dev/null
      umount -l "$0"
      """#
    keeper = try Program("sh", ["-c", script, folder, "\(megabytes)"], input: .pipe, output: .pipe)
    guard keeper.receivedLine() == "mounted\n" else { throw Shell.Failure("no disk at \(folder)") }
  }

  /// Leaves no room for anything.
  func fill() throws { _ = try Shell.run("sh", ["-c", #"cat /dev/zero >"$0/ballast""#, folder]) }

  func makeRoom() throws { try FileManager.default.removeItem(atPath: folder + "/ballast") }

  func unmount() {
    keeper.closeInput()
    keeper.waitForEnd()
  }
}
