// The commands of a session, in the order of `.help`. Layer: RealmCommands, Shell, Dot.

extension DotCommand {
  /// Help, completion and the manual are made from this.
  static let all = realm + objects + results + tools + session
}
