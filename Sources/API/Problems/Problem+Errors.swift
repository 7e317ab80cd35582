import HTTP
import JSON
import Licensing

extension Problem {
  /// What the client is told of an error; nil when it is a fault of ours, which is told as a reference only.
  init?(telling error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let failure as RequestFailure: self.init(failure)
    case let error as StorageError:
      switch error {
      case .unavailable:
        self.init(
          .storageUnavailable,
          "The database cannot be reached. Nothing was done; try again in a few seconds.",
          headers: [HeaderField(.retryAfter, "5")])
      case .outcomeUnknown:
        self.init(
          .storageUnavailable,
          "The connection to the database broke before it answered: the request may or may not have been carried out. Look, or send it again.",
          headers: [HeaderField(.retryAfter, "5")])
      case .conflict(let conflict):
        guard let problem = Problem(conflict) else { return nil }
        self = problem
      case .fault: return nil
      }
    case let refusal as SeatRefusal: self.init(refusal)
    case let error as JSONError: self.init(.malformedJSON, "At byte \(error.offset): \(error.detail).")
    case let errors as MemberErrors: self.init(errors)
    case is CancellationError:
      self.init(
        .storageUnavailable, "The request was given up: the connection closed or the server is stopping.",
        headers: [HeaderField(.retryAfter, "5")])
    case _: return nil
    }
  }

  private init(_ failure: RequestFailure) {
    self.init(ProblemCode(rawValue: failure.problem.code) ?? .malformedRequest, failure.detail)
  }

  private init(_ errors: MemberErrors) {
    let fields = errors.errors.map { FieldError(pointer: $0.pointer, detail: $0.detail) }
    let first =
      fields.first.map { $0.pointer.isEmpty ? "The body \($0.detail)" : "\($0.pointer) \($0.detail)" } ?? ""
    self.init(
      .invalid, fields.count > 1 ? "\(first), and \(fields.count - 1) more; see “errors”." : "\(first).",
      errors: fields)
  }

  private init?(_ conflict: Conflict) {
    func taken(_ pointer: String, _ what: String) -> Problem {
      Problem(
        .alreadyExists, "\(what) Choose another, or change the one that exists.",
        errors: [FieldError(pointer: pointer, detail: "is taken")])
    }
    switch conflict {
    case .organizationSlug: self = taken("/slug", "Another organization has this slug.")
    case .organizationHostname: self = taken("/hostname", "Another organization has this host name.")
    case .productCode: self = taken("/code", "A product has this code.")
    case .identityName: self = taken("/name", "An identity of the organization has this name.")
    case .externalName:
      self = taken(
        "/external", "An identity of the organization, perhaps a deleted one, is named so by that CA.")
    case .externalID: self = taken("/externalId", "Another resource of this kind has this external id.")
    case .authorityKey: self.init(.authorityKeyInUse)
    case .deviceKey: self.init(.keyInUse)
    case .certificateSerial, .other: return nil
    }
  }

  /// What a refused seat is told as (api.md, "Device API").
  init(_ refusal: SeatRefusal) {
    let code: ProblemCode =
      switch refusal.reason {
      case .identitySuspended: .identitySuspended
      case .organizationSuspended: .organizationSuspended
      case .seatBlocked: .seatBlocked
      case .noSeatAvailable: .noSeatAvailable
      case .seatNotAssigned: .seatNotAssigned
      case .notPermitted: .notPermitted
      case .borrowOutOfRange: .borrowOutOfRange
      case .borrowNotPermitted: .borrowNotPermitted
      case .seatBorrowed: .seatBorrowed
      case .licenseSuspended: .licenseSuspended
      case .licenseExpired: .licenseExpired
      case .licenseNotStarted: .licenseNotStarted
      case .licenseRequired: .licenseRequired
      case .productUnknown: .productUnknown
      case .leaseLost: .leaseLost
      }
    self.init(code)
    if code == .noSeatAvailable {
      let seats =
        switch refusal.seats {
        case 0: "The license has no seats."
        case 1: "The only seat is taken."
        case let count: "All \(count) seats are taken."
        }
      detail = "\(seats) \(code.entry.remedy)"
      extensions += [
        Extension("seats", .integer(refusal.seats)), Extension("held", .integer(refusal.held)),
      ]
      headers = [HeaderField(.retryAfter, "\(refusal.retryAfterSeconds ?? 900)")]
    } else if let seconds = refusal.retryAfterSeconds {
      headers = [HeaderField(.retryAfter, "\(seconds)")]
    }
    if let loss = refusal.loss { extensions.append(Extension("reason", .string(loss.rawValue))) }
    if !refusal.candidates.isEmpty {
      let candidates = refusal.candidates.map { candidate in
        [
          Extension("license", .string(candidate.license.description)),
          Extension("code", .string(candidate.reason.rawValue)),
        ]
      }
      extensions.append(Extension("candidates", .objects(candidates)))
    }
  }
}
