// Waiting for locks in tests.

/// How long a test that opens a realm again waits for its lock, in milliseconds. A process that another test is starting at
/// that moment has inherited the descriptor of the lock and holds it until its own program begins.
package let lockPatience = 10_000
