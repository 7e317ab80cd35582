import Glibc
import Testing

@testable import Telemetry

@Suite struct SecretTests {
  @Test func `a secret does not show, however it is printed`() {
    let secret = Secret(Array("hunter2".utf8))
    var dumped = ""
    dump(secret, to: &dumped)
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(describing: secret), String(reflecting: [secret]), dumped] {
      #expect(text.contains("<redacted>"))
      #expect(!text.contains("hunter2") && !text.contains("104"))
    }
    #expect(secret.revealed() == Array("hunter2".utf8))
  }

  @Test(arguments: [("abc\n", "abc"), ("abc\r\n", "abc"), ("a\nb\n\n", "a\nb"), ("\n", ""), ("abc ", "abc ")])
  func `its text has no line end`(content: String, text: String) {
    #expect(Secret(Array(content.utf8)).revealedText() == text)
  }

  @Test func `bytes that are not UTF-8 are no text`() {
    #expect(Secret([0xff]).revealedText() == nil)
  }

  @Test(arguments: [0o600, 0o400, 0o440, 0o640] as [mode_t])
  func `a file that only its owner writes and not everybody reads is read`(mode: mode_t) throws {
    let file = try TemporaryFile("s3cret\n", mode: mode)
    #expect(try Secret(file: file.path).revealedText() == "s3cret")
  }

  @Test(arguments: [0o604, 0o644, 0o660, 0o602, 0o601] as [mode_t])
  func `a file that others may read or change is refused`(mode: mode_t) throws {
    let file = try TemporaryFile("s3cret\n", mode: mode)
    let error = #expect(throws: SecretFileError.self) { try Secret(file: file.path) }
    #expect(error?.reason == .tooOpen(mode: UInt16(mode)))
    #expect(error?.description.contains("chmod 0600 \(file.path)") == true)
  }

  @Test func `what is missing, empty, large or no file is refused in words`() throws {
    let empty = try TemporaryFile("", mode: 0o600)
    let large = try TemporaryFile(String(repeating: "x", count: Secret.largestFile + 1), mode: 0o600)
    let table = [
      ("/nonexistent", "/nonexistent cannot be read: No such file or directory"),
      ("/dev/null", "/dev/null is not a regular file"),
      ("/", "/ is not a regular file"),
      (empty.path, "\(empty.path) is empty"),
      (large.path, "\(large.path) is larger than 262144 bytes"),
    ]
    for (path, words) in table {
      let error = #expect(throws: SecretFileError.self) { try Secret(file: path) }
      #expect(error?.description == words)
    }
  }
}

/// A file of its own that goes with its last reference.
final class TemporaryFile {
  let path: String

  init(_ content: String, mode: mode_t) throws {
    var template = Array("/tmp/usher-secret-XXXXXX".utf8CString)
    // SAFETY: a terminated template, which mkstemp changes in place.
    let descriptor = unsafe mkstemp(&template)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(content.utf8)
    // SAFETY: pointer and count are the array's own.
    let written = unsafe write(descriptor, bytes, bytes.count)
    try #require(written == bytes.count)
    let changed = fchmod(descriptor, mode)
    try #require(changed == 0)
  }

  deinit { unsafe unlink(path) }
}
