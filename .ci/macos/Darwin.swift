// What Swift's module Darwin adds to the headers of macOS, declared as there, for .ci/macos/check alone. Nothing here is run.

@_exported import DarwinHeaders

/// Stands for every result.
private func absent() -> Never { fatalError() }

public var errno: Int32 {
  get { absent() }
  set { absent() }
}
public var MAP_FAILED: UnsafeMutableRawPointer! { absent() }
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { absent() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { absent() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { absent() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { absent() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { absent() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { absent() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { absent() }
public func ioctl(_ fd: CInt, _ request: UInt, _ value: CInt) -> CInt { absent() }
public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt { absent() }
public func ioctl(_ fd: CInt, _ request: UInt) -> CInt { absent() }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
