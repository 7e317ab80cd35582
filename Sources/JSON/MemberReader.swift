/// Reads the members of an object by name and collects what is wrong with them, unknown names included.
///
///     var reader = try MemberReader(request.body)
///     let code = reader.required("code", .string(1...64))
///     let seats = reader.optional("seats", .integer(1...100_000)) ?? 1
///     try reader.finish()
///
/// A bad member gives its shape's placeholder, which nobody sees, since `finish` throws.
public struct MemberReader: Sendable {
  /// So many are told; a client that has more mends these first.
  private static let errorLimit = 50

  private let members: [JSONMember]
  private let pointer: String
  private var isObject = true
  private var known: [String] = []
  private var errors: [MemberError] = []

  /// - Throws: `JSONError` when `body` is not JSON. JSON other than an object is an error that `finish` throws.
  public init(_ body: [UInt8]) throws(JSONError) {
    self.init(try JSONValue(parsing: body))
  }

  public init(_ value: JSONValue, at pointer: String = "") {
    self.pointer = pointer
    if case .object(let members) = value {
      self.members = members
    } else {
      members = []
      isObject = false
      errors = [MemberError(pointer: pointer, detail: "must be an object, not \(value.kind)")]
    }
  }

  /// A member that must be there and not null.
  public mutating func required<Value>(_ name: String, _ shape: Shape<Value>) -> Value {
    guard let value = take(name) else {
      if isObject { fail(name, "is required") }
      return shape.placeholder
    }
    return read(name, value, shape)
  }

  /// A member that may be absent or null, which is the same.
  public mutating func optional<Value>(_ name: String, _ shape: Shape<Value>) -> Value? {
    guard let value = take(name), value != .null else { return nil }
    return read(name, value, shape)
  }

  /// A member of a PATCH that may be absent but not null.
  public mutating func replacement<Value>(_ name: String, _ shape: Shape<Value>) -> Value? {
    take(name).map { value in read(name, value, shape) }
  }

  /// A member of a PATCH that null takes away.
  public mutating func patch<Value>(_ name: String, _ shape: Shape<Value>) -> Patch<Value> {
    switch take(name) {
    case nil: .absent
    case .null: .null
    case .some(let value): .value(read(name, value, shape))
    }
  }

  /// Adds an error that no shape finds, such as two members that exclude each other.
  public mutating func fail(_ name: String, _ detail: String) {
    errors.append(MemberError(pointer: pointer.appendingPointer(name), detail: detail))
  }

  /// - Throws: all that was wrong, when anything was.
  public func finish() throws(MemberErrors) {
    let all = allErrors
    guard all.isEmpty else { throw MemberErrors(errors: Array(all.prefix(MemberReader.errorLimit))) }
  }

  /// The errors found so far and the names that nobody asked for.
  var allErrors: [MemberError] {
    errors
      + members.filter { !known.contains($0.name) }.map { member in
        MemberError(pointer: pointer.appendingPointer(member.name), detail: "is not a member here")
      }
  }

  private mutating func take(_ name: String) -> JSONValue? {
    known.append(name)
    return members.first { $0.name == name }?.value
  }

  private mutating func read<Value>(_ name: String, _ value: JSONValue, _ shape: Shape<Value>) -> Value {
    shape.read(value, pointer.appendingPointer(name), &errors) ?? shape.placeholder
  }
}

extension String {
  /// The pointer to a member or an element below this one (RFC 6901 §3).
  func appendingPointer(_ token: some CustomStringConvertible) -> String {
    var pointer = self + "/"
    for character in token.description.unicodeScalars {
      switch character {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      case _: pointer.unicodeScalars.append(character)
      }
    }
    return pointer
  }
}
