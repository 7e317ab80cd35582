import HTTP
import Issuance
import JSON
import Licensing

/// An organization's rights to seats: the operator's to change.
enum LicenseRoutes {
  static let all: [Route] = [
    .admin(.post, "/v1/organizations/{org}/licenses", for: .operator, create),
    .list(
      "/v1/organizations/{org}/licenses", filters: ["product", "status", "externalId", "expiresBefore"], list),
    .admin(.get, "/v1/organizations/{org}/licenses/{license}", for: .viewer, get),
    .admin(.patch, "/v1/organizations/{org}/licenses/{license}", for: .operator, query: ["mode"], change),
    .admin(.delete, "/v1/organizations/{org}/licenses/{license}", for: .operator, delete),
    .admin(
      .put, "/v1/organizations/{org}/licenses/by-external-id/{externalId}", for: .operator, query: ["mode"],
      upsert),
  ]

  /// Locked with its counters, so that `usage` is exact.
  @Sendable
  static func find(
    _ organization: Organization, _ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool
  ) async throws -> License? {
    guard let id = Identifier(exchange.parameters["license"]) else { return nil }
    return try await unit.license(id, of: organization.record.key, locked: locked)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in try await create(desk, organization) }
  }

  /// - Parameter externalID: what the path says; then the body need not.
  private static func create(
    _ desk: Desk, _ organization: Organization, externalID: String? = nil
  ) async throws -> Response {
    let id = try desk.services.newID()
    let (record, code, model, terms) = try desk.exchange.body { reader in
      let record = reader.newRecord(id, of: externalID)
      let code = reader.required("product", .productCode)
      let model = reader.required("model", .one(of: License.Model.floating, .named))
      var terms = LicenseTerms(seats: reader.required("seats", .seats))
      reader.patch(&terms)
      return (record, code, model, terms)
    }
    guard let product = try await desk.unit.product(code, locked: false) else {
      throw Problem.invalid("/product", "names no product; make it first")
    }
    let license = try await desk.unit.insert(
      NewLicense(
        record: record, organization: organization.record.key, product: product.record.key, model: model,
        terms: terms))
    try await tell("license.created", Owned(license, of: organization), desk)
    return .resource(license, madeAt: "\(organization.path)/licenses/\(license.record.id)")
  }

  /// Makes the license that has the vendor's own id, or changes what the body says of the one that is there.
  private static func upsert(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in
      let externalID = try exchange.externalID()
      func find() async throws -> License? {
        try await desk.unit.license(externalID: externalID, of: organization.record.key, locked: true)
      }
      if let license = try await find() {
        return try await change(desk, Owned(license, of: organization), isWhole: true)
      }
      // Under a lock, so that two requests make one.
      _ = try await desk.unit.organization(organization.slug, locked: true)
      if let license = try await find() {
        return try await change(desk, Owned(license, of: organization), isWhole: true)
      }
      return try await create(desk, organization, externalID: externalID)
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      var filter = LicenseFilter()
      if let text = exchange.query("product") {
        guard let code = ProductCode(text) else {
          throw Problem.invalid("?product", "must be a product's code")
        }
        filter.product = code
      }
      filter.status = try exchange.query("status", oneOf: .active, .suspended)
      filter.externalID = try exchange.queryText("externalId")
      filter.expiresBefore = try exchange.queryTime("expiresBefore")
      return exchange.list(
        try await desk.unit.licenses(of: organization.record.key, filter, try exchange.page()))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.license) { _, found in .resource(found.resource) }
  }

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.license) { desk, found in try await change(desk, found) }
  }

  /// - Parameter isWhole: the body may say what cannot be changed, as long as it is so.
  private static func change(
    _ desk: Desk, _ found: Owned<License>, isWhole: Bool = false
  ) async throws -> Response {
    let exchange = desk.exchange
    let license = found.resource
    let mayDrain = try drains(exchange)
    let changed = try exchange.body { reader in
      var changed = license
      reader.keep("product", .productCode, license.productCode, isWhole: isWhole)
      reader.keep("model", .one(of: .floating, .named), license.model, isWhole: isWhole)
      reader.replace("seats", .seats, &changed.terms.seats)
      reader.replace("status", .one(of: .active, .suspended), &changed.status)
      reader.patch(&changed.terms)
      reader.patch(&changed.record, isWhole: isWhole)
      return changed
    }
    try exchange.requireMatch(license.record)
    if isWhole, changed == license { return .resource(license) }
    let now = try await desk.unit.now()
    if license.strandsHolders(under: changed.terms, at: now), !mayDrain {
      throw inUse(license, by: license.usage.held + license.usage.dormant)
    }
    let stored = try await desk.unit.update(changed)
    try await tell("license.updated", Owned(stored, of: found.organization), desk)
    return .resource(stored)
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.license) { desk, found in
      try exchange.requireMatch(found.resource.record)
      guard found.resource.isDeletable else {
        throw inUse(found.resource, by: found.resource.usage.held)
      }
      var deleted = found.resource
      deleted.status = .deleted
      let stored = try await desk.unit.update(deleted)
      try await tell("license.deleted", Owned(stored, of: found.organization), desk)
      return .noContent
    }
  }

  private static func drains(_ exchange: Exchange) throws(Problem) -> Bool {
    switch exchange.query("mode") {
    case nil: return false
    case "drain": return true
    case _: throw .invalid("?mode", "can only be “drain”")
    }
  }

  private static func inUse(_ license: License, by held: Int64) -> Problem {
    Problem(
      .seatsInUse, "\(Problem.held(held)) \(ProblemCode.seatsInUse.entry.remedy)",
      extensions: [
        Problem.Extension("seats", .integer(Int64(license.terms.seats))),
        Problem.Extension("held", .integer(held)),
        Problem.Extension("reserved", .integer(license.usage.reserved)),
      ])
  }

  private static func tell(_ event: String, _ owned: Owned<License>, _ desk: Desk) async throws {
    let license = owned.resource
    try await desk.record(
      event, of: owned.organization, license: license.record.key,
      [
        "id": license.record.id.description, "status": license.status.word, "seats": "\(license.terms.seats)",
        "overdraft": "\(license.terms.overdraft)",
      ])
    try await desk.announce(.license(owned.organization.record.key, license.product))
  }
}

extension Finder<Owned<License>> {
  /// What `{license}` names within `{org}`.
  static let license = Finder.owned(LicenseRoutes.find)
}

extension MemberReader {
  /// All terms but `seats`, of a new license or in a PATCH.
  fileprivate mutating func patch(_ terms: inout LicenseTerms) {
    replace("overdraft", .seats, &terms.overdraft)
    patch("overdraftUntil", .instant, &terms.overdraftUntil)
    replace("leaseSeconds", .count(1...2_592_000), &terms.leaseSeconds)
    replace("graceSeconds", .count(0...2_592_000), &terms.graceSeconds)
    patch("startsAt", .instant, &terms.startsAt)
    patch("expiresAt", .instant, &terms.expiresAt)
    replace("features", .features, &terms.features)
    replace("assignment", .one(of: .manual, .firstClaim), &terms.assignment)
    replace("reassignSeconds", .count(0...31_536_000), &terms.reassignSeconds)
    replace("maxBorrowSeconds", .count(0...31_536_000), &terms.maxBorrowSeconds)
    replace("unborrowableSeats", .seats, &terms.unborrowableSeats)
    if !terms.isOrdered { fail("expiresAt", "must be later than startsAt") }
  }
}

extension Shape<Int32> {
  fileprivate static var seats: Shape { .count(0...1_000_000_000) }
}
