// Time that only moves forward, to measure how long something took. Layer: Files.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's steady clock.
package enum SystemClock {
  /// Since some moment that stays the same while the system runs.
  package static var milliseconds: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }
}
