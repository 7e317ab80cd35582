internal import CLinux

/// The one way into the kernel: an interrupted call is repeated, "would block" is a result, everything else is thrown.
///
/// A descriptor that is not open, or memory that is not ours, is a fault of this program and traps: going on could
/// read or close somebody else's connection.
@inline(__always)
func systemCall<Result: SignedInteger & FixedWidthInteger>(
  _ name: StaticString, _ call: () -> Result
) throws(SystemError) -> IOResult<Result> {
  while true {
    let result = call()
    if result != -1 { return .done(result) }
    switch linux_errno() {
    case EINTR: continue
    case EAGAIN: return .wouldBlock
    case let number where number == EBADF || number == EFAULT:
      preconditionFailure("\(name): \(SystemError(errno: number, call: "\(name)"))")
    case let number: throw SystemError(errno: number, call: "\(name)")
    }
  }
}

/// A call to the kernel that never would block.
@discardableResult
@inline(__always)
func immediateCall<Result: SignedInteger & FixedWidthInteger>(
  _ name: StaticString, _ call: () -> Result
) throws(SystemError) -> Result {
  switch try systemCall(name, call) {
  case .done(let result): return result
  case .wouldBlock: throw SystemError(errno: EAGAIN, call: "\(name)")
  }
}
