// How the values of a property become values of another type. Layer: Migrations, Schema.

package import RealmEngine

/// What keeps the values of a property whose type changes.
package enum TypeConversion {
  /// Values stay, and null may be among them.
  case makesOptional
  /// Values stay, and null may not be among them.
  case makesRequired
  /// An expression of the value, `old`.
  case computes(String)
  /// Only people can tell.
  case unknown

  package init(from: PropertyType, to: PropertyType) {
    if from.type == to.type, from.collection == to.collection, from.target == to.target {
      self = to.isOptional ? .makesOptional : .makesRequired
      return
    }
    // Nobody can tell which element stays, or what takes the place of links; and no expression makes a dictionary.
    guard to.collection != nil || from.collection == nil, to.collection != .dictionary,
      from.target == to.target || to.type == .mixed
    else {
      self = .unknown
      return
    }
    let function = from.type == to.type ? nil : to.type.conversionFunction
    guard from.collection == nil else {
      self = .computes(function.map { "map(old, \($0)(it))" } ?? "old")
      return
    }
    let value = function.map { "\($0)(old)" } ?? "old"
    self = .computes(to.collection == nil ? value : "list(\(value))")
  }
}
