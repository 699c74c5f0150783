// Classes of Realm for Objective-C. Layer: RealmModels, Languages.
// Interfaces come first and declare what they name, so that the order of classes does not matter.

import RealmEngine

extension ModelLanguage {
  private static let objcNames: NameRules = {
    var rules = NameRules(
      """
      alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false \
      float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct \
      switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while \
      _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local \
      self super nil Nil NULL YES NO TRUE FALSE BOOL SEL IMP Class EOF DEBUG errno stdin stdout stderr \
      allowsWeakReference attributeKeys autoContentAccessingProxy autorelease class classCode classDescription \
      classForArchiver classForCoder classForKeyedArchiver classForKeyedUnarchiver classForPortCoder className copy \
      dealloc debugDescription description finalize hash init isProxy mutableCopy \
      objectSpecifier observationInfo release retain retainCount retainWeakReference scriptingProperties superclass \
      toManyRelationshipKeys toOneRelationshipKeys zone isa \
      freeze frozen invalidated isFrozen isInvalidated objectSchema realm thaw
      """,
      types: """
        NSString NSNumber NSData NSDate NSUUID NSObject NSArray NSDictionary NSInteger NSProxy RLMObject RLMArray RLMSet \
        RLMDictionary RLMLinkingObjects RLMEmbeddedObject RLMAsymmetricObject RLMPropertyDescriptor RLMDecimal128 \
        RLMObjectId RLMObjectBase RLMRealm RLMResults
        """)
    rules.hiddenByClasses = ["id", "Protocol", "instancetype"]
    // UIKit and AppKit give every object properties for accessibility.
    rules.reservedStarts = [
      "new", "alloc", "copy", "mutableCopy", "init", "accessibility", "isAccessibility",
    ]
    rules.isASCII = true
    // `name` and `Name` would both be set by `setName:`.
    rules.companions = { ["set \($0.capitalizedFirst)"] }
    return rules
  }()

  static let objc = ModelLanguage("objc", objcNames) { schema, _ in
    ModelCode(
      head: ["#import <Realm/Realm.h>"],
      wholeHead: ModelClass.declarations(of: schema.classes),
      schema.classes.map {
        .init($0.name, ".h", imports: ModelClass.declarations(of: [$0]), $0.objcInterface)
      }
        + schema.classes.map { entity in
          let names = Set(entity.inverses.map(\.origin)).subtracting([entity.name]).sorted()
          return .init(
            entity.name, ".m", imports: ([entity.name] + names).map { "#import \"\($0).h\"" },
            entity.objcImplementation)
        })
  }
}

extension ModelProperty {
  /// The object type, and the protocol that collections name it by.
  private static let objects = Spelling(
    """
    NSNumber NSNumber NSString NSData id<RLMValue> NSDate NSNumber NSNumber RLMDecimal128 RLMObjectId NSUUID
    """)
  private static let protocols = Spelling(
    "RLMInt RLMBool RLMString RLMData RLMValue RLMDate RLMFloat RLMDouble RLMDecimal128 RLMObjectId RLMUUID")
  private static let numbers = Spelling("NSInteger BOOL - - - - float double - - -")

  private var isNumber: Bool { [.int, .bool, .float, .double].contains(type.type) }

  fileprivate var objcDeclaration: String {
    let object = Self.objects.word(self)
    let conformance = Self.protocols.word(self)
    let pointer = type.type == .mixed ? object : "\(object) *"
    let declared =
      switch type.collection {
      case .list: "RLMArray<\(pointer)><\(conformance)> *"
      case .set: "RLMSet<\(pointer)><\(conformance)> *"
      case .dictionary: "RLMDictionary<NSString *, \(pointer)><RLMString, \(conformance)> *"
      case nil where type.type == .mixed: "\(object) "
      case nil where isNumber: type.isOptional ? "NSNumber<\(conformance)> *" : Self.numbers.word(self) + " "
      case nil: pointer
      }
    return "@property \(declared)\(name);"
  }

  /// Whether Objective-C would take it for optional.
  fileprivate var isListedAsRequired: Bool {
    !type.isOptional && type.type != .object && type.type != .mixed && !(isNumber && type.collection == nil)
  }
}

extension ModelClass {
  /// What the interfaces of classes name.
  fileprivate static func declarations(of classes: [ModelClass]) -> [String] {
    let targets = Set(classes.flatMap(\.otherClasses)).sorted()
    let properties = classes.flatMap(\.properties).filter { $0.type.collection != nil }
    let collected = Set(properties.compactMap(\.target)).sorted()
    return targets.map { "@class \($0);" } + collected.map { "@protocol \($0);" }
  }

  fileprivate var objcInterface: [String] {
    var lines = ["@interface \(name) : RLM\(kind.objectWord)"]
    for property in properties {
      lines += property.remarks(fullText: false)
      lines.append(property.objcDeclaration)
    }
    // The SDK bounds the element's type, which a class that is only declared does not meet.
    lines += inverses.map { "@property (readonly) RLMLinkingObjects *\($0.name);" }
    return lines + ["@end", "", "RLM_COLLECTION_TYPE(\(name))"]
  }

  fileprivate var objcImplementation: [String] {
    var lines = ["@implementation \(name)"]
    func add(_ type: String, _ method: String, _ value: String) {
      lines += ["+ (\(type))\(method) {", "    return \(value);", "}"]
    }
    func list(_ properties: [ModelProperty]) -> String {
      "@[\(properties.map { "@\"\($0.name)\"" }.joined(separator: ", "))]"
    }
    if isRenamed { add("NSString *", "_realmObjectName", "@" + TextLiteral.octal(stored)) }
    if let primaryKey { add("NSString *", "primaryKey", "@\"\(primaryKey.name)\"") }
    let names = "NSArray<NSString *> *"
    let required = properties.filter(\.isListedAsRequired)
    if !required.isEmpty { add(names, "requiredProperties", list(required)) }
    let indexed = properties.filter(\.isIndexed)
    if !indexed.isEmpty { add(names, "indexedProperties", list(indexed)) }
    let renamed = properties.filter(\.isRenamed)
    if !renamed.isEmpty {
      let pairs = renamed.map { "@\"\($0.name)\": @\(TextLiteral.octal($0.stored))" }
      add(
        "NSDictionary<NSString *, NSString *> *", "_realmColumnNames", "@{\(pairs.joined(separator: ", "))}")
    }
    if !inverses.isEmpty {
      let pairs = inverses.map {
        "@\"\($0.name)\": [RLMPropertyDescriptor descriptorWithClass:\($0.origin).class "
          + "propertyName:@\"\($0.property)\"],"
      }
      lines += [
        "+ (NSDictionary<NSString *, RLMPropertyDescriptor *> *)linkingObjectsProperties {", "    return @{",
      ]
      lines += pairs.indented(by: 8) + ["    };", "}"]
    }
    return lines + ["@end"]
  }
}
