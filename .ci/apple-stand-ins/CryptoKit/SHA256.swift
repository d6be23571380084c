public import Foundation

public enum SHA256 {
    public static func hash(data: Data) -> [UInt8] { [] }
}
