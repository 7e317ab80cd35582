/// Reads the members of an object by name and collects what is wrong with them, unknown names included.
///
///     var reader = try MemberReader(request.body)
///     let code = reader.required("code", .string(1...64))
///     let seats = reader.optional("seats", .integer(1...100_000)) ?? 1
///     try reader.finish()
///
/// A bad member gives its shape's placeholder, which nobody sees, since `finish` throws.
public struct MemberReader: Sendable {
  private let members: [JSONMember]
  private let isObject: Bool
  private var known: [String] = []
  private var findings: Findings

  /// - Throws: `JSONError` when `body` is not JSON. JSON other than an object is an error that `finish` throws.
  public init(_ body: [UInt8]) throws(JSONError) {
    self.init(try JSONValue(parsing: body))
  }

  public init(_ value: JSONValue) { self.init(value, Findings()) }

  init(_ value: JSONValue, _ findings: Findings) {
    self.findings = findings
    if case .object(let members) = value {
      self.members = members
      isObject = true
    } else {
      members = []
      isObject = false
      self.findings.add("must be an object")
    }
  }

  /// A member that must be there and not null.
  public mutating func required<Value>(_ name: String, _ shape: Shape<Value>) -> Value {
    guard let value = take(name) else {
      if isObject { findings.add("is required", at: name) }
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

  /// Whether the body names this member at all.
  public func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// Adds an error that no shape finds, such as two members that exclude each other.
  ///
  /// - Parameter detail: completes a sentence about the member, such as `excludes "ttlSeconds"`.
  public mutating func fail(_ name: String, _ detail: String) { findings.add(detail, at: name) }

  /// - Throws: all that was wrong, when anything was.
  public func finish() throws(MemberErrors) {
    let errors = complete().errors
    guard errors.isEmpty else { throw MemberErrors(errors: errors) }
  }

  /// The findings, with the names that nobody asked for.
  func complete() -> Findings {
    var findings = findings
    for member in members where !known.contains(member.name) {
      findings.add("is not a member here", at: member.name)
    }
    return findings
  }

  private mutating func take(_ name: String) -> JSONValue? {
    known.append(name)
    return members.first { $0.name == name }?.value
  }

  private mutating func read<Value>(_ name: String, _ value: JSONValue, _ shape: Shape<Value>) -> Value {
    findings.within(name) { findings in shape.read(value, &findings) } ?? shape.placeholder
  }
}
