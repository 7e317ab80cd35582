internal import CLinux

/// A pipe whose both ends are non-blocking and closed on exec.
public struct Pipe: ~Copyable, Sendable {
  public let reading: Descriptor
  public let writing: Descriptor

  public init() throws(SystemError) {
    var (reading, writing): (Int32, Int32) = (-1, -1)
    // SAFETY: the call fills in the local variables.
    try immediateCall("pipe2") { unsafe linux_pipe(&reading, &writing) }
    self.reading = Descriptor(owning: reading)
    self.writing = Descriptor(owning: writing)
  }
}
