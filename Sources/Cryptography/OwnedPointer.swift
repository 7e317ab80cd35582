/// The one owner of one C object: whoever holds it frees it, exactly once.
@safe package struct OwnedPointer: ~Copyable {
  /// The object, valid while this owner lives.
  package let raw: OpaquePointer
  private let release: (OpaquePointer?) -> Void

  /// Takes over a reference made by C; `release` is its `…_free` function.
  package init(_ raw: OpaquePointer, release: @escaping (OpaquePointer?) -> Void) {
    unsafe self.raw = raw
    unsafe self.release = release
  }

  deinit { unsafe release(raw) }

  /// Makes an object through the funnel and owns it.
  package static func make(
    _ operation: StaticString, release: @escaping (OpaquePointer?) -> Void, _ call: () -> OpaquePointer?
  ) throws(OpenSSLError) -> OwnedPointer {
    unsafe OwnedPointer(try OpenSSLCall.object(operation, call), release: release)
  }
}
