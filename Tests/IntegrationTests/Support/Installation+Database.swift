import Foundation

extension Installation {
  /// The database's URL, as the effective configuration has it.
  var databaseURL: String {
    get throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: data + "/usher.json"))
      let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      guard let url = (root?["database"] as? [String: Any])?["url"] as? String else {
        throw Shell.Failure("usher.json has no database.url")
      }
      return url
    }
  }

  /// What one SQL statement says, without decoration.
  @discardableResult
  func sql(_ statement: String) throws -> String {
    let result = try Shell.run(
      "psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, try databaseURL])
    guard result.status == 0 else { throw Shell.Failure("\(statement): \(result.errors)") }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
