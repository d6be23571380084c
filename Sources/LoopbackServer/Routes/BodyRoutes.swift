import Foundation

/// The routes that answer with a body of a kind.
enum BodyRoutes {
    static let all = [
        Route(["GET"], "image/png") { _, _ in Response(contentType: "image/png", body: SampleImages.png) },
        Route(["GET"], "image/jpeg") { _, _ in Response(contentType: "image/jpeg", body: SampleImages.jpeg) },
        Route(["GET"], "xml") { _, _ in
            Response(contentType: "application/xml", body: Data(SampleDocuments.xml.utf8))
        },
        Route(["GET"], "html") { _, _ in .html(SampleDocuments.html) },
        Route(["GET"], "encoding/utf8") { _, _ in .html(SampleDocuments.utf8) },
        Route(["GET"], "gzip") { request, _ in
            var summary = Echo(request).short
            summary["gzipped"] = .bool(true)
            return compressed(summary, as: "gzip", by: StoredCompression.gzip)
        },
        Route(["GET"], "deflate") { request, _ in
            var summary = Echo(request).short
            summary["deflated"] = .bool(true)
            return compressed(summary, as: "deflate", by: StoredCompression.zlib)
        },
    ]

    private static func compressed(_ object: [String: JSONValue], as coding: String, by compress: (Data) -> Data)
        -> Response
    {
        Response(contentType: "application/json", body: compress(JSONValue.object(object).data))
            .adding("Content-Encoding", coding)
    }
}
