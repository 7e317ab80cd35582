import HTTP
import JSON
import Licensing

/// A value that has a form in JSON: an object.
protocol Representation {
  /// Writes the members of the object.
  func writeMembers(to writer: inout JSONWriter)
}

extension Representation {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in writeMembers(to: &writer) }
  }
}

/// A single resource, with the tag of its state.
protocol ResourceRepresentation: Representation {
  var entityTag: String { get }
}

extension Response {
  /// A JSON answer.
  static func json(
    _ status: Int, headers: [HeaderField] = [], _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    write(&writer)
    var response = Response(status, headers: headers, body: writer.bytes)
    response.headers.append(HeaderField(.contentType, "application/json"))
    return response
  }

  /// A single resource with its ETag.
  ///
  /// - Parameters:
  ///   - location: its path, when this request made it: then the status is 201.
  ///   - secret: a token that is shown this once, in the member `name`.
  static func resource(
    _ resource: some ResourceRepresentation, madeAt location: String? = nil, secret: BearerToken? = nil,
    as name: String = "token"
  ) -> Response {
    let made = location.map { [HeaderField(.location, $0)] } ?? []
    return json(
      location == nil ? 200 : 201, headers: [HeaderField(.etag, resource.entityTag)] + made
    ) { writer in
      writer.object { writer in
        resource.writeMembers(to: &writer)
        if let secret { writer.member(name, secret.secret) }
      }
    }
  }

  /// Done, and nothing to say.
  static let noContent = Response(204)
}

extension Exchange {
  /// One page of a list: `{"data": […], "next": …}`.
  func list<Element: Representation>(_ page: Page<Element>) -> Response {
    .json(200) { writer in
      writer.object { writer in
        writer.member("data", array: page.elements) { writer, element in element.write(to: &writer) }
        writer.member(
          "next", page.next.map { Cursor(list: list, after: $0).description })
      }
    }
  }
}
