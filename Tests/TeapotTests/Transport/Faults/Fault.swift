import LoopbackServer
import Teapot
import TestSupport
import Testing

/// Something that a server does wrong, or rarely, and the outcome of the call: a row of the fault matrix.
///
/// The tables are `Fault+Topic.swift`.
struct Fault: CustomTestStringConvertible, Sendable {
    static let allShapes = [CallShape.sendClosure, .get, .download, .image, .upload, .postData]

    let name: String
    /// The script of the connection; `nil` if no server listens.
    let steps: [Script.Step]?
    /// `nil` for a success.
    var type: TeapotError.ErrorType?
    /// `nil` when there is no response.
    var status: Int?
    /// The body that is kept, for the caller or in the error.
    var body: String
    var cause: URLError.Code?
    var shapes = allShapes
    /// Whether a request has been answered on the connection before: until the first answer FoundationNetworking keeps a core
    /// busy.
    var isOnUsedConnection = false
    /// How many connections do the same.
    var connections = 1
    /// In bytes.
    var sizeLimit: Int?
    /// In seconds.
    var timeout = 120.0
    /// Whether nothing comes after the kept body, and the clock is moved on to the timeout then.
    var isSilent = false

    var testDescription: String { name }

    /// A call that fails.
    static func fails(
        _ name: String,
        _ steps: [Script.Step]?,
        _ type: TeapotError.ErrorType,
        _ status: Int? = nil,
        keeps body: String = "",
        cause: URLError.Code? = nil
    ) -> Fault {
        Fault(name: name, steps: steps, type: type, status: status, body: body, cause: cause)
    }

    /// A call whose response has no success.
    static func refuses(_ name: String, _ steps: [Script.Step], _ status: Int, keeps body: String = "{}") -> Fault {
        fails(name, steps, .invalidResponseStatus, status, keeps: body)
    }

    /// A call whose body is not whole.
    static func breaks(_ name: String, _ steps: [Script.Step], keeps body: String = "") -> Fault {
        fails(name, steps, .dataTaskError, 200, keeps: body)
    }

    /// A call that succeeds in spite of it.
    static func succeeds(
        _ name: String,
        _ steps: [Script.Step],
        _ status: Int = 200,
        with body: String = "{}"
    ) -> Fault {
        Fault(name: name, steps: steps, type: nil, status: status, body: body)
    }

    /// Changes the expectation from a version of libcurl on.
    func from(_ libcurl: Libcurl, _ change: (inout Fault) -> Void) -> Fault {
        Libcurl.isAtLeast(libcurl) ? with(change) : self
    }

    /// The response is refused.
    static let refuse: @Sendable (inout Fault) -> Void = {
        ($0.type, $0.status, $0.body, $0.cause) = (.noResponse, nil, "", nil)
    }

    func with(_ change: (inout Fault) -> Void) -> Fault {
        var fault = self
        change(&fault)
        return fault
    }

    /// A script that reads the request, sends a response, and closes the connection.
    static func answer(_ text: String, _ rest: Script.Step...) -> [Script.Step] {
        [.readRequest, .send(text)] + rest
    }
}
