internal import FoundationEssentials
internal import Glibc
internal import UsherClient

/// The file of one profile: `$XDG_CONFIG_HOME/usher/NAME.json`, or whatever path the name is.
struct ProfileFile: Sendable {
  static let variable = "USHER_PROFILE"
  static let option = Option<String>(
    "profile", "NAME", required: false, "Which profile, or the path of its file (default, or \(variable))")

  let path: String

  /// - Parameter name: a name, or a path with a slash in it; nil: what the environment says, or `default`.
  init(_ name: String?, _ environment: [String: String]) throws(CommandFailure) {
    let name = name ?? environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
    if name.contains("/") {
      path = name
    } else {
      let isPlain = name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        case _: false
        }
      }
      guard isPlain else {
        throw CommandFailure("a profile's name has letters, digits, - and _ only: \(name)")
      }
      path = try Self.folder(environment) + "/\(name).json"
    }
  }

  /// What there is in the usual place.
  static func names(_ environment: [String: String]) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder(environment))) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// XDG Base Directory Specification: a path that is not absolute counts as none.
  private static func folder(_ environment: [String: String]) throws(CommandFailure) -> String {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/usher" }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw CommandFailure("neither HOME nor XDG_CONFIG_HOME says where profiles are; give --profile a path")
    }
    return home + "/.config/usher"
  }

  var exists: Bool { LocalFile.exists(path) }

  /// The profile; one that others on this machine can read is none.
  func read() throws(CommandFailure) -> Profile {
    guard exists else { throw CommandFailure("\(path) is not there: usher login makes it") }
    var status = stat()
    // SAFETY: the structure outlives the call that fills it.
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw CommandFailure("\(path) holds a token and can be read by others: chmod 600 it")
    }
    let bytes: [UInt8]
    do throws(ClientError) { bytes = try LocalFile.read(path) } catch { throw CommandFailure(error) }
    guard let profile = Profile(json: bytes) else {
      throw CommandFailure("\(path) is no profile: usher login makes one")
    }
    return profile
  }

  /// Writes it, for its owner alone, as a whole or not at all.
  func write(_ profile: Profile) throws(CommandFailure) {
    if let end = path.lastIndex(of: "/"), end > path.startIndex {
      let folder = String(path[..<end])
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch { throw CommandFailure("\(folder) cannot be made: \(error)") }
    }
    do throws(ClientError) { try LocalFile.replace(path, profile.json, mode: 0o600) } catch {
      throw CommandFailure(error)
    }
  }

  func remove() throws(CommandFailure) {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw CommandFailure("\(path) cannot be removed: \(error)")
    }
  }
}
