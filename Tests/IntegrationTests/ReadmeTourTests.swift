import Testing

struct ReadmeTourTests {
  @Test func `the tour of the README holds, line by line`() throws {
    let server = try Installation.shared.get()
    let script = #filePath.replacing("Tests/IntegrationTests/ReadmeTourTests.swift", with: "scripts/tour")
    let tour = try Shell.run(
      "env", ["DATA=\(server.data)", "ADMIN=\(server.admin)", "DEVICE=\(server.device)", script])
    #expect(tour.status == 0, "\(tour.output)\(tour.errors)")
  }
}
