import Cryptography
import Fixtures
import PKIX
import TLS
import Testing

@testable import Directory

/// What one organization may try against another.
struct StrangerTests {
  private let world = World()

  @Test func `certifying another's CA does not take over its devices`() throws {
    let (victim, attacker) = (try TestAuthority.root("Victim"), try TestAuthority.root("Attacker"))
    let policy = try victim.intermediate("Policy")
    let issuing = try policy.intermediate("Issuing")
    // The same name and key, certified by the attacker: his chain is the shorter one.
    let stolen = try attacker.intermediate("Issuing", key: issuing.key)
    let device = try issuing.leaf()
    world.register(1, victim, of: 1, knowing: [policy])
    world.register(2, attacker, of: 2, knowing: [stolen])
    #expect(world.verdict(device, [issuing, policy]) == "1/1")
    // Whoever has only seen the device's certificate can make the server judge it, and shows what suits him.
    _ = world.connect(device)
    _ = world.connect(device, [stolen])
    #expect(world.verdict(device, [issuing, policy]) == "1/1")
    #expect(world.verdict(device, [issuing]) == "1/1")
  }

  @Test func `many CAs with another's key identifier do not hide the other`() throws {
    let victim = try TestAuthority.root("Victim")
    let device = try victim.leaf()
    let crowd = try (10..<60).map { number in
      (
        number,
        try TestAuthority.root("Fake \(number)") {
          $0.subjectKeyIdentifier = victim.certificate.computedKeyIdentifier
        }
      )
    }
    for (number, fake) in crowd { world.register(Int64(number), fake, of: 2) }
    world.register(99, victim, of: 1)
    #expect(world.verdict(device) == "1/99")
  }

  @Test func `many CAs with another's stated identifier or name do not hide the other`() throws {
    let odd: [UInt8] = Array("no digest of the key".utf8)
    let named = try TestAuthority.root("Victim") { $0.subjectKeyIdentifier = odd }
    let unnamed = try TestAuthority.root("Plain") { $0.subjectKeyIdentifier = [] }
    for number in 10..<60 {
      world.register(
        Int64(number), try .root("Victim") { $0.subjectKeyIdentifier = odd }, of: Int64(2 + number % 4))
      world.register(
        Int64(number + 100), try .root("Plain") { $0.subjectKeyIdentifier = [] }, of: Int64(2 + number % 4))
    }
    world.register(300, named, of: 1)
    world.register(301, unnamed, of: 1)
    #expect(world.verdict(try named.leaf()) == "1/300")
    #expect(world.verdict(try unnamed.leaf { $0.authorityKeyIdentifier = [] }) == "1/301")
  }

  @Test func `claiming another's certificates as one's own intermediates changes nothing`() throws {
    let victim = try TestAuthority.root("Victim")
    let issuing = try victim.intermediate("Issuing")
    let attacker = try TestAuthority.root("Attacker")
    let device = try issuing.leaf()
    world.register(1, attacker, of: 2, knowing: [victim, issuing])
    world.register(2, victim, of: 1, knowing: [issuing])
    #expect(world.verdict(device) == "1/2")
    #expect(world.verdict(device, [issuing, victim]) == "1/2")
  }

  @Test func `a forged issuer is refused, and its subject fits on one line of a log`() throws {
    let known = try TestAuthority.root("Known")
    world.register(1, known, of: 1)
    let forger = try TestAuthority.root("Known") {
      $0.subjectKeyIdentifier = known.certificate.computedKeyIdentifier
    }
    let name = "a\nb\u{0}c\u{1B}[31m\u{202E}d\"\\,CN=root"
    let leaf = try forger.leaf { $0.subject = DistinguishedName(commonName: name) }
    guard case .failure(let refusal) = world.connect(leaf) else {
      Issue.record("it was let in")
      return
    }
    #expect(refusal.alert == .badCertificate)
    let subject = try #require(refusal.subject)
    #expect(subject.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(subject)")
    #expect(subject.hasPrefix("CN=") && subject.hasSuffix(#"\,CN=root"#), "\(subject)")
  }

  @Test func `a proof certificate authenticates nobody, before and after it was seen`() throws {
    let ca = try TestAuthority.root()
    let proof = try ca.proof(challenge: "challenge")
    world.register(1, ca, of: 1, proof: proof.certificate)
    #expect(world.verdict(proof) == "badCertificate")
    let other = try ca.leaf()
    #expect(world.verdict(other) == "1/1")
    world.register(1, ca, of: 1, proof: other.certificate)
    #expect(world.verdict(other) == "badCertificate")
  }
}
