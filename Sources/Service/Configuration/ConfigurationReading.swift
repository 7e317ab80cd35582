/// From a file's value and the environment to a configuration, and all that is wrong on the way.
struct ConfigurationReading {
  private var root: ConfigurationValue
  private(set) var problems: [ConfigurationProblem] = []
  /// By key, the variable that set it.
  private var origins: [String: String] = [:]

  init(_ root: ConfigurationValue) {
    self.root = root
    guard case .object = root else {
      problems.append(ConfigurationProblem("", "it is not an object", allowed: "{ key: value, … }"))
      self.root = .object([])
      return
    }
    findUnknownKeys(in: self.root, below: "")
  }

  /// Lets each variable of a key take its place.
  mutating func override(by environment: [String: String]) {
    let keys = Dictionary(uniqueKeysWithValues: ConfigurationKey.all.map { ($0.variable, $0) })
    for (variable, text) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("USHER_") {
      guard let key = keys[variable] else {
        if !Self.isForOthers(variable) { report(unknown: variable, of: Array(keys.keys), kind: "variable") }
        continue
      }
      do throws(ConfigurationProblem) {
        root.set(try key.value(of: text), at: key.path.split(separator: ".").map(String.init)[...])
        origins[key.path] = variable
      } catch {
        problems.append(error)
      }
    }
  }

  /// Reads every key, and checks what concerns several of them.
  mutating func finish(folder: String) -> Configuration {
    var configuration = Configuration.blank
    for key in ConfigurationKey.all {
      guard let value = root.value(at: key.path.split(separator: ".").map(String.init)[...]) else {
        if key.isRequired {
          problems.append(ConfigurationProblem(key.path, "must be given", allowed: key.allowed))
        }
        continue
      }
      do throws(ConfigurationFault) {
        // What the environment says begins at the working directory, not at the file.
        try key.assign(value, origins[key.path] == nil ? folder : "", &configuration)
      } catch {
        let place = (origins[key.path] ?? key.path) + error.place
        let detail =
          error.detail ?? (error.place.isEmpty ? "\(value.shown) is not allowed" : "is missing or wrong")
        problems.append(ConfigurationProblem(place, detail, allowed: error.allowed ?? key.allowed))
      }
    }
    guard problems.isEmpty else { return configuration }
    if configuration.listeners.contains(where: \.isTLS) {
      let files = [
        ("serverCertificate", configuration.serverCertificate),
        ("serverKeyFile", configuration.serverKeyFile),
      ]
      for (path, file) in files where file == nil {
        problems.append(
          ConfigurationProblem(path, "must be given: a listener speaks TLS", allowed: "a path to a PEM file"))
      }
    }
    return configuration
  }

  private mutating func findUnknownKeys(in value: ConfigurationValue, below path: String) {
    guard case .object(let members) = value else { return }
    let prefix = path.isEmpty ? "" : "\(path)."
    let known = Set(
      ConfigurationKey.all.map(\.path).filter { $0.hasPrefix(prefix) }
        .compactMap { $0.dropFirst(prefix.count).split(separator: ".").first.map(String.init) })
    for member in members {
      let place = prefix + member.key
      if !known.contains(member.key) {
        report(unknown: place, of: known.map { prefix + $0 }, kind: "key")
      } else if !ConfigurationKey.all.contains(where: { $0.path == place }) {
        if case .object = member.value {
          findUnknownKeys(in: member.value, below: place)
        } else {
          problems.append(
            ConfigurationProblem(place, "\(member.value.shown) is not allowed", allowed: "an object"))
        }
      }
    }
  }

  private mutating func report(unknown name: String, of known: [String], kind: String) {
    problems.append(
      ConfigurationProblem(name, "there is no such \(kind)", allowed: known.sorted().joined(separator: ", ")))
  }

  /// Variables that begin like ours and are not: what Kubernetes sets for a service named usher, and the tests' own.
  private static func isForOthers(_ variable: String) -> Bool {
    variable == "USHER_PORT"
      || ["USHER_PORT_", "USHER_SERVICE_", "USHER_TEST_"].contains { variable.hasPrefix($0) }
  }
}

extension Configuration {
  /// Every default, and nothing where there is none.
  static let blank = Configuration(
    listeners: [], database: DatabaseConfiguration(url: ""), sealingKeyFile: "", deviceURL: "", baseDomain: ""
  )
}

extension ConfigurationValue {
  /// The value at a path of keys.
  func value(at path: ArraySlice<String>) -> ConfigurationValue? {
    guard let key = path.first else { return self }
    return self[key]?.value(at: path.dropFirst())
  }

  /// Sets the value at a path of keys, making the objects on the way.
  mutating func set(_ value: ConfigurationValue, at path: ArraySlice<String>) {
    guard let key = path.first else {
      self = value
      return
    }
    var member = self[key] ?? .object([])
    member.set(value, at: path.dropFirst())
    self[key] = member
  }

  /// The value as a message shows it.
  var shown: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    default: rendered()
    }
  }
}
