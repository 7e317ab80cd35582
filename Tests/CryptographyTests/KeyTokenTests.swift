import Fixtures
import FoundationEssentials
import Glibc
import Testing

@testable import Cryptography

/// Where Debian puts SoftHSM and OpenSSL's engine for it (softhsm2, libengine-pkcs11-openssl).
enum SoftHSM {
  static let module = "/usr/lib/softhsm/libsofthsm2.so"
  static let engines = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map {
    "/usr/lib/\($0)/engines-3/pkcs11.so"
  }
  static let isInstalled = ([module] + engines).filter(FileManager.default.isReadableFile).count == 2
}

/// Keys in a SoftHSM token; skipped where there is none. One process opens one token, so that all is one test.
@Suite(.enabled(if: SoftHSM.isInstalled))
struct KeyTokenTests {
  @Test func `keys in a token sign from many threads, and are not there without the PIN`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("directories.tokendir = \(folder.path)\nobjectstore.backend = file\n", to: "hsm.conf")
    unsafe setenv("SOFTHSM2_CONF", folder.path + "/hsm.conf", 1)
    try run([
      "softhsm2-util", "--init-token", "--free", "--label", "usher", "--so-pin", "1234", "--pin", "5678",
    ])
    for (type, id) in [(KeyType.p256, "01"), (.p384, "02"), (.rsa2048, "03")] {
      let key = try PrivateKey(generating: type)
      let file = try folder.write(String(decoding: key.secretPEM(), as: UTF8.self), to: id + ".pem")
      try run([
        "softhsm2-util", "--import", file, "--token", "usher", "--label", type.rawValue, "--id", id, "--pin",
        "5678",
      ])
    }

    let token = try KeyToken(module: SoftHSM.module, pin: SecretBytes(copying: Array("5678".utf8)))
    for type in [KeyType.p256, .p384, .rsa2048] {
      let signer = try token.signer("pkcs11:token=usher;object=\(type.rawValue)")
      #expect(signer.publicKey.kind.description == type.rawValue)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for round in 0..<16 {
          group.addTask {
            let message = [UInt8](repeating: UInt8(round), count: 500)
            let signature = try signer.sign(message)
            let digest = signer.signatureAlgorithm.digest
            #expect(signer.publicKey.verifies(signature, of: message, digest: digest))
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(throws: OpenSSLError.self) { try token.signer("pkcs11:token=usher;object=nobody") }
    #expect(OpenSSLCall.drain("nothing").entries.isEmpty)
    #expect(throws: OpenSSLError.self) {
      try KeyToken(module: "/nonexistent.so", pin: SecretBytes(copying: [0x31])).signer("pkcs11:object=x")
    }
  }

  private func run(_ words: [String]) throws {
    var child: pid_t = 0
    // SAFETY: C strings live until the child is spawned, and are freed here.
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let code = unsafe posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    try #require(code == 0)
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
    try #require(status == 0, "\(words.prefix(2))")
  }
}
