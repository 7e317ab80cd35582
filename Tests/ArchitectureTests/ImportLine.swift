/// An `import` as it stands in a source file: `@testable public import struct Module.Name`.
struct ImportLine: CustomStringConvertible {
  let file: String
  let line: Int
  let module: String

  var description: String { "\(file):\(line) imports \(module)" }

  /// All imports of a file, comments and string literals excepted.
  static func all(in text: String, of file: String) -> [ImportLine] {
    let pattern =
      /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func|actor|macro)\s+)?(\w+)(?:\.\w+)*\s*(?:\/\/.*|;.*)?/
    var imports: [ImportLine] = []
    var isInLiteral = false
    var comments = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.components(of: "\"\"\"") % 2 == 1 { isInLiteral.toggle() }
      comments += line.components(of: "/*") - line.components(of: "*/")
      guard !isInLiteral, comments == 0, let match = line.wholeMatch(of: pattern) else { continue }
      imports.append(ImportLine(file: file, line: index + 1, module: String(match.1)))
    }
    return imports
  }
}

extension Substring {
  fileprivate func components(of mark: String) -> Int { ranges(of: mark).count }
}
