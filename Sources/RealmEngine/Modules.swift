// The modules below the engine, for all who import it: files, values and `check` are a part of what it offers.
// Layer: RealmEngine, beside all folders.

@_exported import RealmFiles
@_exported import RealmInspection
