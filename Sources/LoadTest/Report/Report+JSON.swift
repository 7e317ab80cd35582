internal import JSON

extension Report {
  /// Everything, for programs: times in nanoseconds, memory in bytes.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("work", plan.work.rawValue)
      writer.member("connections", plan.connections)
      writer.name("rate")
      if let rate = plan.rate { writer.value(rate) } else { writer.null() }
      writer.name("seconds")
      writer.value(length.seconds)
      writer.name("throughput")
      writer.value(throughput)
      writer.name("serverNanosecondsPerOperation")
      if let processorPerOperation { writer.value(processorPerOperation) } else { writer.null() }
      writer.name("serverBytesPerConnection")
      if let memoryPerConnection { writer.value(memoryPerConnection) } else { writer.null() }
      writer.name("operations")
      writer.object { writer in
        for operation in Operation.allCases { write(operation, to: &writer) }
      }
      writer.member("preparationFailures", preparation.failureCount)
      writer.name("timeline")
      writer.array { writer in
        for second in seconds { second.write(to: &writer) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(_ operation: Operation, to writer: inout JSONWriter) {
    let (latencies, failures) = (tally.latencies[operation], tally.failures[operation])
    guard latencies != nil || failures != nil else { return }
    writer.member(
      operation.rawValue,
      object: { writer in
        writer.member("count", latencies?.count ?? 0)
        if let latencies {
          for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)] {
            writer.member(name, latencies.quantile(share))
          }
          writer.member("max", latencies.maximum)
        }
        writer.member(
          "failures",
          object: { writer in
            for (reason, count) in (failures ?? [:]).sorted(by: { $0.key < $1.key }) {
              writer.member(reason, count)
            }
          })
      })
  }
}

extension Report.Second {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("from")
      writer.value(from.seconds)
      writer.name("seconds")
      writer.value(length.seconds)
      writer.member("operations", operations)
      writer.member("failures", failures)
      writer.member("p50", median)
      writer.member("p99", p99)
      writer.member("openConnections", openConnections)
      writer.member("serverNanoseconds", processor)
      writer.member("serverBytes", memory)
      writer.member("serverDescriptors", descriptors.map(Int64.init))
    }
  }
}
