/// The version of this program; the first heading of `CHANGELOG.md` says the same.
enum Version {
  static let current = "0.1.0"
}
