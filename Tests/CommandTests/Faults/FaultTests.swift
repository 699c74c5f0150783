// Every command that writes, with a fault at each of its system calls in turn: what was there stays, and the exit status
// says so; or what was wanted is there, and nothing fails any more.

import FaultInjection
import Foundation
import TestSupport
import Testing

@Suite("Failing system calls", .enabled(if: FaultRun.isPossible))
struct FaultTests {
  /// How many of the errors that a call may have are tried; there are at most four.
  private static let variants = 0..<TestScale.cases(fast: 1, usual: 1, long: 1)

  @Test("a call that fails leaves the old state, or the new one", .slow, arguments: FaultJob.all)
  func errors(job: FaultJob) throws {
    let scene = try FaultScene(job)
    #expect(scene.count > 5)
    for position in 0..<scene.count {
      for variant in Self.variants {
        try check(scene, Fault(kind: fault_error, position: position, variant: variant + position))
      }
    }
  }

  @Test("so does a call that fails from some moment on", .slow, arguments: FaultJob.samples)
  func lastingErrors(job: FaultJob) throws {
    let scene = try FaultScene(job)
    for position in 0..<scene.count {
      for variant in Self.variants {
        try check(scene, Fault(kind: fault_lasting_error, position: position, variant: variant + position))
      }
    }
  }

  @Test("logs of SQLite go with the database that they belong to, or stay beside it", .slow)
  func logs() throws {
    let scene = try FaultScene(.overLogs)
    #expect(scene.after["app.db-wal"] == nil && scene.after["app.db-journal"] == nil)
    for position in 0..<scene.count {
      // What SQLite cannot read back it calls damaged, or another one.
      try check(scene, Fault(kind: fault_error, position: position), orElse: [8, 9])
    }
  }

  @Test("a commit of an encrypted realm for which there is no memory says so and changes nothing", .slow)
  func noMemoryForCommit() throws {
    let scene = try FaultScene(.withoutMemory)
    var hasFailed = false
    for position in 0..<scene.count {
      let result = try scene.run(Fault(kind: fault_error, position: position))
      if result.call == "mmap", result.status != 0 {
        hasFailed = true
        #expect(try scene.differenceFromBefore() == nil, "\(result.description)")
        #expect(!result.errorText.contains("updated"), "\(result.description)")
      } else if result.status == 0 {
        #expect(
          try scene.differenceFromAfter(ignoring: Self.leftovers(result)) == nil, "\(result.description)")
      }
      try scene.restore()
    }
    #expect(hasFailed)
  }

  @Test("where the file of results does not get its name, what was committed is done all the same", .slow)
  func namelessResults() throws {
    let scene = try FaultScene(
      FaultJob(
        arguments: ["a.realm", "-w", "update Dog set age = age + 7", "-o", "out.txt"],
        files: ["zoo.realm": "a.realm"]))
    var isWarned = false
    for position in 0..<scene.count {
      let result = try scene.run(Fault(kind: fault_error, position: position))
      let ignored = Self.leftovers(result).union(["out.txt"])
      if result.status == 0 {
        #expect(try scene.differenceFromAfter(ignoring: ignored) == nil, "\(result.description)")
        if try scene.now["out.txt"] == nil {
          isWarned = true
          #expect(result.errorText.contains("the output is incomplete"), "\(result.description)")
        }
      } else {
        let difference = try scene.differenceFromBefore(ignoring: ignored, meaningOnly: true)
        #expect(difference == nil, "\(result.description)")
      }
      try scene.restore()
    }
    #expect(isWarned)
  }

  @Test("interrupted calls are made again, and short ones go on", .slow, arguments: FaultJob.all)
  func interruptions(job: FaultJob) throws {
    let scene = try FaultScene(job)
    for kind in [fault_interruptions, fault_short_counts] {
      let result = try scene.run(Fault(kind: kind))
      #expect(result.status == 0 && result.isApplied, "\(result.description)")
      #expect(try scene.differenceFromAfter() == nil)
      try scene.restore()
    }
  }

  /// What may come of a call that failed: another failure, or something that is not to be had.
  private static let statuses: Set<Int32> = [1, 6, 10]

  /// Sees to it that a run with the fault told what it did.
  private func check(_ scene: FaultScene, _ fault: Fault, orElse others: Set<Int32> = []) throws {
    let result = try scene.run(fault)
    let note: Comment = "\(fault): \(result.description)"
    var leftovers = Self.leftovers(result)
    // Files of a directory change one after the other.
    if scene.job.arguments.contains("out/"), result.call.hasPrefix("rename") {
      leftovers.insert("out/Dog.csv")
    }
    // What was told is known.
    if result.errorText.contains("warning – cannot") { leftovers.formUnion(Self.companions) }
    if result.status == 0 {
      #expect(try scene.differenceFromAfter(ignoring: leftovers) == nil, note)
    } else {
      let isLasting = fault.kind == fault_lasting_error
      #expect(try scene.differenceFromBefore(ignoring: leftovers, meaningOnly: isLasting) == nil, note)
      #expect(Self.statuses.union(others).contains(result.status), note)
      // Where nothing can be written, nothing can be said.
      #expect(result.errorText.contains("realm-cli: ") || result.call == "write", note)
      #expect(result.status == 10 || !Self.isDiskFull(result), note)
    }
    try scene.restore()
  }

  /// A disk that is full has an exit status of its own.
  private static func isDiskFull(_ result: FaultResult) -> Bool {
    [ENOSPC, EDQUOT].contains(result.code) && ["write", "pwrite", "fallocate", "fsync"].contains(result.call)
  }

  /// What cannot be removed, or looked at before, stays: nobody can do more about it than the next run, which tries again.
  private static func leftovers(_ result: FaultResult) -> Set<String> {
    guard result.call.hasPrefix("unlink") || result.call == "fstatat" else { return [] }
    return [result.path, (result.path as NSString).lastPathComponent, "a.realm.lock", "b.realm.lock"]
  }

  /// What belongs to a realm and is removed after it.
  private static let companions: Set<String> = [
    "a.realm.note", "a.realm.management/", "a.realm.management/control",
  ]
}
