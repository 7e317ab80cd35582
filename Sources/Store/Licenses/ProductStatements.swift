import Licensing
import Postgres

/// A statement whose rows are products: record, code, name, features.
protocol ProductStatement: Statement where Row == Product {}

extension ProductStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Product {
    Product(
      record: try columns.record(), code: try columns.parsed(7, ProductCode.init),
      name: try columns.string(8),
      features: try columns.features(9))
  }
}

struct FindProduct: ProductStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, code, name, features
    FROM product WHERE code = $1
    """
  let code: ProductCode
  func bind(_ parameters: inout Parameters) { parameters.append(code.description) }
}

struct LockProduct: Statement {
  static let sql: StaticString = "SELECT FROM product WHERE code = $1 FOR UPDATE"
  let code: ProductCode
  func bind(_ parameters: inout Parameters) { parameters.append(code.description) }
}

struct ListProducts: ProductStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, code, name, features
    FROM product
    WHERE id > $1 AND ($3 IS NULL OR strpos(lower(concat_ws(E'\\n', code, name, external_id)), lower($3)) > 0)
      AND ($4 IS NULL OR external_id = $4)
    ORDER BY id LIMIT $2
    """
  let filter: ProductFilter
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(page)
    parameters.append(filter.text)
    parameters.append(filter.externalID)
  }
}

struct InsertProduct: ProductStatement {
  static let sql: StaticString = """
    INSERT INTO product (public_id, external_id, metadata, code, name, features) VALUES ($1, $2, $3, $4, $5, $6)
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, code, name, features
    """
  let new: NewProduct
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.code.description)
    parameters.append(new.name)
    parameters.append(new.features)
  }
}

struct UpdateProduct: ProductStatement {
  static let sql: StaticString = """
    UPDATE product SET external_id = $2, metadata = $3, name = $4, features = $5 WHERE id = $1
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, code, name, features
    """
  let product: Product
  func bind(_ parameters: inout Parameters) {
    parameters.append(product.record.key)
    parameters.append(product.record.externalID)
    parameters.append(product.record.metadata)
    parameters.append(product.name)
    parameters.append(product.features)
  }
}

/// No row when a license is of the product.
struct DeleteProduct: Statement {
  static let sql: StaticString = """
    DELETE FROM product p WHERE p.id = $1 AND NOT EXISTS (SELECT FROM license l WHERE l.product_id = p.id)
    RETURNING p.id
    """
  let product: Key<Product>
  func bind(_ parameters: inout Parameters) { parameters.append(product) }
}

struct FindProductKey: Statement {
  static let sql: StaticString = "SELECT id FROM product WHERE code = $1"
  let code: ProductCode
  func bind(_ parameters: inout Parameters) { parameters.append(code.description) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<Product> { try columns.key(0) }
}
