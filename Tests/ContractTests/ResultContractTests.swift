import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The result of a call, whatever answers it.
@Suite(.inTurn)
struct ResultContractTests {
    @Test(arguments: Backend.available)
    func `a HEAD response has no body`(backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let result = await result { teapot.head("get", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.json == nil)
        #expect(Teapot.HeaderFields(result.response)["content-type"]?.hasPrefix("application/json") == true)
    }

    @Test(arguments: Backend.available)
    func `a body that is neither an object nor an array of objects is not an error`(backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-numbers")
        let result = await result { teapot.get("html", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.json == nil)
    }

    @Test(arguments: Backend.available)
    func `an image downloads by either verb`(backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-image.png")
        for result in [
            await imageResult { teapot.downloadImage(path: "image/png", completion: $0) },
            await imageResult { teapot.get("image/png", completion: $0) },
        ] {
            #expect(result.error == nil)
            #expect(result.image?.mediaType == "image/png")
        }
        #expect(try await teapot.downloadImage(path: "image/png").mediaType == "image/png")
    }

    @Test(arguments: Backend.available)
    func `JSON is not an image`(backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let result = await imageResult { teapot.downloadImage(path: "get", completion: $0) }
        #expect(result.error?.type == .missingImage)
        #expect(result.error?.data?.isEmpty == false)
        #expect(result.response.status == 200)
        let error = await #expect(throws: TeapotError.self) { try await teapot.downloadImage(path: "get") }
        #expect(error?.type == .missingImage)
        #expect(error?.data?.isEmpty == false)
    }
}
