// Which programs wrote a file format. Layer: RealmCommands, Info.

import RealmEngine

/// The history of the format, for people who wonder where a file comes from.
enum FileGeneration {
  /// Who wrote files of this format.
  static func writers(ofFormat format: Int) -> String {
    switch format {
    case 0: "nothing was stored yet"
    case 2: "realm-core up to 0.89 (2014–2015: Objective-C and Swift 0.80–0.95, Java 0.70–0.82)"
    case 3, 4: "realm-core 0.90–0.99 (2015–2016: Objective-C and Swift 0.96–0.101, Java 0.83–0.89)"
    case 5: "realm-core 0.100 to 2.0 (2016: Swift 0.102–1.1, Java 0.90–1.2)"
    case 6: "realm-core 2.0–2.4 (2016–2017: Swift 2.0–2.4, Java 2–3.0)"
    case 7: "realm-core 2.5–2.9 (2017: Swift 2.5–2.10, Java 3)"
    case 8: "realm-core 3 (betas of 2017)"
    case 9: "realm-core 4 and 5 (2017–2020: Swift 3.0–4.4, Java 4–6, JavaScript 2–5, .NET 2–4)"
    case 10: "realm-core 6.0 (2019–2020: Swift 5.0–5.3)"
    case 11: "realm-core 6 (2020: Swift 5.4 and later)"
    case 20: "realm-core 10 (SDK releases of 2020 and 2021)"
    case 21: "betas of realm-core 11 (2021)"
    case 22: "realm-core 11 and 12 (SDK releases of 2021 and 2022)"
    case 23: "realm-core 13 (SDK releases of 2023)"
    case 24: "realm-core 14 (SDK releases from 2024 on)"
    case _ where format > FileFormat.newest: "a newer engine than this program knows"
    default: "no engine that is known"
    }
  }
}
