// Classes of the Realm SDK for Dart and Flutter. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  static let dartKeywords =
    """
    abstract as assert await break case catch class const continue covariant default deferred do dynamic else enum \
    extends extension external factory false final finally for Function get if implements in is late new null operator \
    required rethrow return set static super switch this throw true try typedef var void while with yield \
    hashCode runtimeType toString noSuchMethod
    """

  /// Words that members may be called by.
  static let dartContextualKeywords =
    "async base export hide import interface library mixin of on part sealed show sync type when"

  private static let dartNames: NameRules = {
    var rules = NameRules(
      dartKeywords
        + " realm isValid isManaged isFrozen changes freeze dynamic objectSchema instanceSchema schema toEJson",
      types: """
        int bool String Uint8List RealmValue DateTime double Decimal128 ObjectId Uuid List Set Map Iterable Object \
        RealmList RealmSet RealmMap RealmResults RealmObject EmbeddedObject RealmModel PrimaryKey Indexed MapTo Backlink \
        ObjectType Never Null Future Stream
        """,
      // What package:realm exports: two libraries with one name are an error where both are imported.
      classes: dartContextualKeywords + """
         AfterResetCallback ApiKey ApiKeyClient App AppConfiguration AppException AsymmetricObject AuthProviderType \
        BeforeResetCallback CancellationToken CancelledException ClientResetCallback ClientResetError ClientResetHandler \
        CompensatingWriteError CompensatingWriteInfo Configuration ConnectionState ConnectionStateChange Credentials \
        DiscardUnsyncedChangesHandler DisconnectedSyncConfiguration DoubleToGeoDistance DynamicRealm DynamicRealmObject \
        EmailPasswordAuthProvider EmbeddedObjectExtension FlexibleSyncConfiguration FunctionsClient GeoBox GeoCircle \
        GeoDistance GeoPoint GeoRing GeoShape Ignored InMemoryConfiguration InitialDataCallback ListExtension \
        LocalConfiguration LogCategory LogLevel LogRecord ManualRecoveryHandler MetadataPersistenceMode Migration \
        MigrationCallback MigrationRealm Move MutableSubscriptionSet NotificationsController ProgressCallback \
        ProgressDirection ProgressMode Realm RealmClosedError RealmCollectionType RealmEntity RealmError RealmException \
        RealmIndexType RealmInternal RealmListChanges RealmListOfObject RealmLogger RealmMapChanges RealmMapOfObject \
        RealmMetadata RealmObjectBase RealmObjectChanges RealmPropertyType RealmResultsChanges RealmResultsOfObject \
        RealmResultsOfRealmObject RealmSchema RealmSchemaChanges RealmSetChanges RealmSetOfObject RealmStateError \
        RealmUnsupportedSetError RealmValueConvenience RealmValueType RecoverOrDiscardUnsyncedChangesHandler \
        RecoverUnsyncedChangesHandler SchemaObject SchemaProperty Session SessionState ShouldCompactCallback Subscription \
        SubscriptionSet SubscriptionSetState SyncError SyncErrorCode SyncErrorHandler SyncProgress SyncTimeoutOptions \
        TimeoutCancellationToken Transaction User UserCallbackException UserChanges UserIdentity UserState \
        WaitForSyncMode
        """)
    rules.isASCII = true
    rules.dropsLeadingUnderscores = true
    rules.hasInversesOfSets = false
    rules.hiddenTypes = .all
    return rules
  }()

  static let dart = ModelLanguage("dart", dartNames, takesPackage: true) { schema, layout in
    // A name of one file alone begins with an underscore.
    let prefix = layout.isSplit ? "$" : "_"
    let types = Spelling(
      "int bool String Uint8List RealmValue DateTime double double Decimal128 ObjectId Uuid", optional: "#?",
      list: "List<#>", set: "Set<#>", dictionary: "Map<String, #>", link: "\(prefix)#")
    return ModelCode(
      head: [
        HeadLine("import 'dart:typed_data';", for: "Uint8List"),
        "import 'package:realm/realm.dart';  // Without Flutter: package:realm_dart/realm.dart",
      ],
      wholeHead: ["part '\(layout.fileName ?? layout.package ?? "models").realm.dart';"],
      schema.classes.map { entity in
        .init(
          entity.name, ".dart",
          imports: entity.otherClasses.map { "import '\($0).dart';" } + [
            "", "part '\(entity.name).realm.dart';",
          ],
          entity.dartLines(types, prefix))
      })
  }
}

extension ModelClass {
  fileprivate func dartLines(_ spelling: Spelling, _ prefix: String) -> [String] {
    var lines: [String] = []
    for property in properties {
      if property.type.type == .float {
        lines.append("// \(property.stored.visibleName): float in the file, which Dart does not have")
      }
      lines += property.marks(
        key: "@PrimaryKey()", index: "@Indexed()", fullText: "@Indexed(RealmIndexType.fullText)",
        renamed: "@MapTo(\(TextLiteral.braces(property.stored, dollar: true)))")
      lines.append("late \(spelling(property)) \(property.name);")
    }
    for inverse in inverses {
      lines.append("@Backlink(#\(inverse.property))")
      lines.append("late Iterable<\(prefix)\(inverse.origin)> \(inverse.name);")
    }
    let type = kind.word(
      "", embedded: "ObjectType.embeddedObject", asymmetric: "ObjectType.asymmetricObject")
    let mapping = isRenamed ? ["@MapTo(\(TextLiteral.braces(stored, dollar: true)))"] : []
    return ["@RealmModel(\(type))"] + mapping + ["class \(prefix)\(name) {"] + lines.indented(by: 2) + ["}"]
  }
}
