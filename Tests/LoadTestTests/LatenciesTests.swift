import Testing

@testable import LoadTest

@Suite struct LatenciesTests {
  @Test func `a quantile is within two hundredths of the true one`() {
    var latencies = Latencies()
    for value in 1...100_000 as ClosedRange<Int64> { latencies.add(value * 1000) }
    #expect(latencies.count == 100_000 && latencies.maximum == 100_000_000)
    for share in [0.001, 0.5, 0.9, 0.99, 0.999] {
      let (found, wanted) = (Double(latencies.quantile(share) ?? 0), share * 100_000_000)
      #expect(found >= wanted && found <= wanted * 1.02, "\(share): \(found)")
    }
    #expect(latencies.quantile(1) == 100_000_000)
  }

  @Test(arguments: [0, 1, 63, 64, 127, 128, 1_000_000_000_000, .max] as [Int64])
  func `one value is all of its quantiles`(value: Int64) {
    var latencies = Latencies()
    latencies.add(value)
    #expect(
      latencies.quantile(0.5).map { $0 <= value && Double($0) >= Double(value) * 0.98 } == (value < 1 << 45))
    #expect(latencies.maximum == value)
  }

  @Test func `nothing has no quantile, and adds nothing`() {
    var latencies = Latencies()
    #expect(latencies.quantile(0.5) == nil)
    var other = Latencies()
    other.add(7)
    latencies.add(other)
    latencies.add(Latencies())
    #expect(latencies.count == 1 && latencies.quantile(0.5) == 7)
  }
}
