// Imports arbitrary bytes as objects in JSON and JSON Lines. A crash, a hang, a thirst for memory, a damaged realm, or another result row by
// row than at once is a finding; being refused is not.

import MutationSupport

@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzObjects(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var exercise = ImportExercise()
  let source = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    if let fault = try exercise.run(source, endings: ["", ".json", ".jsonl", ".json"]) {
      preconditionFailure("the source \(fault)")
    }
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}
