// Time that only moves forward, to measure how long something took, and the date. Layer: RealmFiles.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's clocks.
package enum SystemClock {
  /// Since some moment that stays the same while the system runs.
  package static var milliseconds: Int { nanoseconds / 1_000_000 }

  /// The same, finer.
  package static var nanoseconds: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// The date and time of day.
  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }
}
