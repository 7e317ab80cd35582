/// Why a load test could not be run: one sentence for the person who started it.
package struct LoadFailure: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
