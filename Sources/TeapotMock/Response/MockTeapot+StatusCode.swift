import Teapot

extension MockTeapot {
    /// The status of a mocked response: one of the names, or any integer literal.
    public struct StatusCode: RawRepresentable, ExpressibleByIntegerLiteral, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Makes a status from a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Makes a status from an integer literal.
        public init(integerLiteral value: Int) {
            rawValue = value
        }

        /// 200
        public static let ok: StatusCode = 200
        /// 201
        public static let created: StatusCode = 201
        /// 202
        public static let accepted: StatusCode = 202
        /// 204
        public static let noContent: StatusCode = 204
        /// 304
        public static let notModified: StatusCode = 304
        /// 400
        public static let badRequest: StatusCode = 400
        /// 401
        public static let unauthorized: StatusCode = 401
        /// 403
        public static let forbidden: StatusCode = 403
        /// 404
        public static let notFound: StatusCode = 404
        /// 405
        public static let methodNotAllowed: StatusCode = 405
        /// 409
        public static let conflict: StatusCode = 409
        /// 410
        public static let gone: StatusCode = 410
        /// 422
        public static let unprocessableContent: StatusCode = 422
        /// 429
        public static let tooManyRequests: StatusCode = 429
        /// 500
        public static let internalServerError: StatusCode = 500
        /// 502
        public static let badGateway: StatusCode = 502
        /// 503
        public static let serviceUnavailable: StatusCode = 503
        /// 504
        public static let gatewayTimeout: StatusCode = 504
    }
}
