import Foundation
import Testing

/// From a device's key to a seat, with a CA that the service holds.
struct ManagedSpineTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `two of three devices get a seat, and the third gets the one that is given back`() throws {
    let tenant = try server.makeTenant(seats: 2)
    let devices = try ["one", "two", "three"].map { try tenant.enroll($0) }

    let first = try devices[0].claim(tenant.product)
    #expect(first.status == 201, "\(first)")
    #expect(first.text("identity") == "one" && first.text("kind") == "lease", "\(first)")
    #expect(try devices[1].claim(tenant.product).status == 201)

    let refused = try devices[2].claim(tenant.product)
    #expect(refused.status == 409 && refused.text("code") == "no-seat-available", "\(refused)")
    #expect(refused.number("seats") == 2 && refused.number("held") == 2, "\(refused)")
    #expect((1...600).contains(Int(refused.headers["retry-after"] ?? "") ?? 0), "\(refused.headers)")
    #expect(refused.text("contactUrl") == "https://help.example/")

    let again = try devices[0].claim(tenant.product)
    #expect(again.status == 200)
    #expect(again.number("generation") == first.number("generation"))

    #expect(try devices[0].release(tenant.product).status == 204)
    #expect(try devices[0].release(tenant.product).status == 204, "giving back twice is no mistake")
    let third = try devices[2].claim(tenant.product)
    #expect(third.status == 201, "\(third)")
    #expect(third.number("generation") > first.number("generation"))
    #expect(try devices[0].check(tenant.product).text("code") == "seat-not-held")
  }

  @Test(arguments: [
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["-newkey", "rsa:2048"],
  ]) func `other kinds of keys get certificates too`(_ newKey: [String]) throws {
    let tenant = try server.makeTenant()
    #expect(try tenant.enroll("laptop", newKey: newKey).claim(tenant.product).status == 201)
  }

  @Test func `a renewed certificate is the same identity and takes no second seat`() throws {
    let tenant = try server.makeTenant(seats: 1)
    let device = try tenant.enroll("laptop")
    let seat = try device.claim(tenant.product)
    let files = device.key + ".renewed"
    try Shell.openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout",
      files + ".key", "-subj",
      "/CN=whatever", "-out", files + ".csr")
    let answer = try device.call(
      "POST", "/v1/certificates",
      ["-H", "Content-Type: application/x-pem-file", "--data-binary", "@" + files + ".csr"])
    #expect(answer.status == 201, "\(answer)")
    try answer.body.write(toFile: files + ".pem", atomically: true, encoding: .utf8)
    let renewed = Device(installation: server, certificate: files + ".pem", key: files + ".key")
    let again = try renewed.claim(tenant.product)
    #expect(again.status == 200 && again.number("generation") == seat.number("generation"), "\(again)")
    #expect(again.text("identity") == "laptop")
  }

  @Test func `renewing with If-Match renews only the seat that it names`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    let seat = try device.claim(tenant.product)
    let tag = try #require(seat.headers["etag"])
    #expect(try device.claim(tenant.product, ["-H", "If-Match: \(tag)"]).status == 200)
    #expect(try device.release(tenant.product).status == 204)
    let lost = try device.claim(tenant.product, ["-H", "If-Match: \(tag)"])
    #expect(
      lost.status == 412 && lost.text("code") == "lease-lost" && lost.text("reason") == "released", "\(lost)")
  }

  @Test func `a renewal shows at once whatever changed of the seat`() throws {
    let tenant = try server.makeTenant(license: #", "maxBorrowSeconds": 86400"#)
    let device = try tenant.enroll("laptop")
    let license = "\(tenant.path)/licenses/\(tenant.license)"
    func renewed(_ parts: String..., after call: (String, String, String)?) throws {
      if let call { #expect(try server.call(call.0, call.1, call.2).status < 300, "\(call)") }
      // The second one takes over what the first one wrote.
      for _ in 0..<2 {
        let seat = try device.claim(tenant.product)
        #expect(seat.status == 200 && parts.allSatisfy(seat.body.contains), "\(parts) \(seat)")
      }
    }
    #expect(try device.claim(tenant.product).status == 201)
    try renewed(#""features":{}"#, #""graceSeconds":0"#, after: nil)
    try renewed(#""a":1"#, after: ("PATCH", license, #"{"features": {"a": 1}}"#))
    try renewed(#""a":2"#, after: ("PATCH", license, #"{"features": {"a": 2}}"#))
    try renewed(#""graceSeconds":7"#, after: ("PATCH", license, #"{"graceSeconds": 7}"#))
    for (path, value) in [(tenant.path, 1), (license, 2), ("\(tenant.path)/identities/laptop", 3)] {
      try renewed("\"c\": \(value)", after: ("PUT", path + "/config", "{\"c\": \(value)}"))
    }
    let until = ISO8601DateFormatter().string(from: Date().addingTimeInterval(3600))
    let lent = try device.call(
      "POST", "/v1/seats/\(tenant.product)/borrow",
      ["-H", "Content-Type: application/json", "--data-binary", #"{"until": "\#(until)"}"#])
    #expect(lent.status == 201, "\(lent)")
    try renewed(#""kind":"borrowed""#, "\"borrowedUntil\":\"\(until)\"", after: nil)
    #expect(try device.release(tenant.product).status == 204)
    #expect(try device.claim(tenant.product).status == 201)
    try renewed(#""kind":"lease""#, #""borrowedUntil":null"#, after: nil)
    try renewed(
      #""kind":"assigned""#, #""expiresAt":null"#, after: ("PUT", license + "/seats/laptop", "{}"))
  }

  @Test func `an assigned seat is there without a claim and stays after a release`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    let seats = "\(tenant.path)/licenses/\(tenant.license)/seats"
    #expect(try server.call("PUT", seats + "/laptop").status == 201)
    #expect(try server.call("PUT", seats + "/laptop").status == 200)
    let seat = try device.claim(tenant.product)
    #expect(seat.status == 200 && seat.text("kind") == "assigned" && seat["expiresAt"] is NSNull, "\(seat)")
    #expect(try device.release(tenant.product).status == 204)
    #expect(try device.check(tenant.product).status == 200)
    #expect(try server.call("DELETE", seats + "/laptop?blockSeconds=60").status == 204)
    let blocked = try device.claim(tenant.product)
    #expect(blocked.status == 409 && blocked.text("code") == "seat-blocked", "\(blocked)")
  }
}
