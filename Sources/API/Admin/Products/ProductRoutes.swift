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
  ]

  private static let product = Finder<Product> { exchange, unit, locked in
    guard let code = ProductCode(exchange.parameters["product"]) else { return nil }
    return try await unit.product(code, locked: locked)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.nothing) { desk, _ in
      let id = try exchange.services.newID()
      let new = try exchange.body { reader in
        NewProduct(
          record: reader.newRecord(id), code: reader.required("code", .productCode),
          name: reader.required("name", .displayName), features: reader.optional("features", .features) ?? [:]
        )
      }
      let product = try await desk.unit.insert(new)
      try await desk.record("product.created", ["id": id.description])
      return .resource(product, madeAt: product.path)
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
    try await exchange.write(product) { desk, product in
      let changed = try exchange.body { reader in
        var changed = product
        reader.refuse("code")
        reader.replace("name", .displayName, &changed.name)
        reader.replace("features", .features, &changed.features)
        reader.patch(&changed.record)
        return changed
      }
      try exchange.requireMatch(product.record)
      let stored = try await desk.unit.update(changed)
      try await desk.record("product.updated", ["id": stored.record.id.description])
      try await desk.announce(.product(stored.record.key))
      return .resource(stored)
    }
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
