import Licensing

extension StoreUnitOfWork {
  func product(_ code: ProductCode, locked: Bool) async throws(StorageError) -> Product? {
    if locked { _ = try await run(LockProduct(code: code)) }
    return try await first(FindProduct(code: code))
  }

  func products(
    _ filter: ProductFilter, _ page: PageRequest
  ) async throws(StorageError) -> Page<Product> {
    try await self.page(ListProducts(filter: filter, page: page), page) { $0.record.key.rawValue }
  }

  func insert(_ new: NewProduct) async throws(StorageError) -> Product {
    try await one(InsertProduct(new: new))
  }

  func update(_ product: Product) async throws(StorageError) -> Product {
    try await one(UpdateProduct(product: product))
  }

  func delete(_ product: Key<Product>) async throws(StorageError) -> Bool {
    try await first(DeleteProduct(product: product)) != nil
  }
}
