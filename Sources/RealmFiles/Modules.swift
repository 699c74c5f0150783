// The module below, for all who import this one: files are made of its bytes and say what is wrong by its error.
// Layer: RealmFiles.

@_exported import RealmValues
