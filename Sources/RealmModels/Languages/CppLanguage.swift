// Structures of the Realm SDK for C++. Layer: RealmModels, Languages.
// An inverse needs the whole structure that it comes from, so classes are put behind those that link to them as far as
// links do not run in circles.

import RealmEngine

extension ModelLanguage {
  private static let cppTypes = Spelling(
    """
    int64_t bool std::string std::vector<uint8_t> realm::mixed \
    std::chrono::time_point<std::chrono::system_clock> float double realm::decimal128 realm::object_id realm::uuid
    """, optional: "std::optional<#>", list: "std::vector<#>", set: "std::set<#>",
    dictionary: "std::map<std::string, #>", link: "#*")

  private static let cppNames: NameRules = {
    var rules = NameRules(
      """
      alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class \
      compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype \
      default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline \
      int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
      reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template \
      this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t \
      while xor xor_eq NULL errno assert \
      db detach freeze get_realm is_frozen is_invalidated is_object m_obj m_rbool_query m_realm managed \
      managed_pointers managed_pointers_names object_type ObjectType observe prepare_for_query rbool schema thaw \
      to_json unmanaged_to_managed_pointer
      """,
      types: "std realm primary_key linking_objects int64_t uint8_t",
      // What the SDK's headers define in its namespace, which the classes stand in too.
      classes: """
        accessor App app app_error binary box box_base bson bsoncxx char_pointer char_reference client_reset \
        client_reset_mode collection_callback_wrapper collection_change const_char_pointer const_char_reference \
        CoreDictionary db db_config decimal128 deserialize dictionary_callback_wrapper dictionary_change_set \
        dictionary_collection_change falsepredicate holds_alternative internal logger managed managed_base mixed \
        mutable_sync_subscription_set networking not_in_collection notification_token object object_change \
        object_change_callback_wrapper object_id object_store ObjectChange ObjectType open property PropertyChange \
        proxy_config rbool results results_base results_common_base results_is_enum results_is_mixed results_is_primitive \
        scheduler schema schemagen serialize set_default_logger sort_descriptor sync sync_config sync_error sync_session \
        sync_subscription sync_subscription_set thread_safe_reference timestamp truepredicate user util uuid
        """)
    rules.mapsNothing = true
    return rules
  }()

  /// Classes of the library under the SDK, which its headers only name: another one compiles, but the linker takes both for one.
  private static let cppLibraryClasses = Set(
    """
    BinaryData ColKey CollectionChangeCallback CollectionChangeSet ConstTableRef Decimal128 Dictionary ErrorCategory Group \
    IndexSet LinkChain List LnkLst Mixed NotificationToken Obj Object ObjectId ObjectSchema ObjKey ObjLink OwnedBinaryData \
    Property Query Realm RealmConfig Results Schema Status Subexpr SyncConfig SyncError SyncManager SyncSession SyncUser \
    TableRef TableView ThreadSafeReference Timestamp UUID
    """.split(separator: " ").map(String.init))

