internal import Cryptography
internal import Postgres
internal import Telemetry

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

  /// The key under which CA keys are sealed.
  func sealingKey() throws(StartFailure) -> SealingKey {
    let text: [UInt8]
    do throws(SecretFileError) {
      text = try Secret(file: sealingKeyFile).revealed()
    } catch { throw StartFailure("sealingKeyFile: \(error)") }
    guard let key = SealingKey(text: text) else {
      throw StartFailure(
        "sealingKeyFile \(sealingKeyFile): must hold 32 bytes in hexadecimal or base64 (openssl rand -hex 32)"
      )
    }
    return key
  }
}
