// A run of bytes in the file. Layer: Storage.

/// A run of bytes in the file.
package struct Extent: Sendable, Hashable {
  package let offset: Int
  package let size: Int

  package init(offset: Int, size: Int) {
    self.offset = offset
    self.size = size
  }

  package var end: Int { offset + size }
}
