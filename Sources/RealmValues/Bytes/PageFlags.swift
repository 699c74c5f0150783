// One byte a page that says whether the page holds its content. Layer: Bytes.
// Invariant: a set flag was published after the page's content, so whoever sees it may read the page.

import CPlatform

/// Flags that threads read without a lock and set under one.
@safe package final class PageFlags: @unchecked Sendable {
  private let flags: UnsafeMutablePointer<UInt8>
  private let count: Int

  package init(count: Int) {
    self.count = count
    unsafe flags = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    unsafe flags.initialize(repeating: 0, count: max(count, 1))
  }

  deinit { unsafe flags.deallocate() }

  package func isSet(_ index: Int) -> Bool {
    precondition(index >= 0 && index < count)
    return unsafe platform_load_flag(flags + index) != 0
  }

  package func set(_ index: Int) {
    precondition(index >= 0 && index < count)
    unsafe platform_publish_flag(flags + index, 1)
  }

  /// Takes flags back. Nobody may rely on them any more.
  package func clear(_ indexes: Range<Int>) {
    precondition(indexes.lowerBound >= 0 && indexes.upperBound <= count)
    for index in indexes { unsafe platform_publish_flag(flags + index, 0) }
  }
}
