import Foundation

extension Installation {
  /// The database's URL, as the effective configuration has it.
  var databaseURL: String {
    get throws {
      if let movedTo { return movedTo }
      let data = try Data(contentsOf: URL(fileURLWithPath: data + "/usher.json"))
      let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      guard let url = (root?["database"] as? [String: Any])?["url"] as? String else {
        throw Shell.Failure("usher.json has no database.url")
      }
      return url
    }
  }

  /// The folder of its Unix socket.
  var socketFolder: String {
    get throws {
      guard let folder = try databaseURL.firstMatch(of: /host=([^&]+)/)?.1 else {
        throw Shell.Failure("no socket")
      }
      return String(folder)
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
