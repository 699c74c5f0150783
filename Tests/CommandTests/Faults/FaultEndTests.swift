// Every command that writes, ended at each of its system calls in turn: by a signal that it may answer, by one that it
// may not, and by having no memory left.

import FaultInjection
import Foundation
import TestSupport
import Testing

@Suite("Ends at every system call", .enabled(if: FaultRun.isPossible))
struct FaultEndTests {
  @Test("a signal leaves the old state, or the work is done", .slow, arguments: FaultJob.samples)
  func signals(job: FaultJob) throws {
    let scene = try FaultScene(job)
    for position in 0..<scene.count {
      let result = try scene.run(Fault(kind: fault_signal, position: position, variant: Int(SIGTERM)))
      let note: Comment = "\(position): \(result.description)"
      if result.status == 0 {
        expectNone(try scene.differenceFromAfter(), note)
      } else {
        #expect(result.status == 128 + SIGTERM, note)
        expectNone(try scene.differenceFromBefore(), note)
      }
      try scene.restore()
    }
  }

  @Test(
    "a killed run leaves old data or new data, and the next one clears up", .slow,
    arguments: FaultJob.samples)
  func kills(job: FaultJob) throws {
    let scene = try FaultScene(job)
    for position in 0..<scene.count {
      try check(scene, Fault(kind: fault_signal, position: position, variant: Int(SIGKILL)))
    }
  }

  /// The language ends a program that gets no memory for a value.
  @Test("so does a run without memory", .slow, arguments: FaultJob.samples)
  func noMemory(job: FaultJob) throws {
    let scene = try FaultScene(job)
    let count = try scene.run(Fault(kind: fault_no_memory, position: Int(Int32.max))).count
    try scene.restore()
    for position in 0..<count { try check(scene, Fault(kind: fault_no_memory, position: position)) }
  }

  /// Says what the difference is: an optimised test tells no values.
  private func expectNone(_ difference: String?, _ note: Comment) {
    #expect(difference == nil, "\(difference ?? "") – \(note)")
  }

  private func check(_ scene: FaultScene, _ fault: Fault) throws {
    let result = try scene.run(fault)
    let note: Comment = "\(fault): \(result.description)"
    let isOld = try scene.hasData(of: scene.before)
    let isNew = try scene.hasData(of: scene.after)
    #expect(isOld || isNew, note)
    #expect(result.status != 0 || isNew, note)
    // A clean failure tells of the old state.
    #expect(!(1..<128).contains(result.status) || isOld, note)
    if isOld, !isNew {
      let again = try scene.run(Fault(kind: fault_none))
      #expect(again.status == 0, "after \(fault): \(again.description)")
      expectNone(try scene.differenceFromAfter(), note)
    }
    try scene.restore()
  }
}
