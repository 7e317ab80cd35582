internal import Cryptography
package import PKIX
internal import Reactor

/// All devices of a run, with the CAs that the server must be told of.
package struct IdentityPool: Sendable {
  /// One for each organization.
  package let authorities: [Certificate]
  /// Neighbours belong to different organizations, where there are several.
  package let identities: [LoadIdentity]

  /// Makes so many identities in so many organizations, on every processor. Each organization has as many as the others;
  /// when it `isSkewed`, the first has half of all.
  package static func make(
    _ count: Int, organizations: Int, isSkewed: Bool = false, sendsAuthority: Bool, keys: KeyCache
  ) async throws(LoadFailure) -> IdentityPool {
    let now = WallClock.seconds
    let keys = try await keys.keys(count)
    var authorities: [LoadAuthority] = []
    for number in 0..<organizations { authorities.append(try LoadAuthority(organization: number, at: now)) }
    let makers = authorities
    do {
      let identities = try await withThrowingTaskGroup(of: (Int, [LoadIdentity]).self) { group in
        for start in stride(from: 0, to: count, by: 256) {
          group.addTask {
            let numbers = start..<min(start + 256, count)
            return (
              start,
              try numbers.map {
                try makers[organization(of: $0, among: makers.count, isSkewed)].identity(
                  $0, key: keys[$0], sendsAuthority: sendsAuthority)
              }
            )
          }
        }
        var parts: [Int: [LoadIdentity]] = [:]
        for try await (start, part) in group { parts[start] = part }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
      }
      return IdentityPool(authorities: authorities.map(\.certificate), identities: identities)
    } catch { throw LoadFailure("identities cannot be made: \(error)") }
  }

  private static func organization(of number: Int, among count: Int, _ isSkewed: Bool) -> Int {
    guard isSkewed, count > 1 else { return number % count }
    return number % 2 == 0 ? 0 : 1 + number / 2 % (count - 1)
  }
}
