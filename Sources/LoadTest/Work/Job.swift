/// All that workers need to know.
struct Job: Sendable {
  let work: Work
  let target: Target
  let product: String
  let identities: [LoadIdentity]
  let workers: Int
  let pace: Pace
  let line: StartingLine
  /// For `enroll`: tokens that may be used as often as there are operations, one after the other.
  let enrollment: EnrollmentSupply?

  let check, claim, release: [UInt8]

  init(
    _ work: Work, target: Target, product: String, identities: [LoadIdentity], workers: Int, pace: Pace,
    enrollment: EnrollmentSupply?
  ) {
    self.work = work
    self.target = target
    self.product = product
    self.identities = identities
    self.workers = workers
    self.pace = pace
    self.enrollment = enrollment
    line = StartingLine(workers)
    func request(_ method: String, _ more: String = "") -> [UInt8] {
      Array("\(method) /v1/seats/\(product) HTTP/1.1\r\nHost: \(target.authority)\r\n\(more)\r\n".utf8)
    }
    check = request("GET")
    claim = request("PUT", "Content-Length: 0\r\n")
    release = request("DELETE", "Content-Length: 0\r\n")
  }
}
