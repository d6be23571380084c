import Foundation
import Teapot
import TeapotCurl
import TeapotMock
import Testing

struct Note: Codable, Sendable {
    let id: Int
    let title: String
}

//: README 2

/// The README's other samples, and those of the articles "Logging" and "Localization". `SamplesRunTests` runs some of them.
enum ReadmeSamples {
    static func client(baseURL: URL, loginURL: URL, show: (String) -> Void) async {
        //: README 3
    }

    static func logging(_ teapot: Teapot) {
        //: Logging 1
    }

    static func logger() -> Logger {
        //: Logging 2
        return logger
    }

    static func strings() {
        //: Localization 1
    }
}

struct ReadmeTests {
    //: README 4
}
