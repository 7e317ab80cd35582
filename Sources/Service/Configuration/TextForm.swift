internal import Postgres

/// What a text of the configuration must look like.
struct TextForm: Sendable {
  let allowed: String
  let read: @Sendable (ConfigurationValue, _ folder: String) throws(ConfigurationFault) -> String

  private init(
    _ allowed: String,
    read: @escaping @Sendable (String, _ folder: String) throws(ConfigurationFault) -> String
  ) {
    self.allowed = allowed
    self.read = { value, folder throws(ConfigurationFault) in
      guard case .text(let text) = value, !text.utf8.contains(0) else { throw ConfigurationFault() }
      return try read(text, folder)
    }
  }

  /// A path; a relative one begins at the folder of the configuration file.
  static let file = TextForm("a path to a file") { path, folder throws(ConfigurationFault) in
    guard !path.isEmpty, !path.hasSuffix("/") else { throw ConfigurationFault() }
    return path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }

  /// Where others reach a surface: no path, so that ours can follow.
  static func base(_ schemes: String...) -> TextForm {
    let words = schemes.map { "\($0)://host[:port]" }.joined(separator: " or ")
    return TextForm(words) { text, _ throws(ConfigurationFault) in
      let url = text.hasSuffix("/") ? String(text.dropLast()) : text
      guard
        let match = url.wholeMatch(of: /([a-z]+):\/\/([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?/),
        schemes.contains(String(match.1)), match.3.map({ UInt16($0) ?? 0 > 0 }) ?? true
      else { throw ConfigurationFault() }
      return url
    }
  }

  /// A DNS name in small letters, short enough for an organization's label before it.
  static let domain = TextForm("a domain name in small letters") { name, _ throws(ConfigurationFault) in
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let areLabels = labels.allSatisfy { $0.wholeMatch(of: /[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?/) != nil }
    guard areLabels, name.utf8.count <= 189 else { throw ConfigurationFault() }
    return name
  }

  /// A PostgreSQL URI, without a password: that would be a secret in a file that is no secret.
  static let database = TextForm("postgresql://[user@]host[:port][,…]/database[?…]") {
    url, _ throws(ConfigurationFault) in
    do throws(ConnectionURLError) {
      _ = try PostgresConfiguration(url: url)
    } catch {
      throw ConfigurationFault(detail: error.description)
    }
    return url
  }
}
