import FoundationEssentials
import Testing

@Suite struct FileTests {
  @Test func `no file has more than 400 lines`() throws {
    var long: [String] = []
    for folder in ["Sources", "Tests", "db"] {
      for file in try Checkout.files(under: folder, suffix: ".swift") {
        let lines =
          try Checkout.text(of: file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
        if lines > 400 { long.append("\(file): \(lines)") }
      }
    }
    #expect(long == [])
  }

  @Test func `every relative link of a document leads to a file`() throws {
    let documents =
      try FileManager.default.contentsOfDirectory(atPath: Checkout.root)
      .filter { $0.hasSuffix(".md") }
      + Checkout.files(under: "docs", suffix: ".md") + Checkout.files(under: "deploy", suffix: ".md")
    for document in documents {
      let folder = document.split(separator: "/").dropLast().joined(separator: "/")
      for match in try Checkout.text(of: document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        let path = [Checkout.root, folder, String(match.1)].filter { !$0.isEmpty }.joined(separator: "/")
        #expect(FileManager.default.fileExists(atPath: path), "\(document): \(match.1)")
      }
    }
  }
}
