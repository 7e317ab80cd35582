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
}
