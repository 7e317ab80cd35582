public import LocalCluster
public import Reactor
import Telemetry

/// A cluster of a test's own, for whoever kills and stops servers; gone with the process, whichever way that ends.
public final class DisposableCluster: Sendable {
  public let cluster: PostgresCluster
  /// The cluster's folder.
  public let folder: TemporaryFolder
  private let watchdog: ClusterWatchdog

  public init(
    options: PostgresCluster.Options = PostgresCluster.Options(), in folder: TemporaryFolder? = nil,
    on loop: EventLoop
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    // From here on somebody cleans up.
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    cluster = try await PostgresCluster.start(
      in: folder.path, options: options, environment: [:], logger: .silent, on: loop)
    self.folder = folder
    self.watchdog = watchdog
  }
}
