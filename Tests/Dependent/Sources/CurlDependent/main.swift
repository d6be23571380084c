import Teapot
import TeapotCurl

// Nobody listens there.
guard let baseURL = URL(string: "http://127.0.0.1:1") else { exit(1) }

#if os(Linux)
    print("libcurl: \(CurlTransport.version?.libcurl ?? "none")")
    let teapot = Teapot(baseURL: baseURL, transport: CurlTransport())
    do {
        try await teapot.get("get")
    } catch {
        print(error.failureReason ?? "\(error)")
    }
#endif
