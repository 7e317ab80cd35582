/// One setting: where it stands, what it takes, what it means, and the property of `Configuration` that it sets.
/// Reading, rendering, the environment and the documentation's table are all made of the list of these.
struct ConfigurationKey: Sendable {
  /// How an environment variable writes the value.
  enum Notation: Sendable { case text, number, json5 }

  /// Where it stands in the file, such as `timeouts.idleSeconds`.
  let path: String
  /// What values it takes, in words.
  let allowed: String
  let meaning: String
  let isRequired: Bool
  let notation: Notation
  /// Sets the property, with relative paths beginning at a folder.
  let assign:
    @Sendable (ConfigurationValue, _ folder: String, inout Configuration) throws(ConfigurationFault) -> Void
  /// The property as it would stand in the file; nil if it has no value.
  let render: @Sendable (Configuration) -> ConfigurationValue?

  /// The environment variable that overrides it: `USHER_TIMEOUTS_IDLE_SECONDS`.
  var variable: String {
    var name = "USHER_"
    var last: Character = "."
    for character in path {
      // A word begins where a capital follows a small letter: publicURL is PUBLIC_URL.
      if character.isUppercase, last.isLowercase { name += "_" }
      name += character == "." ? "_" : character.uppercased()
      last = character
    }
    return name
  }

  /// The value that an environment variable's text stands for.
  func value(of text: String) throws(ConfigurationProblem) -> ConfigurationValue {
    switch notation {
    case .text: return .text(text)
    case .number: return Int64(text).map { .integer($0) } ?? .text(text)
    case .json5:
      do throws(ConfigurationProblem) {
        return try ConfigurationValue(json5: text)
      } catch {
        throw ConfigurationProblem("\(variable) \(error.path)", error.detail, allowed: error.allowed)
      }
    }
  }
}

/// That a key does not take a value: why, and what it takes, where that says more than the key's `allowed`.
struct ConfigurationFault: Error {
  /// Below the key, such as `[0].roles`.
  var place = ""
  var detail: String?
  var allowed: String?
}
