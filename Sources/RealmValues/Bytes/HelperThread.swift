// A thread that does one job after another and sleeps in between. Layer: Bytes; the only file that makes threads.
// Invariants: `job` and `isBusy` are only touched under the lock. Either the thread waits, for a job, or its owner
// does, for the job's end: never both, so that one condition serves both. Threads end with the process, or when they have no owner
// any more.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One owner at a time gives it work.
@safe final class HelperThread: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var job: (() -> Void)?
  private var isBusy = false
  private var hasOwner = true

  /// Nil: the system has no thread left.
  init?() {
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(change, nil)
    guard start() else { return nil }
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(lock)
    unsafe change.deallocate()
    unsafe lock.deallocate()
  }

  private func start() -> Bool {
    // Signals are for the thread that waits for the user, but a fault is for the thread that commits it: where it is
    // blocked, the system ends the process without a word.
    var blocked = sigset_t()
    var former = sigset_t()
    unsafe sigfillset(&blocked)
    for fault in [SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { unsafe sigdelset(&blocked, fault) }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let owned = unsafe Unmanaged.passRetained(self)
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          let opaque = unsafe argument
        #else
          guard let opaque = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<HelperThread>.fromOpaque(opaque).takeRetainedValue().serve()
        return nil
      }, owned.toOpaque())
    if status != 0 {
      unsafe owned.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  private func serve() {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while hasOwner || job != nil {
      guard var running = job else {
        unsafe pthread_cond_wait(change, lock)
        continue
      }
      job = nil
      isBusy = true
      unsafe pthread_mutex_unlock(lock)
      running()
      // What the job holds is given up before its end is told.
      running = {}
      unsafe pthread_mutex_lock(lock)
      isBusy = false
      unsafe pthread_cond_signal(change)
    }
  }

  /// Starts `job`. The one before must have ended.
  func begin(_ job: @escaping @Sendable () -> Void) {
    unsafe pthread_mutex_lock(lock)
    self.job = job
    unsafe pthread_cond_signal(change)
    unsafe pthread_mutex_unlock(lock)
  }

  /// Says that no job will follow the one that was begun.
  func leave() {
    unsafe pthread_mutex_lock(lock)
    hasOwner = false
    unsafe pthread_cond_signal(change)
    unsafe pthread_mutex_unlock(lock)
  }

  /// Waits for the end of what was begun.
  func waitForEnd() {
    unsafe pthread_mutex_lock(lock)
    while job != nil || isBusy { unsafe pthread_cond_wait(change, lock) }
    unsafe pthread_mutex_unlock(lock)
  }
}
