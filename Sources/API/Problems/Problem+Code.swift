public import HTTP

extension Problem {
  /// A problem of the catalogue; without a detail of its own it carries the catalogue's meaning and remedy.
  public init(
    _ code: ProblemCode, _ detail: String? = nil, errors: [FieldError] = [], extensions: [Extension] = [],
    headers: [HeaderField] = [], contactURL: String? = nil
  ) {
    let entry = code.entry
    self.init(
      code.rawValue, status: entry.status, title: entry.title,
      detail: detail ?? "\(entry.meaning) \(entry.remedy)", errors: errors, extensions: extensions,
      headers: headers, contactURL: contactURL)
  }

  /// 422 `invalid` for one place of the request: a JSON pointer into the body, or `?name` for a query parameter.
  public static func invalid(_ pointer: String, _ detail: String) -> Problem {
    Problem(.invalid, "\(pointer) \(detail).", errors: [FieldError(pointer: pointer, detail: detail)])
  }
}

extension Problem {
  /// How many seats are held, as a sentence.
  static func held(_ seats: Int64) -> String { seats == 1 ? "One seat is held." : "\(seats) seats are held." }
}
