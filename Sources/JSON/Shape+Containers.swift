extension Shape {
  /// An array whose elements all have one shape; each bad element is told by its own pointer.
  public static func array<Element>(
    of element: Shape<Element>, count: ClosedRange<Int> = 0...100
  ) -> Shape where Value == [Element] {
    Shape(placeholder: []) { value, findings in
      guard case .array(let elements) = value, count.contains(elements.count) else {
        findings.add("must be an array of \(count.lowerBound) to \(count.upperBound) elements")
        return nil
      }
      return elements.enumerated().compactMap { index, value in
        findings.within("\(index)") { findings in element.read(value, &findings) }
      }
    }
  }

  /// An object with names of the client's own, such as `metadata`; each bad value is told by its own pointer.
  ///
  /// - Parameters:
  ///   - names: the length of a name in characters.
  ///   - bytes: all names and strings together, in bytes of UTF-8.
  public static func map<Element>(
    of element: Shape<Element>, names: ClosedRange<Int> = 1...64, bytes: Int = 4096
  ) -> Shape where Value == [String: Element] {
    Shape(placeholder: [:]) { value, findings in
      guard case .object(let members) = value else {
        findings.add("must be an object")
        return nil
      }
      guard members.reduce(0, { $0 + $1.name.utf8.count + $1.value.textBytes }) <= bytes else {
        findings.add("must be no longer than \(bytes) bytes in all")
        return nil
      }
      var map: [String: Element] = [:]
      for member in members {
        findings.within(member.name) { findings in
          guard Shape<String>.string(names).read(.string(member.name), &findings) != nil else { return }
          map[member.name] = element.read(member.value, &findings)
        }
      }
      return map
    }
  }

  /// An object with members of its own.
  ///
  /// - Parameter read: takes the members; it need not call `finish`.
  public static func object(
    placeholder: Value, _ read: @escaping @Sendable (inout MemberReader) -> Value
  ) -> Shape {
    Shape(placeholder: placeholder) { value, findings in
      let before = findings.errors.count
      var reader = MemberReader(value, findings)
      let result = read(&reader)
      findings = reader.complete()
      return findings.errors.count == before ? result : nil
    }
  }
}

extension JSONValue {
  fileprivate var textBytes: Int {
    switch self {
    case .null, .boolean, .integer, .number: 8
    case .string(let text): text.utf8.count
    case .array(let elements): elements.reduce(0) { $0 + $1.textBytes }
    case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + $1.value.textBytes }
    }
  }
}
