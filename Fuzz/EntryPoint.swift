import Glibc

/// The target that `USHER_FUZZ_TARGET` names.
private let chosen: FuzzTarget? = {
  // SAFETY: the environment is only read, before anything else runs.
  let name = unsafe getenv("USHER_FUZZ_TARGET").map { unsafe String(cString: $0) }
  return name.flatMap(FuzzTarget.init(rawValue:))
}()

/// What libFuzzer calls with every input; see `scripts/fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let chosen else {
    print("USHER_FUZZ_TARGET names none of", FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
    exit(1)
  }
  // SAFETY: libFuzzer lends `size` bytes for this call, and they are copied.
  chosen.run(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
  return 0
}
