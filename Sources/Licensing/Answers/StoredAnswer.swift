/// Where the answer to a request that named itself is kept: whoever sends the same again finds it there.
public struct AnswerPlace: Sendable, Hashable {
  /// SHA-256 of the principal and the path, 32 bytes.
  public let scope: [UInt8]
  /// SHA-256 of the name that the request gave itself, 32 bytes. The name opens the answer, so it is not beside it.
  public let name: [UInt8]

  public init(scope: [UInt8], name: [UInt8]) {
    self.scope = scope
    self.name = name
  }
}

/// An answer as it was given, its body sealed.
public struct StoredAnswer: Sendable {
  public struct Header: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// SHA-256 of the body that asked for it, 32 bytes.
  public let request: [UInt8]
  public let status: Int16
  public let headers: [Header]
  public let sealedBody: [UInt8]

  public init(request: [UInt8], status: Int16, headers: [Header], sealedBody: [UInt8]) {
    self.request = request
    self.status = status
    self.headers = headers
    self.sealedBody = sealedBody
  }
}

public protocol AnswerRepository: Sendable {
  /// Holds the place until the transaction ends, without waiting; false when another transaction holds it.
  func hold(_ place: AnswerPlace) async throws(StorageError) -> Bool
  /// What is kept there, for a day at least.
  func answer(at place: AnswerPlace) async throws(StorageError) -> StoredAnswer?
  /// Keeps the answer if the transaction commits; the place must be held.
  func keep(_ answer: StoredAnswer, at place: AnswerPlace) async throws(StorageError)
}
