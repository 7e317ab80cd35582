import HTTP
import JSON

extension Exchange {
  /// Reads the JSON object that is the body; all that is wrong with its members is told at once.
  ///
  /// - Parameters:
  ///   - isOptional: an empty body then counts as an object without members.
  ///   - read: takes the members; it need not call `finish`.
  func body<Value>(isOptional: Bool = false, _ read: (inout MemberReader) throws -> Value) throws
    -> Value
  {
    var reader = try reader(isOptional: isOptional)
    let value = try read(&reader)
    try reader.finish()
    return value
  }

  private func reader(isOptional: Bool) throws -> MemberReader {
    guard !request.body.isEmpty else {
      guard isOptional else {
        throw Problem(.malformedJSON, "The body is empty; this call takes a JSON object.")
      }
      return MemberReader(.object([]))
    }
    try requireMediaType("application/json")
    return try MemberReader(request.body)
  }

  /// 415 unless the body is of one of these types.
  func requireMediaType(_ types: String...) throws(Problem) {
    guard let type = request.mediaType, types.contains(type) else {
      let list = types.joined(separator: ", ")
      throw Problem(
        .unsupportedMediaType, "The Content-Type must be \(list).", headers: [HeaderField(.accept, list)])
    }
  }
}
