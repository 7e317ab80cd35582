import Testing

struct CommandLineTourTests {
  @Test func `the tour of the command line holds, line by line, in a terminal`() throws {
    let server = try Installation.shared.get()
    let root = #filePath.replacing("Tests/IntegrationTests/CommandLineTourTests.swift", with: "")
    let programs = Installation.usher.dropLast("/usher".count)
    let tour = try Shell.run(
      "env",
      [
        "PATH=\(programs):/usr/local/bin:/usr/bin:/bin", "DATA=\(server.data)", "ADMIN=\(server.admin)",
        root + "scripts/terminal", root + "scripts/tour", root + "docs/command-line.md",
      ])
    #expect(tour.status == 0 && tour.output.contains("The tour holds."), "\(tour.output)\(tour.errors)")
  }
}
