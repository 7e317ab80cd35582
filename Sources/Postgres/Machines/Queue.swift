/// First in, first out, both ends in constant time.
struct Queue<Element>: Sequence {
  private var storage: [Element?] = []
  private var head = 0

  init() {}

  var isEmpty: Bool { head == storage.count }
  var first: Element? { isEmpty ? nil : storage[head] }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = storage[head].take()
    head += 1
    if isEmpty {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  func makeIterator() -> some IteratorProtocol<Element> {
    storage[head...].lazy.compactMap { $0 }.makeIterator()
  }
}
