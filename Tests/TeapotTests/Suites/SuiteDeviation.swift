/// Rows of public suites that Teapot decides otherwise on purpose.
struct SuiteDeviation {
    let reason: String
    let ids: [String]

    /// Cookies, over both transports.
    static let cookies = [
        SuiteDeviation(
            reason: "the date was in the future when the suite was written",
            ids: ["hs-0002", "hs-comma0006"]
        ),
        SuiteDeviation(
            reason: "RFC 6265, section 5.2, ignores a cookie without a name or without `=`; browsers send it",
            ids: [
                "wpt-value_value_html-6", "wpt-value_value_html-9", "wpt-attributes_invalid_html-21",
                "wpt-attributes_invalid_html-22", "wpt-attributes_invalid_html-23", "wpt-attributes_invalid_html-24",
                "wpt-attributes_max_age_html-8", "wpt-size_name_and_value_html-7",
            ]
        ),
        SuiteDeviation(
            reason: "an empty Domain counts, and means this host only, as in RFC 6265bis, section 5.6.3",
            ids: ["hs-optional-domain0042"]
        ),
        SuiteDeviation(
            reason: "a header with a NUL is refused (RFC 9110, section 5.5)",
            ids: ["hs-disabled-chromium0022"]
        ),
    ]

    /// Cookies over `URLSession`.
    static let joinedCookies = [
        SuiteDeviation(
            reason: "a comma with a blank after it separates cookies, as FoundationNetworking joins them",
            ids: [
                "hs-0017", "hs-0018", "hs-0019", "hs-comma0007", "wpt-attributes_invalid_html-17",
                "wpt-attributes_invalid_html-18", "wpt-attributes_expires_html-1",
            ]
        ),
        SuiteDeviation(
            reason: "FoundationNetworking refuses a header that is not UTF-8",
            ids: ["wpt-bytes-set"]
        ),
    ]

    /// Cookies over `CurlTransport`.
    static let separateCookies = [
        SuiteDeviation(
            reason: "the date was in the future when the suite was written",
            ids: ["hs-comma0007"]
        )
    ]

    /// Dates, and numbers of seconds.
    static let dates = [
        SuiteDeviation(
            reason: "two fields that were joined: the first counts",
            ids: ["retrysec-9"]
        ),
        SuiteDeviation(
            reason: "some servers ask for a part of a second",
            ids: ["retrysec-5"]
        ),
    ]

    /// Streams of events.
    static let events = [
        SuiteDeviation(
            reason: "any 2xx with events is a stream, as for other responses; a browser wants 200",
            ids: ["sse-request-status-error-205", "sse-request-status-error-210", "sse-request-status-error-299"]
        )
    ]
}
