@testable import Teapot
import TestSupport
import TestTraits
import Testing

#if canImport(FoundationNetworking)
    /// The sentences for people. Each test has a process of its own, with its own language and app bundle.
    @Suite(.inTurn, .exitTests)
    struct TeapotErrorSentenceTests {
        typealias Row = (sentences: [String], codes: [URLError.Code])
        private static let languages = ["en_US", "de_DE", "nb_NO", "zh_CN"]
        private static let rows: [Row] = [
            (
                [
                    "No connection to the server: the network or the server is not available.",
                    "Keine Verbindung zum Server: Das Netzwerk oder der Server ist nicht verfügbar.",
                    "Ingen forbindelse til serveren: nettverket eller serveren er ikke tilgjengelig.",
                    "无法连接到服务器：网络或服务器不可用。",
                ],
                [
                    .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost,
                    .internationalRoamingOff, .callIsActive, .dataNotAllowed,
                ]
            ),
            (
                [
                    "A secure connection to the server could not be established.",
                    "Eine sichere Verbindung zum Server konnte nicht hergestellt werden.",
                    "En sikker forbindelse til serveren kunne ikke opprettes.", "无法与服务器建立安全连接。",
                ],
                [.secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired]
            ),
            (
                [
                    "No response received: the server's certificate was refused.",
                    "Keine Antwort erhalten: Das Zertifikat des Servers wurde abgelehnt.",
                    "Ingen respons mottatt: serverens sertifikat ble avvist.", "未收到响应：服务器的证书被拒绝。",
                ],
                [
                    .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                    .serverCertificateHasUnknownRoot,
                ]
            ),
            (
                [
                    "The server took too long to respond.", "Der Server hat nicht rechtzeitig geantwortet.",
                    "Serveren brukte for lang tid på å svare.", "服务器响应超时。",
                ],
                [.timedOut]
            ),
            (
                [
                    "The connection to the server was lost.", "Die Verbindung zum Server wurde unterbrochen.",
                    "Forbindelsen til serveren ble brutt.", "与服务器的连接已断开。",
                ],
                [.networkConnectionLost]
            ),
        ]
        private static let unsent = [
            "The request could not be sent.", "Die Anfrage konnte nicht gesendet werden.",
            "Forespørselen kunne ikke sendes.", "无法发送请求。",
        ]
        private static let codes = rows.flatMap(\.codes)
        private static let unknown = [URLError.Code.unknown, .badServerResponse, .cannotParseResponse, .badURL]

        /// The errors of a failed exchange without and with a response.
        private static func errors(_ cause: any Error) -> [TeapotError] {
            [nil, HTTPURLResponse.standIn(for: URL(filePath: "/"))].map {
                let head = $0.map(ResponseHead.foundation)
                let result = ExchangeResult(
                    response: head,
                    data: Data(),
                    error: cause,
                    timings: Teapot.Timings(),
                    sinkState: .none
                )
                return result.failure(.standard)
            }
        }

        private static func sentences(_ code: URLError.Code) -> [String] {
            errors(URLError(code, userInfo: [NSLocalizedDescriptionKey: "why"])).map(\.description)
        }

        @Test func `say in each language what a person understands`() async {
            await #expect(processExitsWith: .success) {
                for (index, language) in Self.languages.enumerated() {
                    setenv("LC_ALL", language, 1)
                    for (sentences, codes) in Self.rows {
                        for code in codes {
                            #expect(Self.sentences(code) == [sentences[index], sentences[index]])
                        }
                    }
                    #expect(TeapotError.invalidPayload(reason: "why").description == Self.unsent[index])
                    for cause in [URLError(.timedOut), FailureReason("why"), TeapotError.missingToken] as [any Error] {
                        let errors = Self.errors(BodyError(cause: cause))
                        #expect(errors.map(\.description) == [Self.unsent[index], Self.unsent[index]])
                        let causes = errors.map { $0.underlyingError.map { "\(type(of: $0))" } }
                        #expect(causes == ["\(type(of: cause))", "\(type(of: cause))"])
                    }
                }
            }
        }

        @Test func `are those of the original where nothing better is known`() async {
            await #expect(processExitsWith: .success) {
                setenv("LC_ALL", "C", 1)
                let original = [
                    "No response received from server.", "An error occurred: data task error occurred: why.",
                ]
                for code in Self.unknown { #expect(Self.sentences(code) == original) }
                #expect(Self.errors(FailureReason("why")).map(\.description) == original)
            }
        }

        @Test func `are an app's own for all causes if it has only the key of the original`() async {
            await #expect(processExitsWith: .success) {
                setenv("LC_ALL", "de_DE", 1)
                let texts = """
                    "Teapot:NoResponse" = "Offline?"; "Teapot:DataTaskError" = "Broken: %@.";
                    "Teapot:InvalidPayload" = "Unsent";
                    """
                // English is the app's only language, or German is, and English has all keys.
                for strings in [["": texts], ["de": texts, "en": #""Teapot:TimedOut" = "Too slow";"#]] {
                    try TemporaryBundle.with(strings: strings) { bundle in
                        Teapot.localizationBundle = bundle
                        for code in Self.codes + Self.unknown {
                            #expect(Self.sentences(code) == ["Offline?", "Broken: why."])
                        }
                        #expect(Self.errors(BodyError("why")).map(\.description) == ["Offline?", "Broken: why."])
                        #expect(TeapotError.invalidPayload(reason: "why").description == "Unsent")
                    }
                }
            }
        }

        @Test func `are an app's own for one cause if it has that key`() async {
            await #expect(processExitsWith: .success) {
                setenv("LC_ALL", "C", 1)
                let texts = #""Teapot:NoResponse" = "Offline?"; "Teapot:TimedOut" = "Too slow";"#
                try TemporaryBundle.with(strings: ["": texts]) { bundle in
                    Teapot.localizationBundle = bundle
                    #expect(Self.sentences(.timedOut) == ["Too slow", "Too slow"])
                    #expect(
                        Self.sentences(.networkConnectionLost) == [
                            "Offline?", "The connection to the server was lost.",
                        ]
                    )
                }
            }
        }

        @Test func `say of a validation that it failed`() async {
            await #expect(processExitsWith: .success) {
                let url = try #require(URL(string: "http://h"))
                let http = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
                let response = Teapot.Response(data: Data(), http: http)
                for (language, sentence) in zip(
                    Self.languages,
                    [
                        "An error occurred: the validation of the response failed: why.",
                        "Ein Fehler ist aufgetreten: Die Prüfung der Antwort ist fehlgeschlagen: why.",
                        "Det oppstod en feil: valideringen av responsen mislyktes: why.", "发生错误：响应未通过验证：why。",
                    ]
                ) {
                    setenv("LC_ALL", language, 1)
                    let error = response.parsingError(FailureReason("why"), special: "Teapot:ValidationFailed")
                    #expect(error.description == sentence)
                }
            }
        }

        @Test func `say JSON only of JSON`() async {
            await #expect(processExitsWith: .success) {
                setenv("LC_ALL", "C", 1)
                let (json, unsent) = ("An error occurred: the payload cannot be sent as JSON.", Self.unsent[0])
                let deep = (0..<200).reduce([1] as [Any]) { nested, _ in [nested] }
                let teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
                let sentences: [(String, () async throws(TeapotError) -> Void)] = [
                    (json, { () throws(TeapotError) in _ = try JSONWriter.data(of: ["a": Date()]) }),
                    (json, { () throws(TeapotError) in _ = try JSONWriter.data(of: deep) }),
                    (json, { () throws(TeapotError) in _ = try [JSON([["a": 1]])].requestParameter() }),
                    (json, { () throws(TeapotError) in _ = try Teapot.Request.Body.json(Double.nan).encoded() }),
                    (unsent, { () throws(TeapotError) in _ = try Teapot.Request.Body.form(encoding: [[1]]).encoded() }),
                    (
                        unsent,
                        { () throws(TeapotError) in try await teapot.send(.init(path: "a", body: .init(Data()))) }
                    ),
                    (unsent, { () throws(TeapotError) in try await teapot.send(.init("A B", path: "a")) }),
                ]
                for (sentence, call) in sentences { #expect(await thrown(by: call)?.description == sentence) }
            }
        }

        @Test func `are compared, as descriptions are`() {
            #expect(TeapotError.noResponse(URLError(.timedOut)) != .noResponse(URLError(.cannotFindHost)))
            #expect(TeapotError.noResponse(URLError(.dnsLookupFailed)) == .noResponse(URLError(.cannotFindHost)))
        }
    }

    extension TeapotError {
        fileprivate static let missingToken = TeapotError(type: .fileError, description: "no token")
    }
#endif
