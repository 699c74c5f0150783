// The page's files as answers. Layer: RealmServer, Transport.

import CPage

extension WebAnswer {
  /// Nil where the page has no file at this path.
  static func page(_ path: String) -> WebAnswer? {
    // A path with a zero byte would be a shorter one in C.
    guard !path.utf8.contains(0), let file = unsafe page_file_at(path)?.pointee else { return nil }
    return unsafe WebAnswer(
      type: String(cString: file.type),
      body: [UInt8](UnsafeBufferPointer(start: file.content, count: file.size)))
  }
}
