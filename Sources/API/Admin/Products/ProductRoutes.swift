import HTTP
import Issuance
import JSON
import Licensing

/// What the vendor sells: readable by every token.
enum ProductRoutes {
  static let all: [Route] = [
    .admin(.post, "/v1/products", for: .operator, create),
    .list("/v1/products", filters: ["q", "externalId"], list),
    .admin(.get, "/v1/products/{product}", for: .viewer, get),
    .admin(.patch, "/v1/products/{product}", for: .operator, change),
    .admin(.delete, "/v1/products/{product}", for: .operator, delete),
    .admin(.put, "/v1/products/by-external-id/{externalId}", for: .operator, upsert),
  ]

  private static let product = Finder<Product> { exchange, unit, locked in
    guard let code = ProductCode(exchange.parameters["product"]) else { return nil }
    return try await unit.product(code, locked: locked)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.nothing) { desk, _ in try await create(desk) }
  }

  /// - Parameter externalID: what the path says; then the body need not.
  private static func create(_ desk: Desk, externalID: String? = nil) async throws -> Response {
    let id = try desk.services.newID()
    let new = try desk.exchange.body { reader in
      NewProduct(
        record: reader.newRecord(id, of: externalID), code: reader.required("code", .productCode),
        name: reader.required("name", .displayName), features: reader.optional("features", .features) ?? [:]
      )
    }
    let product = try await desk.unit.insert(new)
    try await desk.record("product.created", ["id": id.description])
    return .resource(product, madeAt: product.path)
  }

  private static func upsert(_ exchange: Exchange) async throws -> Response {
    try await exchange.upsert {
      try await exchange.write(.nothing) { desk, _ in
        let externalID = try exchange.externalID()
        var filter = ProductFilter()
        filter.externalID = externalID
        guard let found = try await desk.unit.products(filter, PageRequest(limit: 1)).elements.first,
          let product = try await desk.unit.product(found.code, locked: true)
        else { return try await create(desk, externalID: externalID) }
        return try await change(desk, product, isWhole: true)
      }
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.nothing) { desk, _ in
      var filter = ProductFilter()
      filter.text = try exchange.queryText("q")
      filter.externalID = try exchange.queryText("externalId")
      return exchange.list(try await desk.unit.products(filter, try exchange.page()))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(product) { _, product in .resource(product) }
  }

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(product) { desk, product in try await change(desk, product) }
  }

  /// - Parameter isWhole: the body may say what cannot be changed, as long as it is so.
  private static func change(_ desk: Desk, _ product: Product, isWhole: Bool = false) async throws -> Response
  {
    let changed = try desk.exchange.body { reader in
      var changed = product
      reader.keep("code", .productCode, product.code, isWhole: isWhole)
      reader.replace("name", .displayName, &changed.name)
      reader.replace("features", .features, &changed.features)
      reader.patch(&changed.record, isWhole: isWhole)
      return changed
    }
    try desk.exchange.requireMatch(product.record)
    if isWhole, changed == product { return .resource(product) }
    let stored = try await desk.unit.update(changed)
    try await desk.record("product.updated", ["id": stored.record.id.description])
    try await desk.announce(.product(stored.record.key))
    return .resource(stored)
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(product) { desk, product in
      try exchange.requireMatch(product.record)
      guard try await desk.unit.delete(product.record.key) else { throw Problem(.productInUse) }
      try await desk.record("product.deleted", ["id": product.record.id.description])
      try await desk.announce(.product(product.record.key))
      return .noContent
    }
  }
}
