import Foundation
import TeapotMock

/// A mistake in a response of a mock is named, not the list of responses that another overload takes.
func refused(_ mock: MockTeapot, data: Data) throws {
    try mock.overrideEndPoint("image", with: .data(data, mediaType: "image/png"))
}
