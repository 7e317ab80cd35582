extension Report {
  /// A page with charts, complete in itself.
  package func html(title: String) -> String {
    let charts = [
      Chart("operations each second", seconds.map(\.rate)),
      Chart("latency, p50, ms", seconds.map { Double($0.median ?? 0) / 1e6 }),
      Chart("latency, p99, ms", seconds.map { Double($0.p99 ?? 0) / 1e6 }),
      Chart("failures each second", seconds.map { Double($0.failures) }),
      Chart(
        "server CPU, share of one processor",
        seconds.compactMap { second in
          second.processor.map { Double($0) / max(1, second.length.seconds * 1e9) }
        }),
      Chart("server memory, MB", seconds.compactMap { $0.memory.map { Double($0) / 1e6 } }),
      Chart("server descriptors", seconds.compactMap { $0.descriptors.map(Double.init) }),
    ]
    let drawn = charts.filter { $0.values.count > 1 }.map { $0.svg(seconds: length.seconds) }
    return """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
      pre { overflow-x: auto; background: #f6f6f4; padding: 1rem; border-radius: 4px }
      figure { margin: 2rem 0 } figcaption { font-weight: 600 }
      svg { width: 100%; height: auto; background: #fafaf8 } text { font-size: 11px; fill: #666 }
      polyline { fill: none; stroke: #1f6f8b; stroke-width: 1.5 } line { stroke: #ddd }
      </style>
      <h1>\(Self.escaped(title))</h1>
      <pre>\(Self.escaped(text))</pre>
      \(drawn.joined(separator: "\n"))
      </html>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}

/// A line over time.
private struct Chart {
  let caption: String
  let values: [Double]

  private static let (width, height, margin) = (900.0, 180.0, 44.0)

  init(_ caption: String, _ values: [Double]) {
    self.caption = caption
    self.values = values
  }

  func svg(seconds: Double) -> String {
    let top = max(values.max() ?? 0, 1e-9)
    let step = (Self.width - Self.margin) / Double(max(1, values.count - 1))
    let points = values.enumerated().map { index, value in
      let x = Self.margin + Double(index) * step
      let y = Self.height - 20 - (Self.height - 40) * value / top
      return "\(Figure.decimal(x)),\(Figure.decimal(y))"
    }
    let lines = [0.0, 0.5, 1.0].map { share in
      let y = Self.height - 20 - (Self.height - 40) * share
      return """
        <line x1="\(Self.margin)" x2="\(Self.width)" y1="\(y)" y2="\(y)"/>\
        <text x="0" y="\(y + 4)">\(Figure.count(top * share))</text>
        """
    }
    return """
      <figure><figcaption>\(caption)</figcaption>
      <svg viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-label="\(caption)">\(lines.joined())
      <polyline points="\(points.joined(separator: " "))"/>
      <text x="\(Self.width - 60)" y="\(Self.height - 4)">\(Figure.decimal(seconds)) s</text></svg></figure>
      """
  }
}
