/// What is timed, each by itself.
package enum Operation: String, Sendable, Hashable, CaseIterable {
  /// A connection with a full handshake, and its first answer.
  case connect
  /// The same with a session resumed.
  case resume
  /// `GET /v1/seats/{product}` on a connection that stands.
  case check
  /// `PUT /v1/seats/{product}` that grants a seat.
  case claim
  /// `PUT /v1/seats/{product}` for a seat that is held.
  case renew
  /// `DELETE /v1/seats/{product}`.
  case release
  /// `POST /v1/enroll`.
  case enroll
}
