/// What is wrong with a command line.
enum UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  case unknownOption(String, suggestion: String?)
  case missing(String)
  case missingValue(String)
  case unwantedValue(String)
  case givenTwice(String)
  case unwantedWord(String)
  case badValue(String, option: String, allowed: String)

  var description: String {
    switch self {
    case .unknownOption(let name, let suggestion):
      "there is no option \(name)" + (suggestion.map { "; did you mean \($0)?" } ?? "")
    case .missing(let name): "\(name) must be given"
    case .missingValue(let name): "\(name) needs a value"
    case .unwantedValue(let name): "\(name) takes no value"
    case .givenTwice(let name): "\(name) is given twice"
    case .unwantedWord(let word): "it is not clear what \"\(word)\" is for"
    case .badValue(let value, let option, let allowed): "\(option) is \"\(value)\"; allowed: \(allowed)"
    }
  }
}
