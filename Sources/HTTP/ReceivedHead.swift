/// A head that was read to its end, with its bytes: one object, however often its request is passed on.
final class ReceivedHead: Sendable {
  let head: RequestHead
  /// As it came, the empty line included.
  let bytes: [UInt8]

  init(_ head: RequestHead, _ bytes: [UInt8]) {
    self.head = head
    self.bytes = bytes
  }
}
