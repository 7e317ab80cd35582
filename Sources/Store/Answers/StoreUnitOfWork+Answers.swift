import Licensing

extension StoreUnitOfWork {
  func hold(_ place: AnswerPlace) async throws(StorageError) -> Bool {
    try await one(HoldAnswerPlace(place: place))
  }

  func answer(at place: AnswerPlace) async throws(StorageError) -> StoredAnswer? {
    try await first(FindAnswer(place: place))
  }

  func keep(_ answer: StoredAnswer, at place: AnswerPlace) async throws(StorageError) {
    _ = try await run(KeepAnswer(answer: answer, place: place))
  }
}
