internal import FoundationEssentials

extension Configuration {
  /// Reads a JSON5 file, lets the environment override it, and checks everything.
  public init(file path: String, environment: [String: String]) throws(ConfigurationError) {
    let text: String
    do {
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch {
      let reason =
        FileManager.default.isReadableFile(atPath: path) ? "it is not UTF-8 text" : "it cannot be read"
      throw ConfigurationError(source: path, problems: [ConfigurationProblem("", reason)])
    }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    try self.init(
      json5: text, source: path, folder: folder.isEmpty && path.hasPrefix("/") ? "/" : folder,
      environment: environment)
  }

  /// Reads JSON5 text.
  ///
  /// - Parameters:
  ///   - source: what to call it in errors.
  ///   - folder: where relative paths begin; empty for the working directory.
  ///   - environment: of which the `USHER_…` variables override keys.
  public init(
    json5 text: String, source: String, folder: String = "", environment: [String: String] = [:]
  ) throws(ConfigurationError) {
    var reading: ConfigurationReading
    do throws(ConfigurationProblem) {
      reading = ConfigurationReading(try ConfigurationValue(json5: text))
    } catch {
      throw ConfigurationError(source: source, problems: [error])
    }
    reading.override(by: environment)
    let configuration = reading.finish(folder: folder)
    if !reading.problems.isEmpty { throw ConfigurationError(source: source, problems: reading.problems) }
    self = configuration
  }
}
