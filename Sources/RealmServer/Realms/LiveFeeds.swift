// Pages that are told of new versions. Layer: RealmServer, Realms.
// A thread for each realm waits for commits while a page listens, and for its first listener otherwise not at all.

import ByteText
import CServer
import RealmEngine
import RealmSession

/// Everybody who listens, and what they are told.
final class LiveFeeds: Sendable {
  private let realms: [ServedRealm]
  private let isJoining: Bool
  private let listeners = Exclusive<[WebRequest]>([])
  private let isWatching = Exclusive<Set<Int>>([])

  /// A watch without listeners ends after so long at most.
  private static let lookMilliseconds = 10_000

  init(_ realms: [ServedRealm], joining: Bool) {
    self.realms = realms
    isJoining = joining
  }

  /// From now on the page is told of commits.
  func add(_ listener: WebRequest) {
    listener.begin(WebAnswer(type: "text/event-stream"), isFeed: true)
    _ = listener.send(Array("retry: 1000\n\n".utf8).span)
    listeners.lend { $0.append(listener) }
    for realm in realms where isWatching.lend({ $0.insert(realm.index).inserted }) {
      let errand = ParallelWork.begin { [self] in
        watch(realm)
        isWatching.lend { _ = $0.remove(realm.index) }
      }
      if errand == nil { isWatching.lend { _ = $0.remove(realm.index) } }
    }
  }

  private func watch(_ realm: ServedRealm) {
    guard let source = try? realm.host.source(realm.index),
      let watch = try? RealmWatch(source.path, key: source.key, joining: isJoining, comparing: false)
    else { return }
    var version = watch.current.dataVersion
    while !listeners.lend({ $0.isEmpty }) {
      do {
        let deadline = SystemClock.milliseconds + Self.lookMilliseconds
        guard let step = try watch.next(until: deadline) else {
          // A page that has gone is noticed when it is told something.
          tell(": still here\n\n")
          web_memory_return()
          continue
        }
        version = step.new.dataVersion
        tell("data: {\"realm\":\(realm.index),\"version\":\(version)}\n\n")
      } catch {
        // The file may be in the middle of being replaced.
        tell("data: {\"realm\":\(realm.index),\"version\":\(version)}\n\n")
        return
      }
    }
  }

  private func tell(_ text: String) {
    let bytes = Array(text.utf8)
    listeners.lend { listeners in
      listeners.removeAll { listener in
        if listener.send(bytes.span) { return false }
        listener.end()
        return true
      }
    }
  }
}
