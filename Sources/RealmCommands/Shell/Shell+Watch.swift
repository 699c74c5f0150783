// `.watch [CLASS [PREDICATE]]`: at a prompt a watch goes on while its user types, elsewhere it is waited for.
// Layer: RealmCommands, Shell.

import Arguments
import Rendering

extension Shell {
  func watch(_ words: [Word]) throws {
    let invocation = try permittedOnRealm(.watch, words)
    guard isInteractive, output.isScreen, !invocation.arguments.has(.output) else {
      return try run(.watch, words)
    }
    watching = nil
    let begun = try Watching(invocation)
    try output.write(isPaged: false) { out in try begun.begin(to: &out) }
    guard !begun.hasEnded else { return }
    watching = begun
    self.invocation.note("showing changes; press Ctrl-C to stop")
  }

  /// Writes what came since the last time. A watch that has ended, or cannot go on, is forgotten.
  func writeNews(to out: inout OutputBuffer) throws {
    guard let watching else { return }
    do {
      try watching.takeNews(to: &out)
    } catch {
      self.watching = nil
      throw error
    }
    if watching.hasEnded { self.watching = nil }
  }
}
