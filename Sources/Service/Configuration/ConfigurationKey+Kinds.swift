// The kinds of values that settings have.

extension ConfigurationKey {
  typealias Property<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// A text that must be given.
  static func text(
    _ path: String, _ property: Property<String>, _ form: TextForm, _ meaning: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: form.allowed, meaning: meaning, isRequired: true, notation: .text,
      assign: { value, folder, configuration throws(ConfigurationFault) in
        configuration[keyPath: property] = try form.read(value, folder)
      },
      render: { .text($0[keyPath: property]) })
  }

  /// A text that may be given.
  static func text(
    _ path: String, _ property: Property<String?>, _ form: TextForm, _ meaning: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: form.allowed, meaning: meaning, isRequired: false, notation: .text,
      assign: { value, folder, configuration throws(ConfigurationFault) in
        configuration[keyPath: property] = try form.read(value, folder)
      },
      render: { $0[keyPath: property].map { .text($0) } })
  }

  static func integer(
    _ path: String, _ property: Property<Int>, in range: ClosedRange<Int>, _ meaning: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: words(for: range), meaning: meaning, isRequired: false, notation: .number,
      assign: { value, _, configuration throws(ConfigurationFault) in
        configuration[keyPath: property] = try integer(value, in: range)
      },
      render: { .integer(Int64($0[keyPath: property])) })
  }

  /// A duration in whole seconds.
  static func seconds(
    _ path: String, _ property: Property<Duration>, in range: ClosedRange<Int>, _ meaning: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: words(for: range), meaning: meaning, isRequired: false, notation: .number,
      assign: { value, _, configuration throws(ConfigurationFault) in
        configuration[keyPath: property] = .seconds(try integer(value, in: range))
      },
      render: { .integer($0[keyPath: property].components.seconds) })
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ path: String, _ property: Property<Choice>, _ meaning: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: words(for: Choice.self), meaning: meaning, isRequired: false, notation: .text,
      assign: { value, _, configuration throws(ConfigurationFault) in
        guard case .text(let text) = value, let choice = Choice(rawValue: text) else {
          throw ConfigurationFault()
        }
        configuration[keyPath: property] = choice
      },
      render: { .text($0[keyPath: property].rawValue) })
  }

  static func words<Choice: RawRepresentable<String> & CaseIterable & Sendable>(for choices: Choice.Type)
    -> String
  {
    choices.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func words(for range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }

  private static func integer(
    _ value: ConfigurationValue, in range: ClosedRange<Int>
  ) throws(ConfigurationFault) -> Int {
    guard case .integer(let number) = value, let number = Int(exactly: number), range.contains(number) else {
      throw ConfigurationFault()
    }
    return number
  }
}
