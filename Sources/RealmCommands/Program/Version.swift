// The program's own version. Layer: RealmCommands, Program.

/// What `--version` prints behind the name; CHANGELOG.md says what each one brought.
package let programVersion = "0.1.0"
