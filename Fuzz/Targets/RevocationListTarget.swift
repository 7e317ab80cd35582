import PKIX

/// A list that was read is whole: every entry is found again, and it reads back the same.
enum RevocationListTarget {
  static func run(_ bytes: [UInt8]) {
    guard let list = try? RevocationList(bytes) else { return }
    precondition(list.thisUpdate <= list.nextUpdate && !list.number.isNegative && !list.issuer.isEmpty)
    for entry in list.entries { precondition(list.entry(for: entry.serialNumber) != nil) }
    let again = try? RevocationList(der: list.der)
    precondition(again?.entries == list.entries && again?.number == list.number)
  }
}
