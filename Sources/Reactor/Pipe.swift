internal import CLinux

/// A pipe whose both ends are closed on exec.
@frozen public struct Pipe: ~Copyable, Sendable {
  public let reading: Descriptor
  public let writing: Descriptor

  /// Reading never blocks. Neither does writing, unless `writingBlocks`: the way a program that is given this end as
  /// its output expects it.
  public init(writingBlocks: Bool = false) throws(SystemError) {
    var (reading, writing): (Int32, Int32) = (-1, -1)
    // SAFETY: the call fills in the local variables.
    try immediateCall("pipe2") { unsafe linux_pipe(&reading, &writing, writingBlocks) }
    self.reading = Descriptor(owning: reading)
    self.writing = Descriptor(owning: writing)
  }
}
