internal import Cryptography
internal import Issuance
internal import Postgres
internal import Reactor
internal import Telemetry
internal import Webhooks

extension Configuration {
  /// The database's address and password, as the client takes them.
  func postgres() throws(StartFailure) -> PostgresConfiguration {
    var password: Secret?
    if let file = database.passwordFile {
      do throws(SecretFileError) {
        let text = try Secret(file: file).revealed()
        // An editor ends a file with a newline; a password does not.
        password = Secret(text.last == 0x0A ? text.dropLast() : text)
      } catch { throw StartFailure("database.passwordFile: \(error)") }
    }
    do throws(ConnectionURLError) {
      return try PostgresConfiguration(url: database.url, password: password)
    } catch { throw StartFailure("database.url: \(error)") }
  }

  /// The keys of CAs: sealed under one key, opened by that before it too, or in a token.
  func authorityKeys() throws(StartFailure) -> AuthorityKeys {
    let current = try Self.sealingKey(sealingKeyFile, "sealingKeyFile")
    var earlier: [SealingKey] = []
    if let file = previousSealingKeyFile {
      earlier = [try Self.sealingKey(file, "previousSealingKeyFile")]
    }
    return AuthorityKeys(sealing: SealingKeyRing(current, earlier: earlier), token: try keyToken())
  }

  static func sealingKey(_ file: String, _ name: String) throws(StartFailure) -> SealingKey {
    let text: [UInt8]
    do throws(SecretFileError) {
      text = try Secret(file: file).revealed()
    } catch { throw StartFailure("\(name): \(error)") }
    guard let key = SealingKey(text: text) else {
      throw StartFailure(
        "\(name) \(file): must hold 32 bytes in hexadecimal or base64 (openssl rand -hex 32)")
    }
    return key
  }

  private func keyToken() throws(StartFailure) -> KeyToken? {
    guard let module = token.module else { return nil }
    guard let file = token.pinFile else { throw StartFailure("pkcs11.pinFile: the token needs its PIN") }
    do {
      var pin = try Secret(file: file).revealed()
      // An editor ends a file with a newline; a PIN does not.
      if pin.last == 0x0A { pin.removeLast() }
      return try KeyToken(module: module, pin: SecretBytes(copying: pin))
    } catch { throw StartFailure("pkcs11: \(error)") }
  }
}

extension Configuration {
  /// What carries events to webhooks.
  func webhookSender() throws(StartFailure) -> CurlSender {
    do throws(SystemError) {
      return try CurlSender(webhooks.addresses, authorities: webhooks.authorities)
    } catch { throw StartFailure("\(error)") }
  }
}
