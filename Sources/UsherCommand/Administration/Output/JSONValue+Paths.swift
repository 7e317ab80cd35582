internal import JSON

extension JSONValue {
  /// The value at a path of names: `usage.held`.
  func value(at path: String) -> JSONValue? {
    var value: JSONValue? = self
    for name in path.split(separator: ".") { value = value?[String(name)] }
    return value
  }

  /// As JSON.
  var rendered: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
