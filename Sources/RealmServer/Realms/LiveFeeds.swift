// Pages that are told of new versions. Layer: RealmServer, Realms.
// A thread for each realm waits for commits while a page listens, and for its first listener otherwise not at all.

import ByteText
import CServer
import RealmEngine
import RealmSession
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Everybody who listens, and what they are told.
final class LiveFeeds: Sendable {
  private let realms: [ServedRealm]
  private let isJoining: Bool
  private let listeners = Exclusive<[WebRequest]>([])
  private let watches = Exclusive<[Int: Watch]>([:])

  /// What waits for the commits of a realm.
  private struct Watch {
    var isRunning = true
    let errand: ParallelWork.Errand
  }

  /// A watch without listeners ends after so long at most.
  private static let lookMilliseconds = 10_000
  /// How long a file that cannot be read is left alone.
  private static let pauseMicroseconds: UInt32 = 5_000_000

  init(_ realms: [ServedRealm], joining: Bool) {
    self.realms = realms
    isJoining = joining
  }

  /// From now on the page is told of commits.
  func add(_ listener: WebRequest) {
    listener.begin(WebAnswer(type: "text/event-stream"), isFeed: true)
    _ = listener.send(Array("retry: 1000\n\n".utf8).span)
    listeners.lend { $0.append(listener) }
    for realm in realms {
      watches.lend { watches in
        if watches[realm.index]?.isRunning ?? false { return }
        // It has ended: its thread is free for others.
        watches.removeValue(forKey: realm.index)?.errand.wait()
        // It outlives the request that it begins with.
        let errand = Interruption.working(on: 0) { ParallelWork.begin { [self] in watch(realm) } }
        watches[realm.index] = errand.map { Watch(errand: $0) }
      }
    }
  }

  private func watch(_ realm: ServedRealm) {
    var isAgain = false
    repeat {
      watch(realm, isAgain)
      isAgain = true
      dismissLeavers()
    } while goesOn(realm)
  }

  /// Whether somebody listens still; if not, the watch is over.
  private func goesOn(_ realm: ServedRealm) -> Bool {
    let isHeard = watches.lend { watches in
      let isHeard = listeners.lend { !$0.isEmpty }
      watches[realm.index]?.isRunning = isHeard
      return isHeard
    }
    if isHeard { usleep(Self.pauseMicroseconds) }
    return isHeard
  }

  /// `isAgain`: versions may have been missed.
  private func watch(_ realm: ServedRealm, _ isAgain: Bool) {
    let watch: RealmWatch
    do {
      let source = try realm.host.source(realm.index)
      watch = try RealmWatch(source.path, key: source.key, joining: isJoining, comparing: false)
    } catch {
      return tell(realm, realm.host.problem(error, realm.index).document)
    }
    var version = watch.current.dataVersion
    func tellVersion() { tell(realm, .mapping([.number("version", version)])) }
    if isAgain { tellVersion() }
    while !listeners.lend({ $0.isEmpty }) {
      do {
        let deadline = SystemClock.milliseconds + Self.lookMilliseconds
        guard let step = try watch.next(until: deadline) else {
          dismissLeavers()
          web_memory_return()
          continue
        }
        version = step.new.dataVersion
        tellVersion()
      } catch {
        // The file may be in the middle of being replaced.
        return tellVersion()
      }
    }
  }

  /// A page that has gone is noticed when it is told something.
  private func dismissLeavers() { tell(": still here\n\n") }

  /// What is new of a realm: its version, or why it cannot be read.
  private func tell(_ realm: ServedRealm, _ news: DocumentNode) {
    var text = ByteBuffer()
    let entries = [DocumentEntry.number("realm", realm.index)] + (news.entries ?? [])
    text.append(json: .mapping(entries))
    tell("data: \(text.text)\n\n")
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
