// Places as JSON: a GeoJSON point, or its coordinates. Layer: RealmSQL, Tables.

import RealmEngine
import TextFormats

extension GeoPosition {
  /// Longitude and latitude, the first two numbers of `[…]` or of `{"coordinates":[…]}`; nil for other texts.
  init?(json text: Span<UInt8>) {
    var reader = JSONReader(text)
    var numbers: [Double] = []
    var isInside = false
    var depth = 0
    var isCoordinates = true
    do throws(TextFormatError) {
      while numbers.count < 2 {
        switch try reader.next() {
        case .beginArray:
          isInside = isCoordinates
          depth += 1
        case .beginObject:
          isCoordinates = false
          depth += 1
        case .key: isCoordinates = depth == 1 && reader.text.string == "coordinates"
        case .integer, .number:
          if isInside { numbers.append(Double(reader.text.string) ?? .nan) }
        case .endArray, .endObject:
          isInside = false
          depth -= 1
          if depth == 0 { return nil }
        case .end: return nil
        case .string, .true, .false, .null: continue
        }
      }
    } catch {
      return nil
    }
    self.init(longitude: numbers[0], latitude: numbers[1])
  }
}
