import RealmQueryLanguage
import Testing

@Suite("Literals")
struct LiteralTests {
  /// The literal that stands on the right of a comparison.
  private func literal(_ text: String) throws -> Literal? {
    guard case .comparison(let comparison) = try parsed("x == \(text)").condition.kind,
      case .constant(let constant) = comparison.right.kind, case .literal(let literal) = constant.kind
    else { return nil }
    return literal
  }

  private func string(_ text: String) -> Literal { .string(Array(text.utf8)) }

  @Test(
    "integers are decimal, hexadecimal, binary or octal",
    arguments: [
      ("5", 5), ("-5", -5), ("+5", 5), ("010", 10), ("0", 0), ("-0", 0), ("0x2A", 42), ("0Xff", 255),
      ("0b101", 5), ("0o17", 15), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("0x7FFFFFFFFFFFFFFF", Int64.max),
    ] as [(String, Int64)])
  func integers(text: String, value: Int64) throws {
    #expect(try literal(text) == .int(value))
  }

  @Test(
    "an integer that no Int64 holds keeps its digits",
    arguments: [
      ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
      ("+99999999999999999999", "99999999999999999999"), ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
    ])
  func hugeIntegers(text: String, digits: String) throws {
    #expect(try literal(text) == .decimal(text: digits))
  }

  @Test(
    "a fraction or an exponent makes a double that keeps its text",
    arguments: [
      ("1.5", 1.5), ("1.", 1), (".5", 0.5), ("-.5", -0.5), ("1e3", 1000), ("1.5E-3", 0.0015),
      ("1e999", .infinity),
    ] as [(String, Double)])
  func doubles(text: String, value: Double) throws {
    #expect(try literal(text) == .double(value, text: text))
  }

  @Test(
    "the suffix f makes a float",
    arguments: [
      ("1.51f", 1.51, "1.51"), ("30f", 30, "30"), ("+0.1f", 0.1, "0.1"), ("1e-1f", 0.1, "1e-1"),
    ] as [(String, Float, String)])
  func floats(text: String, value: Float, digits: String) throws {
    #expect(try literal(text) == .float(value, text: digits))
  }

  @Test("a leading plus is not part of a double's text")
  func unsignedText() throws {
    #expect(try literal("+1.5") == .double(1.5, text: "1.5"))
  }

  @Test("infinity and nan take any case and a sign")
  func specialNumbers() throws {
    #expect(try literal("inf") == .infinity(isNegative: false))
    #expect(try literal("+Infinity") == .infinity(isNegative: false))
    #expect(try literal("-INF") == .infinity(isNegative: true))
    #expect(try literal("NaN") == .notANumber)
    #expect(try literal("-nan") == .notANumber)
  }

