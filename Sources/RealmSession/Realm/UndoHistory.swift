// What a session has changed, in order, so that it can be undone and done again. Layer: RealmSession, Realm.
// Invariant: what was undone is forgotten by the next change; of old changes only so many are kept.

import RealmEngine

/// The changes of a session.
package struct UndoHistory {
  package enum Direction: String {
    case undo, redo
  }

  enum Change {
    case effect(TransactionEffect)
    /// It cannot be undone, and so nothing before it.
    case fixed(reason: String)
  }

  private var done: [Change] = []
  private var undone: [TransactionEffect] = []

  private static let countMax = 100

  package var canUndo: Bool { if case .effect = done.last { true } else { false } }
  package var canRedo: Bool { !undone.isEmpty }

  mutating func add(_ change: Change) {
    if case .effect(let effect) = change, effect.isEmpty { return }
    undone = []
    if case .fixed = change { done = [] }
    if done.count == Self.countMax { done.removeFirst() }
    done.append(change)
  }

  /// What leads to the state before, or after it; nil where there is none.
  func next(_ direction: Direction) throws(SessionError) -> TransactionEffect? {
    switch (direction, done.last) {
    case (.redo, _): return undone.last
    case (.undo, nil): return nil
    case (.undo, .effect(let effect)): return effect.reversed
    case (.undo, .fixed(let reason)):
      throw SessionError(
        .refused(EngineError(.refused, "the last change cannot be undone: \(reason)")))
    }
  }

  /// The step was made.
  mutating func move(_ direction: Direction) {
    switch direction {
    case .undo: if case .effect(let effect) = done.popLast() { undone.append(effect) }
    case .redo: if let effect = undone.popLast() { done.append(.effect(effect)) }
    }
  }

  static func nothing(_ direction: Direction) -> SessionError {
    SessionError(
      .statement(
        code: "nothing-to-\(direction.rawValue)",
        message: direction == .undo
          ? "there is nothing to undo" : "there is nothing to redo"))
  }

  /// Says what could not be undone.
  static func refusal(_ direction: Direction, _ error: any Error) -> any Error {
    guard let error = error as? EngineError, [.refused, .constraint].contains(error.kind) else {
      return error
    }
    let what = direction == .undo ? "the last change cannot be undone" : "it cannot be redone"
    return SessionError(
      .refused(EngineError(.refused, "\(what): \(error.message)", naming: error.file, hint: error.hint)))
  }
}
