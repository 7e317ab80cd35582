internal import HTTP

/// The connections of one listener on one loop.
struct LiveConnections<App: Responder> {
  private(set) var all: [Connection<App>] = []

  var count: Int { all.count }

  mutating func insert(_ connection: Connection<App>) {
    connection.place = all.count
    all.append(connection)
  }

  /// The last one takes the place of the one that leaves.
  mutating func remove(_ connection: Connection<App>) {
    let last = all.removeLast()
    if last !== connection {
      last.place = connection.place
      all[connection.place] = last
    }
  }
}
