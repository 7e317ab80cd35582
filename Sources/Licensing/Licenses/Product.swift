/// Something the vendor sells: client apps name it by code.
public struct Product: Sendable, Equatable {
  public var record: Record<Product>
  public let code: ProductCode
  public var name: String
  public var features: Features

  public init(record: Record<Product>, code: ProductCode, name: String, features: Features) {
    self.record = record
    self.code = code
    self.name = name
    self.features = features
  }
}

public struct NewProduct: Sendable {
  public var record: NewRecord
  public var code: ProductCode
  public var name: String
  public var features: Features

  public init(record: NewRecord, code: ProductCode, name: String, features: Features = [:]) {
    self.record = record
    self.code = code
    self.name = name
    self.features = features
  }
}

public protocol ProductRepository: Sendable {
  func product(_ code: ProductCode, locked: Bool) async throws(StorageError) -> Product?
  func products(_ filter: ProductFilter, _ page: PageRequest) async throws(StorageError) -> Page<Product>
  func insert(_ new: NewProduct) async throws(StorageError) -> Product
  func update(_ product: Product) async throws(StorageError) -> Product
  /// False, and nothing done, while any license (ended ones too) is of this product.
  func delete(_ product: Key<Product>) async throws(StorageError) -> Bool
}
