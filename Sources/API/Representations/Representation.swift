public import HTTP
public import JSON
public import Licensing

/// A value that has a form in JSON.
public protocol Representation {
  func write(to writer: inout JSONWriter)
}

/// A single resource, with the tag of its state.
public protocol ResourceRepresentation: Representation {
  var entityTag: String { get }
}

extension Response {
  /// A JSON answer.
  public static func json(
    _ status: Int, headers: [HeaderField] = [], _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(
      status, headers: [HeaderField(.contentType, "application/json")] + headers, body: writer.bytes)
  }

  /// A single resource with its ETag; 201 with its path as `Location` when it was made.
  public static func resource(
    _ resource: some ResourceRepresentation, madeAt location: String? = nil
  ) -> Response {
    let made = location.map { [HeaderField(.location, $0)] } ?? []
    return json(
      location == nil ? 200 : 201, headers: [HeaderField(.etag, resource.entityTag)] + made
    ) { writer in
      resource.write(to: &writer)
    }
  }

  /// Done, and nothing to say.
  public static let noContent = Response(204)
}

extension Exchange {
  /// One page of a list: `{"data": […], "next": …}`.
  ///
  /// - Parameter filter: what narrowed the list, as it was given to `page`.
  public func list<Element: Representation>(_ page: Page<Element>, filter: String = "") -> Response {
    .json(200) { writer in
      writer.object { writer in
        writer.member("data", array: page.elements) { writer, element in element.write(to: &writer) }
        writer.member(
          "next", page.next.map { Cursor(list: request.path + filter, after: $0).description })
      }
    }
  }
}
