import Fixtures
import Testing

@testable import UsherCommand

@Suite struct CompletionTests {
  private func offered(_ words: String...) async -> [String] {
    let screen = await Screen.after(["completion", "words", "--"] + words)
    return screen.printed.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `what begins like the word is offered, with what it means`() async {
    #expect(await offered("lic") == ["license"])
    #expect(await offered("license", "su") == ["suspend"])
    #expect(await offered("license", "re") == ["resume", "reservations"])
    #expect(await offered("help", "seat", "a") == ["assign"])
    #expect(
      await Screen.after("completion", "words", "--", "lic").printed
        == "license\tRights to seats of a product\n")
  }

  @Test func `every command, resource and verb can be reached`() async {
    let first = await offered("")
    #expect(Set(first).isSuperset(of: Usher.commands.map { $0.name } + Resource.all.map(\.name)))
    for resource in Resource.all { #expect(await offered(resource.name, "") == resource.verbs.map(\.name)) }
  }

  @Test func `options are offered once, unless they may be given again`() async {
    #expect(await offered("license", "create", "--se") == ["--seats"])
    #expect(await offered("license", "create", "--seats", "5", "--se") == [])
    #expect(await offered("license", "create", "--feature", "a", "--fea") == ["--feature"])
    #expect(await offered("dev", "--dem") == ["--demo"])
  }

  @Test func `values are offered where there are few, files where files are meant`() async {
    #expect(await offered("license", "create", "--model", "") == ["floating", "named"])
    #expect(await offered("license", "create", "--model", "n") == ["named"])
    #expect(await offered("authority", "create", "e") == ["external"])
    #expect(await offered("authority", "prove", "id", "") == [":files"])
    #expect(await offered("identity", "create", "--from", "x") == [":files"])
    #expect(await offered("identity", "show", "x", "--").contains("--json"))
  }

  @Test func `profiles are offered by name`() async throws {
    let desk = try AdminDesk([])
    let screen = await desk.run("completion", "words", "--", "whoami", "--profile", "")
    #expect(screen.printed == "default\t\n:files\t\n")
  }

  @Test func `an unknown shell is told which there are`() async {
    #expect(await Screen.after("completion", "fish").errors.contains("SHELL is \"fish\"; allowed: bash, zsh"))
  }
}
