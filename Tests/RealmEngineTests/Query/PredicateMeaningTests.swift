import RealmEngine
import Testing

/// Predicates and how many objects of the bundled realms meet them, as the reference engine or, where it is wrong, an
/// equivalent predicate has it.
@Suite("What predicates mean")
struct PredicateMeaningTests {
  private func check(
    _ realm: Result<ReadTransaction, any Error>, _ className: String, _ expected: [(String, Int)]
  ) throws {
    let asked = try Asked(realm, className)
    for (predicate, count) in expected {
      let found = try asked.count(predicate)
      #expect(found == count, "\(predicate)")
    }
  }

  @Test("numbers compare by value whatever their type")
  func numbers() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("age == 42", 2),
        ("age == 4.2e1", 2),
        ("age == 42.5", 0),
        ("age > 41.5", 116),
        ("age == ' 42 '", 2),
        ("age < 99999999999999999999", 200),
        ("age >= -9223372036854775808", 200),
        ("age < 010", 20),
        ("height == 1.51", 4),
        ("balance == 0.1", 1),
        ("balance == 0.1f", 1),
        ("balance > age", 197),
        ("weight IN {40, 41.5}", 2),
        ("age / 2 == 15", 4),
        ("age / 2.0 == 15.5", 2),
        ("age / 0 > 5", 0),
        ("2 * (3 + 4) == age", 2),
        ("active == 1", 67),
      ])
  }

  @Test("NaN is equal to no constant and less than every number of a row")
  func notANumber() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("weight == nan", 0),
        ("weight != nan", 200),
        ("weight < 41", 4),
        ("balance > weight", 188),
        ("weight == weight", 200),
      ])
  }

  @Test("null equals null and is in no order, except before all texts of the object itself")
  func nulls() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("nick == NULL", 50),
        ("NOT nick == NULL", 150),
        ("age == NULL", 0),
        ("height != 1.5", 198),
        ("NOT height >= 1.7", 100),
        ("height >= NULL", 34),
        ("height > NULL", 0),
        ("nick < 'B'", 95),
        ("'B' > nick", 45),
        ("bestFriend.nick < 'B'", 46),
        ("nick < name", 95),
        ("nick > NULL", 150),
        ("nick >= NULL", 200),
        ("bestFriend.age == NULL", 67),
        ("bestFriend.age != 5", 199),
        ("height + 1 == NULL", 34),
      ])
    try check(
      Fixture.allTypes, "AllTypes",
      [("bool_o >= NULL", 8), ("NULL >= bool_o", 8), ("NOT bool_o <= NULL", 16), ("bool_o > NULL", 0)])
  }

  @Test("text operators with empty and null right sides")
  func textAndNothing() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("nick CONTAINS ''", 150),
        ("nick CONTAINS NULL", 200),
        ("nick BEGINSWITH NULL", 200),
        ("bestFriend.nick CONTAINS NULL", 100),
        ("bestFriend.nick BEGINSWITH NULL", 0),
        ("name CONTAINS nick", 77),
        ("name BEGINSWITH[c] nick", 30),
        ("nick LIKE NULL", 50),
        ("nick LIKE ''", 25),
        ("nick ==[c] NULL", 50),
      ])
  }

  @Test("letters are folded as far as the options say")
  func folding() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("name ==[c] 'ADA'", 10),
        ("name ==[c] 'ZOË'", 10),
        ("name ==[c] 'мария'", 5),
        ("name ==[cd] 'МАРИЯ'", 10),
        ("name ==[d] 'Etoile'", 5),
        ("name ==[cd] 'etoile'", 15),
        ("name CONTAINS[cd] 'ZOE'", 16),
        ("name IN[c] {'ADA', 'bob'}", 20),
        ("name LIKE[c] 's*e'", 10),
        ("avatar CONTAINS[c] binary('1')", 97),
      ])
  }

  @Test("patterns match the whole text")
  func patterns() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("name LIKE '?da'", 5),
        ("name LIKE '李?'", 5),
        ("name LIKE '?*?*?'", 188),
        ("name LIKE 'Ada**'", 8),
        ("name LIKE '%a%'", 0),
        ("name LIKE {'A*', 'B*'}", 24),
        ("NOT name LIKE '*a*'", 141),
      ])
  }

  @Test("texts, data, dates and identifiers are ordered by their bytes or numbers")
  func orders() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("name < 'B'", 23),
        ("name > 'Z' AND name < 'a'", 16),
        ("name >= 'É'", 54),
        ("avatar > binary(B64\"AQI=\")", 160),
        ("token > uuid(00000000-0000-4000-8000-000000000064)", 99),
        ("oid > oid(5f0000000000000000000010)", 122),
        ("born < 1999-12-31@23:59:59:999999999", 135),
        ("born == 1969-12-31@23:59:58:500000000", 1),
        ("born < 3000-01-01@00:00:00", 171),
        ("active > false", 67),
      ])
  }

  @Test("lists meet values with ANY, and each other in order")
  func lists() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("tags == 'red'", 150),
        ("tags != 'red'", 90),
        ("NOT tags == 'red'", 50),
        ("ALL tags == 'red'", 110),
        ("NONE tags == 'red'", 50),
        ("tags == {'red', 'Green'}", 50),
        ("tags != {'red'}", 150),
        ("tags == {}", 50),
        ("tags BEGINSWITH {'r', 'G'}", 50),
        ("labels == {'vip', 'new'}", 17),
        ("tags IN {'red', 'Green'}", 150),
        ("age == {1, 2}", 4),
        ("age != {1, 2}", 200),
        ("age > ALL {10, 90}", 18),
        ("age == NONE {1, 2}", 196),
        ("ALL scores == ANY {0, 1, 2, 3}", 61),
        ("ANY scores > ALL {1, 2}", 141),
        ("scores + 1 > 10", 115),
        ("ALL scores * 2 > 50", 31),
        ("tags.length == 3", 150),
        ("ANY ratings == NULL", 33),
      ])
  }

  @Test("a list is calculated with element by element, and nothing with what has no value")
  func calculations() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("NONE scores - 1 > 10", 97),
        ("scores + age > 90", 47),
        ("(scores + 1) * 2 - age > 10", 45),
        ("ALL bestFriend.scores * 2 > 50", 87),
        ("age - ALL {1, 2} > 30", 134),
        ("scores + 1 == scores", 31),
        ("scores / 0 == NULL", 169),
        ("length(name) + scores > 20", 86),
        ("balance * 2 > 10", 197),
        ("SUBQUERY(bestFriend.dogs, $d, $d.age * 2 > 7).@count > 0", 90),
        // Behind a link that leads nowhere a property is null, and under a key there is no value.
        ("bestFriend.age + 1 == NULL", 67),
        ("bestFriend.attrs['size'] + 1 == NULL", 65),
        ("extra.k.b + 1 == NULL", 0),
        ("extra[0] * 2 == scores", 26),
        // Texts are not put together.
        ("extra + extra == NULL", 153),
      ])
  }

  @Test("positions beyond the end have no value")
  func positions() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("tags[0] == 'red'", 150),
        ("tags[LAST] == 'Green'", 50),
        ("tags[99] == NULL", 0),
        ("tags[99] != 'x'", 0),
        ("dogs[0].name == 'Rex'", 30),
        ("dogs[5].name == 'Rex'", 0),
        ("dogs[0] == NULL", 0),
      ])
  }

  @Test("dictionaries give values, keys, and null for a missing key")
  func dictionaries() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("attrs.color == 'blue'", 33),
        ("attrs['color'] == 'blue'", 33),
        ("attrs == 'blue'", 33),
        ("attrs.@keys == 'color'", 100),
        ("'color' IN attrs.@keys", 100),
        ("attrs['missing'] == NULL", 200),
        ("NONE attrs['color'] == 'blue'", 167),
        ("attrs['size'] BETWEEN {10, 50}", 16),
        ("attrs['color'].@size == 4", 67),
        ("attrs.@count == 0", 100),
      ])
  }

  @Test("mixed values are compared with their own kind and entered by position and key")
  func mixed() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("extra == 1", 16),
        ("extra == true", 16),
        ("extra == 'text'", 16),
        ("extra == binary('text')", 15),
        ("extra < 2.5", 32),
        ("extra[1] == 'two'", 15),
        ("extra['a'] == 1", 15),
        ("extra.b BEGINSWITH 'b'", 15),
        ("extra.name == 'Rex'", 15),
        ("extra[0]['x'] == 1", 15),
        ("attrs['nested'][*] == 'two'", 9),
        ("extra.@type == 'Numeric'", 47),
        ("extra.@type == 'collection'", 45),
        ("extra.@count == 3", 15),
        ("extra.@size == NULL", 124),
        ("extra IN {1, 'text', NULL}", 47),
      ])
  }

  @Test("links lead on, and nowhere where they are null")
  func links() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("bestFriend == obj('Person', 1)", 18),
        ("bestFriend == obj('Person', 99999)", 0),
        ("bestFriend != obj('Person', 99999)", 200),
        ("bestFriend IN {obj('Person', 1), NULL}", 85),
        ("bestFriend.bestFriend == NULL", 102),
        ("address.city BEGINSWITH 'K'", 25),
        ("dogs.owner.tags == 'red'", 130),
        ("NONE dogs.owner.tags == 'red'", 70),
        ("ANY dogs.owner == bestFriend", 0),
        ("SELF.age == 5", 2),
        ("SELF == obj('Person', 5)", 1),
        ("NONE bestFriend == NULL", 133),
      ])
  }

  @Test("counts of what is not there are 0 for values and nothing for links")
  func counts() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("dogs.@count == 0", 50),
        ("bestFriend.tags.@count == 0", 100),
        ("bestFriend.dogs.@count == 0", 33),
        ("bestFriend.@count == 0", 67),
        ("nick.@size == NULL", 50),
        ("name.@size == 4", 20),
        ("tags[SIZE] == 3", 40),
      ])
  }

  @Test("incoming links are as many as there are links")
  func incoming() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("@links.Dog.owner.@count > 0", 48),
        ("@links.@count > 1", 28),
        ("bestFriend.@links.@count > 1", 46),
        ("ALL @links.Dog.owner.name == 'Rex'", 152),
        ("@links.Dog.owner.@sum.age > 10", 14),
        ("dogs.@links.Person.dogs.@count > 1", 150),
      ])
  }

  @Test("aggregates pass over null and NaN, and are null where nothing is")
  func aggregates() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("scores.@avg == NULL", 31),
        ("scores.@sum == NULL", 0),
        ("scores.@max < 5", 31),
        ("ratings.@min > 1", 104),
        ("dogs.@max.age > dogs.@min.age", 100),
        ("dogs.@min.born == NULL", 66),
        ("bestFriend.dogs.@sum.age == 0", 102),
        ("bestFriend.@max.age > 50", 55),
        ("dogs.owner.scores.@sum > 10", 113),
        ("dogs.owner.dogs.@max.age > 10", 92),
        ("attrs.@sum > 10", 78),
        ("dogs.@sum.age / dogs.@count > 3", 128),
      ])
  }

  @Test("subqueries count elements with their own conditions")
  func subqueries() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("SUBQUERY(dogs, $d, $d.age > 5).@count > 0", 127),
        ("SUBQUERY(dogs, $d, age > 5 AND vaccinated == true).@count == 1", 57),
        ("SUBQUERY(dogs, $d, SUBQUERY($d.owner.dogs, $e, $e.age > 3).@count > 1).@count > 0", 67),
        ("SUBQUERY(@links.Dog.owner, $d, $d.age > 3).@count == dogs.@count", 50),
        ("SUBQUERY(@links.Person.bestFriend, $p, $p == obj('Person', 3)).@count > 0", 0),
      ])
  }

  @Test("ranges hold both bounds, and one element must be inside")
  func ranges() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("age BETWEEN {10, 20}", 22),
        ("age BETWEEN {20, 10}", 0),
        ("age BETWEEN {10.5, 20.5}", 20),
        ("ALL scores BETWEEN {0, 15}", 116),
        ("ANY dogs.age BETWEEN {3, 5}", 54),
        ("born BETWEEN {T0:0, T1600000000:0}", 94),
        ("NOT age BETWEEN {10, 89}", 40),
      ])
  }

  @Test("membership of nothing is never, and other kinds are passed over")
  func membership() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("age IN {}", 0),
        ("weight IN {'x'}", 0),
        ("age IN {'x', 1}", 2),
        ("NOT name IN {'Ada', 'Bob'}", 190),
        ("height IN {1.51, NULL}", 38),
        ("age IN scores", 24),
        ("5 IN scores", 34),
      ])
  }

  @Test("words of keywords that are properties or values")
  func words() throws {
    try check(
      Fixture.zoo, "Person",
      [
        ("active == YES", 67),
        ("active == True", 67),
        ("Not active == true", 133),
        ("Any tags == 'red'", 150),
        ("#age == 5", 2),
        ("ANY attrs.@allKeys == 'color'", 100),
        ("extra[#any] == 'two'", 15),
        ("name == 'O\\'Neil'", 5),
        ("name == '\\u00C9toile'", 5),
      ])
  }

  @Test("full text finds words, beginnings and what lacks them")
  func fullText() throws {
    try check(
      Fixture.place, "Place",
      [
        ("blurb TEXT 'fox'", 10),
        ("blurb TEXT 'quick -fox'", 5),
        ("blurb TEXT '-fox'", 50),
        ("blurb TEXT 'qui*'", 15),
        ("blurb TEXT 'smörgåsbord'", 6),
        ("NOT blurb TEXT 'fox'", 50),
        // The beginning of a word that is none begins no word.
        ("blurb TEXT '*'", 0),
        ("blurb TEXT 'fox *'", 0),
      ])
  }

  @Test("places lie within regions")
  func places() throws {
    try check(
      Fixture.place, "Place",
      [
        ("location GEOWITHIN geoBox([-50.0, -30.0], [50.0, 30.0])", 36),
        ("location GEOWITHIN geoCircle([0, 0], 1)", 36),
        (
          "location GEOWITHIN geoPolygon({[-50.0,-30.0], [-50.0,30.0], [50.0,30.0], [50.0,-30.0], [-50.0,-30.0]}, {[-5.0,-5.0], [5.0,-5.0], [5.0,5.0], [-5.0,5.0], [-5.0,-5.0]})",
          20
        ),
        ("NOT location GEOWITHIN geoCircle([0.0, 0.0], 0.5)", 36),
        // Four places are where these meet.
        ("location GEOWITHIN geoBox([-1.0, -1.0], [0.1, 0.0])", 4),
        ("location GEOWITHIN geoBox([-1.0, 0.0], [0.1, 0.1])", 0),
        ("location GEOWITHIN geoBox([-1.0, -1.0], [0.0, 0.1])", 4),
        ("location GEOWITHIN geoBox([0.0, -1.0], [0.1, 0.1])", 0),
      ])
  }
}
