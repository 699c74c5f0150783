// Objects of a text in JSON, as statements and commands give it. Layer: RealmSession, Importing.

package import RealmEngine
package import TextFormats

extension ImportJob {
  /// Makes or changes the objects of a text in JSON.
  package static func write(
    _ input: consuming TextInput, as schema: ClassSchema, isUpsert: Bool, in transaction: WriteTransaction
  ) throws -> WrittenObjects {
    let ingest = ObjectIngest(transaction, mode: isUpsert ? .upsert : .insert, keepsObjects: true)
    var report = ImportReport()
    var objects = ObjectImport(
      input, isLines: false, ImportOptions(), transaction, beside: ObjectReader.FormerObjects(transaction))
    do {
      try objects.run(of: schema, into: ingest, &report, NoListener())
      try ingest.finish()
    } catch let fault as DocumentFault {
      throw ImportFault(fault)
    }
    return WrittenObjects(counts: ingest.counts, objects: ingest.objects)
  }
}