  static let cpp = ModelLanguage("cpp", cppNames) { schema, _ in
    let classes = schema.originsFirst
    var declared: Set<String> = []
    let named = classes.map(\.name)
    // The SDK maps no names, so that those of classes may differ only in case.
    var fileNames = ModelNames(tellingCases: false)
    let files = Dictionary(zip(named, fileNames.take(all: named) { $0 })) { first, _ in first }
    let others = Set(classes.flatMap(\.otherClasses)).subtracting(named).sorted()
    let properties = classes.flatMap { entity in
      entity.properties.filter(\.isUnnameable).map { "\(entity.stored).\($0.stored)" }
    }
    let leftOut = schema.leftOut + properties
    let floats = classes.flatMap { entity in
      entity.properties.filter(\.isFloat).map { "\(entity.stored).\($0.stored)" }
    }
    let twins = named.filter(cppLibraryClasses.contains)
    let migration = properties.isEmpty ? "" : "; a class that lacks properties of the file needs a migration"
    let warnings = [
      (leftOut, "left out, because they cannot have these names in C++", migration),
      (floats, "the SDK for C++ has no float; make doubles of them, in a migration of the file too", ""),
      (
        twins, "classes of the SDK's own library have these names, and a program may call those instead",
        ""
      ),
    ].filter { !$0.0.isEmpty }.map { "\($1): \($0.shortList)\($2)" }
    return ModelCode(
      head: ["#pragma once", "#include <cpprealm/sdk.hpp>"],
      wholeHead: ["namespace realm {", ""] + (named + others).map { "struct \($0);" },
      tail: "}  // namespace realm\n",
      classes.map { entity in
        defer { declared.insert(entity.name) }
        let origins = Set(entity.inverses.map(\.origin)).intersection(declared).sorted()
        return .init(
          files[entity.name] ?? entity.name, ".hpp",
          imports: origins.compactMap { files[$0] }.map { "#include \"\($0).hpp\"" } + [
            "", "namespace realm {", "",
          ]
            + entity.otherClasses.map { "struct \($0);" },
          entity.cppLines(cppTypes, declared))
      },
      warning: warnings.isEmpty ? nil : warnings.joined(separator: "; "))
  }
}

extension ModelProperty {
  fileprivate var isFloat: Bool { type.type == .float }
}

extension ModelSchema {
  /// Classes behind those that link to them.
  fileprivate var originsFirst: [ModelClass] {
    let indexes = Dictionary(zip(classes.map(\.name), classes.indices)) { first, _ in first }
    var ordered: [ModelClass] = []
    var isSeen = Array(repeating: false, count: classes.count)
    // Each with the origins that are still to be visited; no recursion, because a chain of classes may be long.
    for start in classes.indices where !isSeen[start] {
      isSeen[start] = true
      var stack = [(start, classes[start].inverses.compactMap { indexes[$0.origin] }[...])]
      while let top = stack.popLast() {
        let index = top.0
        var origins = top.1
        guard let origin = origins.popFirst() else {
          ordered.append(classes[index])
          continue
        }
        stack.append((index, origins))
        if !isSeen[origin] {
          isSeen[origin] = true
          stack.append((origin, classes[origin].inverses.compactMap { indexes[$0.origin] }[...]))
        }
      }
    }
    return ordered
  }
}

extension ModelClass {
  fileprivate func cppLines(_ spelling: Spelling, _ declared: Set<String>) -> [String] {
    var lines: [String] = []
    var listed: [String] = []
    // A member hides the class of its name from all members of its class.
    let members = Set(properties.map(\.name) + inverses.map(\.name))
    func visible(_ className: String) -> String {
      members.contains(className) ? "realm::\(className)" : className
    }
    for var property in properties {
      if property.isUnnameable {
        let cause = property.isRenamed ? "a name that" : "leads to a class whose name"
        lines.append("// \(property.stored.visibleName): \(cause) C++ does not have, and the SDK maps none")
        continue
      }
      if property.isFloat {
        lines.append("// The SDK has no float: make it a double, in a migration of the file too.")
      }
      lines += property.remarks(fullText: false, index: false)
      listed.append(property.name)
      property.target = property.target.map(visible)
      let type = spelling(property)
      let initial = property.target != nil && property.type.collection == nil ? " = nullptr" : ""
      lines.append(
        "\(property.isPrimaryKey ? "realm::primary_key<\(type)>" : type) \(property.name)\(initial);")
    }
    for inverse in inverses {
      let link = "realm::linking_objects<&\(visible(inverse.origin))::\(inverse.property)> \(inverse.name);"
      guard declared.contains(inverse.origin) else {
        lines.append("// \(inverse.origin) comes later: \(link)")
        continue
      }
      lines.append(link)
      listed.append(inverse.name)
    }
    let macro = kind.word(
      "REALM_SCHEMA", embedded: "REALM_EMBEDDED_SCHEMA", asymmetric: "REALM_ASYMMETRIC_SCHEMA")
    return ["struct \(name) {"] + lines.indented(by: 4)
      + ["};", "\(macro)(\(([name] + listed).joined(separator: ", ")))"]
  }
}
