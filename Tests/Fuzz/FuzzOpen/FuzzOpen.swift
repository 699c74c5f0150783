// Gives arbitrary bytes to the reading side: open, dump to nowhere, describe, ask, check. A crash, a hang or a
// thirst for memory is a finding; being refused is not.

import MutationSupport

@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOpen(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  _ = Exercise.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
