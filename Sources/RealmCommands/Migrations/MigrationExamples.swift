// Worked examples of the manual of migration files: what apps do in code, and the steps that do it in its place. The same
// steps run in tests, from fixtures/migrations/examples. Layer: RealmCommands, Migrations.

/// Code of an app, and its steps as a migration.
package struct MigrationExample {
  package let title: String
  /// Where the code comes from.
  package let source: String
  package let code: String
  /// The operations, each step behind a comment with its name.
  package let steps: String
  /// What one would not see at once.
  package var remark = ""

  package static let all = [
    MigrationExample(
      title: "Swift: one name, and age as text",
      source: """
        Swift, after the pages on changing an object model in the Realm documentation.
        """,
      code: #"""
        if old < 2 { each("Person") { old, new in new["fullName"] = "\(old["firstName"]) \(old["lastName"])" } }
        if old < 3 { each("Person") { old, new in new["age"] = "\(old["age"])" } }
        if old < 4 { migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth") }
        // A new optional property needs no code, but a new schema version.
        """#,
      steps: """
        # 1 to 2: one name
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        # 2 to 3: age as text
        - change_type: { class: Person, property: age, to: string, value: "string(old)" }
        # 3 to 4: years since birth
        - rename_property: { class: Person, from: age, to: yearsSinceBirth }
        # 4 to 5: mail
        - add_property: { class: Person, name: email, type: "string?" }
        """,
      remark: """
        The renaming comes after the step that uses the old name, because steps run one after the other.
        """),
    MigrationExample(
      title: "Swift: people and pets",
      source: """
        Swift, after the migration example among the examples of realm-swift: five versions of an app with \
        people and pets. What the app does in one block that every version makes longer, told in short:
        """,
      code: #"""
        if old < 1 { each("Person") { old, new in new["fullName"] = old["firstName"] + " " + old["lastName"] } }
        if old < 2 {
          each("Person") { _, new in
            if new["fullName"] == "John Doe" { new["dogs"].append(create("Dog", ["Marley"])) /* and Lassie */ }
            // Jane Doe gets Toto
          }
          create("Dog", ["Slinkey"])
        }
        if old == 2 {
          // Classes cannot be renamed: each dog of each person becomes a new Pet, then all dogs that nobody has are looked for
          // once more, and the class Dog stays in the file because lists still lead to it.
        }
        if old < 4 { /* John Doe gets an address */ }
        // The address becomes embedded where each has exactly one owner.
        """#,
      steps: """
        # 0 to 1: one name
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        # 1 to 2: dogs
        - add_class: { name: Dog, properties: { name: string } }
        - add_property: { class: Person, name: dogs, type: "list<Dog>" }
        - insert: { class: Dog, objects: [ { name: Marley }, { name: Lassie }, { name: Toto }, { name: Slinkey } ] }
        - update: { class: Person, where: "fullName == 'John Doe'", set: { dogs: "map(list('Marley', 'Lassie'), find(Dog, 'name', it))" } }
        - update: { class: Person, where: "fullName == 'Jane Doe'", set: { dogs: "list(find(Dog, 'name', 'Toto'))" } }
        # 2 to 3: pets
        - rename_class: { from: Dog, to: Pet }
        - rename_property: { class: Person, from: dogs, to: pets }
        - add_property: { class: Pet, name: kind, type: int, value: "1" }
        # 3 to 4: addresses
        - add_class: { name: Address, properties: { street: string, city: string } }
        - add_property: { class: Person, name: address, type: "Address?" }
        - create: { class: Address, for_each: Person, where: "fullName == 'John Doe'", set: { street: "'Broadway'", city: "'New York'" }, link: address }
        # 4 to 5: addresses belong to people
        - make_embedded: { class: Address }
        """,
      remark: """
        `rename_class` keeps the objects, so nothing has to be looked for, and no class is left over.
        """),
    MigrationExample(
      title: "Kotlin: ids as text, and a first object",
      source: """
        Kotlin, after the page on changing an object model in the Realm documentation.
        """,
      code: #"""
        it.enumerate("Person") { old, new ->
          new?.set("_id", old.getValue<ObjectId>("_id").toString())
          new?.set("fullName", "${old["firstName"]} ${old["lastName"]}")
          new?.set("yearsSinceBirth", old.getValue<Long>("age"))
        }
        newRealm.copyToRealm(DynamicMutableRealmObject.create("Person", mapOf("_id" to "123456", "fullName" to "Tom Servo", …)))
        """#,
      steps: """
        # 1 to 2: ids as text, one name
        - change_type: { class: Person, property: _id, to: string, value: "string(old)" }
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        - rename_property: { class: Person, from: age, to: yearsSinceBirth }
        # 2 to 3: a first object
        - change_primary_key: { class: Person, to: _id }
        - insert: { class: Person, existing: keep, objects: [ { _id: "123456", fullName: Tom Servo, yearsSinceBirth: 33 } ] }
        """,
      remark: """
        `existing: keep` has the object made once, also where the app had made it.
        """),
    MigrationExample(
      title: "JavaScript: ids as text and back",
      source: """
        JavaScript, after the Node.js and React Native pages on changing an object model in the Realm \
        documentation.
        """,
      code: #"""
        onMigration: (oldRealm, newRealm) => {
          const [was, is] = [oldRealm.objects("Dog"), newRealm.objects("Dog")];
          for (const i in was) is[i]._id = was[i]._id.toHexString();   // another version: new ObjectId(was[i]._id)
        }
        """#,
      steps: """
        # 1 to 2: ids as text
        - change_type: { class: Dog, property: _id, to: string, value: "string(old)" }
        # 2 to 3: and back
        - change_type: { class: Dog, property: _id, to: objectId, value: "objectId(old)" }
        """,
      remark: """
        A text that is not an id stops the second step, which names the object; `unparsable` could say \
        what else to do.
        """),
    MigrationExample(
      title: "JavaScript: lists of numbers without objects",
      source: """
        JavaScript, after the integration tests of realm-js.
        """,
      code: #"""
        for (let i = 0; i < was.length; ++i) is[i].values = was[i].values.map((object) => object.value);
        newRealm.deleteModel("IntObject");
        """#,
      steps: """
        # 0 to 1: numbers without objects
        - change_type: { class: IntHolder, property: values, to: "list<int>", value: "map(old, it.value)" }
        - drop_class: { class: IntObject }
        """),
    MigrationExample(
      title: ".NET: last names, one name, birthdays",
      source: """
        .NET, after the page on changing an object model in the Realm documentation.
        """,
      code: #"""
        for (var i = 0; i < newPeople.Count(); i++)
        {
          var (was, person) = (oldPeople.ElementAt(i), newPeople.ElementAt(i));
          if (old < 2) person.FullName = was.FirstName;                        // there was no LastName yet
          else if (old < 3) person.FullName = $"{was.FirstName} {was.LastName}";
          if (old < 4) person.Birthday = new DateTimeOffset(Now.Year - was.Age, 1, 1, 0, 0, 0, TimeSpan.Zero);
        }
        """#,
      steps: """
        # 1 to 2: last names
        - add_property: { class: Person, name: LastName, type: "string?" }
        # 2 to 3: one name
        - add_property: { class: Person, name: FullName, type: "string?", value: "trim((FirstName ?? '') + ' ' + (LastName ?? ''))" }
        - drop_property: { class: Person, names: [FirstName, LastName] }
        # 3 to 4: birthdays
        - change_type: { class: Person, property: Age, to: date, value: "date(format('{}-01-01', year(now()) - old))" }
        - rename_property: { class: Person, from: Age, to: Birthday }
        """,
      remark: """
        A file of version 1 passes version 2 here, in which everybody has a last name that is null: one \
        expression serves both. `--now` fixes the year.
        """),
    MigrationExample(
      title: "Java: last names, one name, birthdays",
      source: """
        Java, after the page on changing an object model in the Realm documentation.
        """,
      code: #"""
        if (version == 0) { person.addField("lastName", String.class, REQUIRED); version++; }  // "" for all
        if (version == 1) { /* fullName of both, which go */ version++; }
        if (version == 2) { person.addField("birthday", Date.class, REQUIRED).transform(/* 1 January of this year less age */).removeField("age"); }
        """#,
      steps: """
        # 0 to 1: last names
        - add_property: { class: Person, name: lastName, type: string, value: "''" }
        # 1 to 2: one name
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        # 2 to 3: birthdays
        - add_property: { class: Person, name: birthday, type: date, value: "date(format('{}-01-01', year(now()) - age))" }
        - drop_property: { class: Person, name: age }
        """,
      remark: """
        That a new required field is "" for all is written down: `value: "''"`.
        """),
    MigrationExample(
      title: "Java: people and pets",
      source: """
        Java, after the migration example of realm-java.
        """,
      code: #"""
        if (version == 0) {
          person.addField("fullName", String.class, REQUIRED)
                .transform(o -> o.set("fullName", o.getString("firstName") + " " + o.getString("lastName")))
                .removeField("firstName").removeField("lastName");
          version++;
        }
        if (version == 1) { /* create the class Pet, add the list, give Jimbo to JP McDonald */ version++; }
        if (version == 2) {
          person.setNullable("fullName", true);
          // The type of a field cannot change: a second field is added and filled, the first removed, the second renamed.
          pet.addField("type_tmp", int.class).transform(/* dog 1, cat 2, hamster 3 */).removeField("type").renameField("type_tmp", "type");
        }
        """#,
      steps: """
        # 0 to 1: one name
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        # 1 to 2: pets
        - add_class: { name: Pet, properties: { name: string, type: string } }
        - add_property: { class: Person, name: pets, type: "list<Pet>" }
        - insert: { class: Pet, objects: [ { name: Jimbo, type: dog } ] }
        - update: { class: Person, where: "fullName == 'JP McDonald'", set: { pets: "list(find(Pet, 'name', 'Jimbo'))" } }
        # 2 to 3: kinds of pets as numbers
        - make_optional: { class: Person, property: fullName }
        - change_type: { class: Pet, property: type, to: int, value: "switch(old, 'dog', 1, 'cat', 2, 'hamster', 3, 0)" }
        """,
      remark: """
        `change_type` replaces these four calls, and says what happens to any other type.
        """),
    MigrationExample(
      title: "Java and JavaScript: children that belong to parents",
      source: """
        Java and JavaScript, after the tests of realm-java and realm-js.
        """,
      code: #"""
        child.setEmbedded(true, /* resolve constraints */ true);   // in JavaScript: resolveEmbeddedConstraints: true
        parent.setClassName("Guardian");
        """#,
      steps: """
        # 1 to 2: children belong to parents
        - make_embedded: { class: Child, orphans: { action: delete, max: 10 }, shared: duplicate }
        - rename_class: { from: Parent, to: Guardian }
        """,
      remark: """
        One flag there deletes children without parents and copies those with several. Here each is \
        stated, and at most ten may be deleted.
        """),
    MigrationExample(
      title: "Dart: ids as text, and a class that goes",
      source: """
        Dart, after the page on changing an object model in the Realm documentation.
        """,
      code: #"""
        for (final was in migration.oldRealm.all('Person')) {
          final is_ = migration.findInNewRealm<Person>(was);
          if (is_ == null) continue;                           // it was deleted meanwhile
          is_.fullName = "${was["firstName"]} ${was["lastName"]}";
          is_.id = was["id"].toString();
        }
        migration.renameProperty('Person', 'age', 'yearsSinceBirth');
        migration.deleteType('Car');
        """#,
      steps: """
        # 1 to 2: ids as text, one name
        - add_property: { class: Person, name: fullName, type: string, value: "firstName + ' ' + lastName" }
        - drop_property: { class: Person, names: [firstName, lastName] }
        - change_type: { class: Person, property: id, to: string, value: "string(old)" }
        - rename_property: { class: Person, from: age, to: yearsSinceBirth }
        # 2 to 3: no cars
        - drop_class: { class: Car }
        """,
      remark: """
        The primary key changes its type in place: links to people stay.
        """),
  ]
}
