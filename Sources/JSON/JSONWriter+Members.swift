extension JSONWriter {
  public mutating func member(_ name: String, _ text: String) {
    self.name(name)
    value(text)
  }

  public mutating func member(_ name: String, _ number: Int64) {
    self.name(name)
    value(number)
  }

  public mutating func member(_ name: String, _ number: Int) {
    self.name(name)
    value(number)
  }

  public mutating func member(_ name: String, _ truth: Bool) {
    self.name(name)
    value(truth)
  }

  public mutating func member(_ name: String, _ time: Timestamp) {
    self.name(name)
    value(time)
  }

  public mutating func member(_ name: String, _ value: JSONValue) {
    self.name(name)
    self.value(value)
  }

  /// A value that is JSON text already.
  public mutating func member(_ name: String, json text: [UInt8]) {
    self.name(name)
    value(json: text)
  }

  /// Null where there is no value.
  public mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { value(text) } else { null() }
  }

  public mutating func member(_ name: String, _ number: Int64?) {
    self.name(name)
    if let number { value(number) } else { null() }
  }

  public mutating func member(_ name: String, _ time: Timestamp?) {
    self.name(name)
    if let time { value(time) } else { null() }
  }

  public mutating func member(_ name: String, _ texts: [String]) {
    member(name, array: texts) { writer, text in writer.value(text) }
  }

  /// A string map, by name, so that the same map always gives the same bytes.
  public mutating func member(_ name: String, _ map: [String: String]) {
    member(name) { writer in
      for (name, text) in map.sorted(by: { $0.key < $1.key }) { writer.member(name, text) }
    }
  }

  public mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
    self.name(name)
    object(body)
  }

  public mutating func member<Elements: Sequence>(
    _ name: String, array elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.name(name)
    array { writer in for element in elements { body(&writer, element) } }
  }
}
