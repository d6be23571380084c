import Teapot

extension MockTeapot {
    /// The status of a mocked response: one of the names of the IANA registry, or any integer literal.
    public struct StatusCode: RawRepresentable, ExpressibleByIntegerLiteral, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Makes a status from a number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Makes a status from an integer literal.
        public init(integerLiteral value: Int) { rawValue = value }

        /// 100
        public static let `continue`: StatusCode = 100
        /// 101
        public static let switchingProtocols: StatusCode = 101
        /// 102
        public static let processing: StatusCode = 102
        /// 103
        public static let earlyHints: StatusCode = 103
        /// 200
        public static let ok: StatusCode = 200
        /// 201
        public static let created: StatusCode = 201
        /// 202
        public static let accepted: StatusCode = 202
        /// 203
        public static let nonAuthoritativeInformation: StatusCode = 203
        /// 204
        public static let noContent: StatusCode = 204
        /// 205
        public static let resetContent: StatusCode = 205
        /// 206
        public static let partialContent: StatusCode = 206
        /// 207
        public static let multiStatus: StatusCode = 207
        /// 208
        public static let alreadyReported: StatusCode = 208
        /// 226
        public static let imUsed: StatusCode = 226
        /// 300
        public static let multipleChoices: StatusCode = 300
        /// 301
        public static let movedPermanently: StatusCode = 301
        /// 302
        public static let found: StatusCode = 302
        /// 303
        public static let seeOther: StatusCode = 303
        /// 304
        public static let notModified: StatusCode = 304
        /// 305
        public static let useProxy: StatusCode = 305
        /// 307
        public static let temporaryRedirect: StatusCode = 307
        /// 308
        public static let permanentRedirect: StatusCode = 308
        /// 400
        public static let badRequest: StatusCode = 400
        /// 401
        public static let unauthorized: StatusCode = 401
        /// 402
        public static let paymentRequired: StatusCode = 402
        /// 403
        public static let forbidden: StatusCode = 403
        /// 404
        public static let notFound: StatusCode = 404
        /// 405
        public static let methodNotAllowed: StatusCode = 405
        /// 406
        public static let notAcceptable: StatusCode = 406
        /// 407
        public static let proxyAuthenticationRequired: StatusCode = 407
        /// 408
        public static let requestTimeout: StatusCode = 408
        /// 409
        public static let conflict: StatusCode = 409
        /// 410
        public static let gone: StatusCode = 410
        /// 411
        public static let lengthRequired: StatusCode = 411
        /// 412
        public static let preconditionFailed: StatusCode = 412
        /// 413
        public static let contentTooLarge: StatusCode = 413
        /// 414
        public static let uriTooLong: StatusCode = 414
        /// 415
        public static let unsupportedMediaType: StatusCode = 415
        /// 416
        public static let rangeNotSatisfiable: StatusCode = 416
        /// 417
        public static let expectationFailed: StatusCode = 417
        /// 421
        public static let misdirectedRequest: StatusCode = 421
        /// 422
        public static let unprocessableContent: StatusCode = 422
        /// 423
        public static let locked: StatusCode = 423
        /// 424
        public static let failedDependency: StatusCode = 424
        /// 425
        public static let tooEarly: StatusCode = 425
        /// 426
        public static let upgradeRequired: StatusCode = 426
        /// 428
        public static let preconditionRequired: StatusCode = 428
        /// 429
        public static let tooManyRequests: StatusCode = 429
        /// 431
        public static let requestHeaderFieldsTooLarge: StatusCode = 431
        /// 451
        public static let unavailableForLegalReasons: StatusCode = 451
        /// 500
        public static let internalServerError: StatusCode = 500
        /// 501
        public static let notImplemented: StatusCode = 501
        /// 502
        public static let badGateway: StatusCode = 502
        /// 503
        public static let serviceUnavailable: StatusCode = 503
        /// 504
        public static let gatewayTimeout: StatusCode = 504
        /// 505
        public static let httpVersionNotSupported: StatusCode = 505
        /// 506
        public static let variantAlsoNegotiates: StatusCode = 506
        /// 507
        public static let insufficientStorage: StatusCode = 507
        /// 508
        public static let loopDetected: StatusCode = 508
        /// 510
        public static let notExtended: StatusCode = 510
        /// 511
        public static let networkAuthenticationRequired: StatusCode = 511
    }
}
