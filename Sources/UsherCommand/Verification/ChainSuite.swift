internal import JSON
internal import PKIX

/// Many cases in the JSON of x509-limbo: read one by one, and answered in its result format.
enum ChainSuite {
  /// The bytes of the answer. A case that cannot be read is a failed one: a server could not read it either.
  static func answer(to text: [UInt8], now: Int64) throws(CommandFailure) -> String {
    let document: JSONValue
    do { document = try JSONValue(parsing: text) } catch {
      throw CommandFailure("not JSON at byte \(error.offset): \(error.detail)")
    }
    guard case .array(let cases) = document["testcases"] else {
      throw CommandFailure("the JSON has no array “testcases”")
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", 1)
      writer.member("harness", "usher \(Version.current)")
      writer.member("results", array: cases) { writer, value in
        let answer: ChainCase.Answer
        do throws(CaseFault) { answer = try ChainCase(value, now: now).answer() } catch {
          answer = ChainCase.Answer(isTrusted: false, reason: error.reason)
        }
        writer.object { writer in
          writer.member("id", value["id"]?.text ?? "")
          writer.member("actual_result", answer.isTrusted ? "SUCCESS" : "FAILURE")
          writer.member("context", ([answer.reason] + answer.notes).joined(separator: "; "))
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Why a case cannot be asked.
private struct CaseFault: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

extension ChainCase {
  fileprivate init(_ value: JSONValue, now: Int64) throws(CaseFault) {
    guard let text = value["peer_certificate"]?.text else { throw CaseFault("there is no peer_certificate") }
    leaf = try Self.certificate(text)
    anchors = []
    for text in value["trusted_certs"]?.texts ?? [] { anchors.append(try Self.certificate(text)) }
    for text in value["untrusted_intermediates"]?.texts ?? [] { untrusted.append(try Self.certificate(text)) }
    for text in value["crls"]?.texts ?? [] {
      do throws(RevocationListError) { lists.append(try RevocationList(Array(text.utf8))) } catch {
        throw CaseFault("\(error)")
      }
    }
    time = now
    if let text = value["validation_time"]?.text {
      guard let timestamp = Timestamp(text) else { throw CaseFault("validation_time is no time") }
      time = timestamp.secondsSince1970
    }
    if case .integer(let depth) = value["max_chain_depth"] { maximumIntermediates = Int(clamping: depth) }
  }

  private static func certificate(_ text: String) throws(CaseFault) -> Certificate {
    do { return try Certificate(pem: Array(text.utf8)) } catch { throw CaseFault("\(error)") }
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var texts: [String] {
    guard case .array(let values) = self else { return [] }
    return values.compactMap(\.text)
  }
}

extension Timestamp {
  /// Whole seconds, rounded down.
  var secondsSince1970: Int64 {
    let (seconds, rest) = microsecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }
}
