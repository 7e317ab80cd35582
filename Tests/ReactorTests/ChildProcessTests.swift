import Glibc
import Reactor
import Testing

@Suite final class ChildProcessTests {
  private let group: EventLoopGroup
  private var loop: EventLoop { group.loops[0] }

  init() throws { group = try EventLoopGroup(count: 1, name: "child") }
  deinit { group.shutdown() }

  @Test(arguments: [
    ("exit 0", ChildProcess.ExitStatus.exited(0)), ("exit 7", .exited(7)), ("kill -9 $$", .signaled(9)),
  ])
  func `how a child ended is known`(script: String, status: ChildProcess.ExitStatus) async throws {
    let child = try await ChildProcess.spawn(.init("sh", ["-c", script]), on: loop)
    #expect(await child.waitForExit() == status)
    #expect(child.exitStatus == status)
    #expect(try child.signal(15) == false)
  }

  @Test func `what a program says is collected, errors too`() async throws {
    let command = ChildProcess.Command(
      "sh", ["-c", "pwd; echo $WORD; echo late >&2"],
      environment: ["WORD": "mellon", "PATH": "/usr/bin:/bin"],
      workingDirectory: "/")
    let completed = try await ChildProcess.run(command, on: loop)
    #expect(completed.status.isSuccess)
    #expect(String(decoding: completed.output, as: UTF8.self) == "/\nmellon\nlate\n")
  }

  @Test func `as many processors are ours as a child of ours may use`() async throws {
    let all = try await ChildProcess.run(.init("nproc", []), on: loop)
    #expect(String(decoding: all.output, as: UTF8.self) == "\(EventLoopGroup.usableProcessors)\n")
  }

  @Test func `more than a megabyte of output neither blocks the child nor fills memory`() async throws {
    let completed = try await ChildProcess.run(.init("head", ["-c", "3000000", "/dev/zero"]), on: loop)
    #expect(completed.status.isSuccess)
    #expect(completed.output.count == 1 << 20)
  }

  @Test func `a program that is not there is an error that names it`() async throws {
    let error = await #expect(throws: SystemError.self) {
      try await ChildProcess.spawn(.init("/nonexistent/program"), on: loop)
    }
    #expect(error?.description == "spawn /nonexistent/program: No such file or directory")
  }

  @Test func `a child is waited for only so long, then ended by a signal`() async throws {
    let child = try await ChildProcess.spawn(.init("sleep", ["600"], output: .discard), on: loop)
    #expect(await child.waitForExit(within: .milliseconds(20)) == nil)
    #expect(try child.signal(15))
    #expect(await child.waitForExit(within: .seconds(60)) == .signaled(15))
  }

  @Test func `a child has its own process group and no blocked or ignored signals`() async throws {
    ProcessSignals.ignoreBrokenPipes()
    let script = "cut -d' ' -f1,5 /proc/$$/stat; grep -E 'Sig(Blk|Ign)' /proc/$$/status | cut -f2"
    let completed = try await ChildProcess.run(.init("sh", ["-c", script]), on: loop)
    let lines = String(decoding: completed.output, as: UTF8.self).split(separator: "\n")
    let ids = lines[0].split(separator: " ")
    #expect(ids.first == ids.last)
    // Above 31 are the C library's own.
    #expect(lines.dropFirst().map { UInt64($0, radix: 16)! & 0x7FFF_FFFF } == [0, 0])
  }

  @Test func `a child gets none of our descriptors`() async throws {
    let stray = dup(2)
    defer { close(stray) }
    let completed = try await ChildProcess.run(.init("ls", ["/proc/self/fd"]), on: loop)
    // The last is the folder that ls reads.
    #expect(String(decoding: completed.output, as: UTF8.self) == "0\n1\n2\n3\n")
  }

  @Test func `a process of somebody else can be watched and ended`() async throws {
    let started = try await ChildProcess.run(
      .init("sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"]), on: loop)
    let text = String(decoding: started.output, as: UTF8.self).split(separator: "\n")
    let adopted = try await ChildProcess.adopt(#require(text.first.flatMap { Int32($0) }), on: loop)
    #expect(adopted.exitStatus == nil)
    #expect(try adopted.signal(9))
    #expect(await adopted.waitForExit() == .unknown)
  }
}
