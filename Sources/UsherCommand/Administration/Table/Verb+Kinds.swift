internal import UsherClient

/// What most resources have, so that the table says only what is their own.
extension Verb {
  static func list(
    _ path: String, _ summary: String, _ parameters: [Parameter] = [], columns: String
  ) -> Verb {
    Verb(
      name: "list", summary: summary, method: .get, path: path, parameters: parameters,
      shape: .list(columns.split(separator: " ").map(String.init)))
  }

  static func show(_ path: String, _ summary: String) -> Verb {
    Verb(name: "show", summary: summary, method: .get, path: path, parameters: [])
  }

  /// - Parameter told: what `--from` prints of each that it makes, such as a secret that is shown once.
  static func create(
    _ path: String, _ summary: String, _ parameters: [Parameter], told: String = "", note: String? = nil
  ) -> Verb {
    Verb(
      name: "create", summary: summary, method: .post, path: path,
      parameters: parameters + [.externalID, .metadata], told: told.split(separator: " ").map(String.init),
      note: note)
  }

  static func update(_ path: String, _ summary: String, _ parameters: [Parameter]) -> Verb {
    Verb(
      name: "update", summary: summary, method: .patch, path: path,
      parameters: parameters + [.newExternalID, .metadata, .ifMatch])
  }

  /// - Parameter what: `the license`, say.
  static func put(_ path: String, _ what: String, _ parameters: [Parameter], told: [String]) -> Verb {
    Verb(
      name: "put", summary: "Make or change \(what) with the vendor's own id", method: .put,
      path: "\(path)/by-external-id/{externalId}", parameters: parameters + [.metadata, .ifMatch], told: told)
  }

  static func delete(_ path: String, _ summary: String, _ parameters: [Parameter] = [.ifMatch]) -> Verb {
    Verb(name: "delete", summary: summary, method: .delete, path: path, parameters: parameters)
  }

  /// An update that says one thing only.
  static func becoming(_ status: String, named name: String, _ path: String, _ summary: String) -> Verb {
    Verb(
      name: name, summary: summary, method: .patch, path: path, parameters: [.ifMatch],
      constants: ["status": status])
  }

  /// `suspend` and `resume`.
  static func suspension(_ path: String, _ what: String) -> [Verb] {
    [
      .becoming("suspended", named: "suspend", path, "Suspend \(what), at once"),
      .becoming("active", named: "resume", path, "End the suspension of \(what)"),
    ]
  }

  /// What the vendor tells its app.
  static func configuration(_ path: String) -> [Verb] {
    [
      Verb(
        name: "config", summary: "Show what the vendor tells its app here", method: .get,
        path: path + "/config", parameters: []),
      Verb(
        name: "set-config", summary: "Write what the vendor tells its app here", method: .put,
        path: path + "/config",
        parameters: [.file("application/json", "A JSON object, - for standard input"), .ifMatch]),
    ]
  }
}
