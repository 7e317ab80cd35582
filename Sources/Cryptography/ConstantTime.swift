/// Comparison whose duration does not depend on where the difference is.
public enum ConstantTime {
  /// Whether both are the same bytes. Lengths are not secret.
  public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
