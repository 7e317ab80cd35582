public import Reactor

/// A process that waits for the end of this one, even by `kill -9`, to end the server in a folder and remove the folder.
public struct ClusterWatchdog: ~Copyable, Sendable {
  /// The end of this process, or of this value, is the end of the pipe that the other one reads.
  private let pipe: Descriptor

  private init(_ pipe: consuming Descriptor) { self.pipe = pipe }

  public static func start(over folder: String, on loop: EventLoop) async throws -> ClusterWatchdog {
    let path = "\(folder)/alive"
    _ = try await ChildProcess.run(.init("mkfifo", [path]), on: loop)
    // For reading and writing, which does not wait for the other side (fifo(7)).
    let pipe = try Descriptor.open(path, flags: 2)
    let script = #"""
      read -r nothing < "$0/alive"
      file="$0/postgres/postmaster.pid"
      server=$(head -n 1 "$file") && socket=$(sed -n 5p "$file") && kill -QUIT "$server" && kill -CONT "$server"
      while kill -0 "$server"; do sleep 0.05; done
      rm -rf "$0" "$socket"
      """#
    _ = try await ChildProcess.spawn(.init("sh", ["-c", script, folder], output: .discard), on: loop)
    return ClusterWatchdog(pipe)
  }
}
