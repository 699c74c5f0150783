// Objects that are used row by row. Layer: Kernels.
// Invariant: the array keeps each object alive for as long as it is lent.

/// An array whose objects are lent without counting references to them: that costs more than to append a number to one.
@safe struct LentObjects<Object: AnyObject & Sendable>: Sendable {
  private let objects: [Object]
  private let references: [Unmanaged<Object>]

  init(_ objects: [Object]) {
    self.objects = objects
    unsafe references = objects.map { unsafe Unmanaged.passUnretained($0) }
  }

  /// Lends the object at `index`.
  @inline(__always)
  func with(_ index: Int, _ body: (Object) throws(EngineError) -> Void) throws(EngineError) {
    let result: Result<Void, EngineError> = unsafe references[index]._withUnsafeGuaranteedRef { object in
      do throws(EngineError) {
        return .success(try body(object))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
