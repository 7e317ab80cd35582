/// Where a server is: `https://host[:port]`, without a path.
package struct ServerURL: Sendable, Hashable {
  /// A name, or an address in numbers (IPv6 without brackets).
  package let host: String
  package let port: UInt16
  /// Host and port as the Host field has them.
  package let authority: String

  /// Reads a URL; nil for anything that is not https, or has more than host and port.
  package init?(_ text: String) {
    let prefix = "https://"
    guard text.lowercased().hasPrefix(prefix) else { return nil }
    var rest = text.dropFirst(prefix.count)
    if rest.last == "/" { rest.removeLast() }
    let isBracketed = rest.first == "["
    let hostEnd = isBracketed ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":")
    let name = rest[..<(hostEnd ?? rest.endIndex)]
    let end = rest[name.endIndex...]
    let allowed: (Character) -> Bool = {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_")
    }
    let host = isBracketed ? name.dropFirst().dropLast() : name
    guard !host.isEmpty, isBracketed == (name.last == "]"),
      host.allSatisfy({ isBracketed ? $0 == ":" || allowed($0) : allowed($0) })
    else {
      return nil
    }
    if end.isEmpty {
      port = 443
    } else {
      guard end.first == ":", end.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
        let number = UInt16(end.dropFirst()), number > 0
      else { return nil }
      port = number
    }
    self.host = String(host)
    authority = port == 443 ? String(name) : "\(name):\(port)"
  }
}
