// The executable: everything is in RealmCommands. Layer: realm-cli.

import RealmCommands

@main
struct Main {
  static func main() { RealmProgram.main() }
}
