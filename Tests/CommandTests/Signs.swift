// What tests wait for instead of sleeping for as long as something takes on one machine: signs of where a process is.

import Foundation

/// Looks again and again until it is so. False: it never was, in a time that nobody needs for what takes milliseconds.
func awaited(_ isSo: () throws -> Bool) rethrows -> Bool {
  let end = Date().addingTimeInterval(120)
  while try !isSo() {
    guard Date() < end else { return false }
    usleep(2000)
  }
  return true
}

extension Process {
  /// Whether it waits for a lock, which it tries again and again: it has slept too often for anything else.
  var waitsForLock: Bool {
    let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0 >= 30
  }
}