  @Test("null has two words, and true and false their two spellings")
  func words() throws {
    for text in ["null", "NULL", "Nil", "nIL"] { #expect(try literal(text) == .null) }
    for text in ["true", "TRUE"] { #expect(try literal(text) == .bool(true)) }
    for text in ["false", "FALSE"] { #expect(try literal(text) == .bool(false)) }
  }

  @Test("escapes in strings are decoded")
  func escapes() throws {
    #expect(try literal(#"'O\'Neil'"#) == string("O'Neil"))
    #expect(try literal(#""say \"hi\"""#) == string("say \"hi\""))
    #expect(try literal(#"'\\ \/ \b\f\n\r\t\0'"#) == string("\\ / \u{8}\u{C}\n\r\t\0"))
    #expect(try literal(#"'\u00C9toile'"#) == string("Étoile"))
    #expect(try literal(#"'\uD83D\uDE00 smile'"#) == string("😀 smile"))
    #expect(try literal("'raw\nnewline'") == string("raw\nnewline"))
    #expect(try literal("''") == string(""))
    #expect(try literal(#"'a\\'"#) == string("a\\"))
  }

  @Test("base64 writes any bytes of a string, and binary takes both kinds of string")
  func base64() throws {
    #expect(try literal(#"B64"QWRh""#) == string("Ada"))
    #expect(try literal(#"B64"/w==""#) == .string([0xFF]))
    #expect(try literal(#"B64"AQL/MQ==""#) == .string([1, 2, 0xFF, 0x31]))
    #expect(try literal(#"B64"""#) == string(""))
    #expect(try literal("binary('x')") == .binary([0x78]))
    #expect(try literal("BIN ( B64\"AQI=\" )") == .binary([1, 2]))
    #expect(try literal(#"binary('\u0041')"#) == .binary([0x41]))
  }

  @Test(
    "ticks are seconds and nanoseconds of one sign",
    arguments: [
      ("T0:0", 0, 0), ("T1:5", 1, 5), ("T-1:-500000000", -1, -500_000_000), ("T0:-5", 0, -5),
      ("T+7:+9", 7, 9),
    ] as [(String, Int64, Int32)])
  func ticks(text: String, seconds: Int64, nanoseconds: Int32) throws {
    #expect(try literal(text) == .date(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    "calendar dates are UTC unless they say otherwise",
    arguments: [
      ("1970-1-1@0:0:0", 0, 0), ("2000-01-01T00:00:00", 946_684_800, 0), ("2000-01-01", 946_684_800, 0),
      ("2000-01-01T12:30", 946_729_800, 0), ("2000-01-01T12:30:00Z", 946_729_800, 0),
      ("2000-01-01T12:30:00+02:00", 946_722_600, 0), ("2000-01-01T12:30-02:00", 946_737_000, 0),
      ("2000-01-01@00:00:00:5", 946_684_800, 5), ("2000-01-01T00:00:00.5", 946_684_800, 500_000_000),
      ("2000-01-01T00:00:00.123456789Z", 946_684_800, 123_456_789),
      ("3000-01-01@00:00:00", 32_503_680_000, 0),
      ("1900-01-01", -2_208_988_800, 0), ("0001-01-01", -62_135_596_800, 0),
      ("9999-12-31T23:59:59", 253_402_300_799, 0), ("2024-02-29", 1_709_164_800, 0),
      ("2000-02-29", 951_782_400, 0),
      // Before 1970 the nanoseconds still count forwards, and the pair keeps one sign.
      ("1969-12-31@23:59:58:500000000", -1, -500_000_000), ("1969-12-31T23:59:59.25", 0, -750_000_000),
    ] as [(String, Int64, Int32)])
  func civilDates(text: String, seconds: Int64, nanoseconds: Int32) throws {
    #expect(try literal(text) == .date(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test("identities take any case of word and digit, blanks and quotes")
  func identities() throws {
    let uuid = Literal.uuid([0x12, 0x34, 0xAB, 0xCD, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 5])
    for text in [
      "uuid(1234abcd-0000-4000-8000-000000000005)", "UUID( 1234ABCD-0000-4000-8000-000000000005 )",
      "uuid('1234abcd-0000-4000-8000-000000000005')", "Uuid(\"1234abcd-0000-4000-8000-000000000005\" )",
    ] {
      #expect(try literal(text) == uuid)
    }
    let objectID = Literal.objectID([0x5F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0A])
    for text in ["oid(5f000000000000000000000a)", "OID('5F000000000000000000000A')"] {
      #expect(try literal(text) == objectID)
    }
  }

  @Test("raw object keys are literals")
  func objectKeys() throws {
    #expect(try literal("O12") == .objectKey(12))
    #expect(try literal("L3:12") == .typedObjectKey(table: 3, key: 12))
  }

  @Test("object references name a class and a primary key")
  func objectReferences() throws {
    #expect(try canonical("x == OBJ( \"class_Dog\" , -7 )") == "x == obj('class_Dog', -7)")
    #expect(try canonical("x == obj('Dog', $1)") == "x == obj('Dog', $1)")
    #expect(
      try canonical("x IN {obj('Dog', oid(5f000000000000000000000a)), NULL}")
        == "x IN {obj('Dog', oid(5f000000000000000000000a)), NULL}")
  }

  @Test("arguments count from 0; specifiers count among themselves")
  func arguments() throws {
    func references(_ text: String) throws -> [ArgumentReference] {
      guard case .and(let members) = try parsed(text).condition.kind else { return [] }
      return members.compactMap { member in
        guard case .comparison(let comparison) = member.kind,
          case .constant(let constant) = comparison.right.kind, case .argument(let reference) = constant.kind
        else { return nil }
        return reference
      }
    }
    #expect(
      try references("a == $1 AND b == $0") == [
        ArgumentReference(index: 1, style: .dollar), ArgumentReference(index: 0, style: .dollar),
      ])
    #expect(
      try references("a == %@ AND %K == %lld AND c == %g AND d == '%@ $7'") == [
        ArgumentReference(index: 0, style: .specifier(.anything)),
        ArgumentReference(index: 2, style: .specifier(.integer)),
        ArgumentReference(index: 3, style: .specifier(.floatingPoint)),
      ])
  }
}
