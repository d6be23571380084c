#if os(Linux)
    /// The transport of a program that also runs on Apple platforms: this one is ``CurlTransport``, and on Apple platforms it is
    /// `URLSessionTransport`.
    ///
    /// ```swift
    /// let teapot = Teapot(baseURL: baseURL, transport: PortableTransport())
    /// ```
    ///
    /// The two have only this initializer in common.
    public typealias PortableTransport = CurlTransport
#else
    public import Teapot

    /// The transport of a program that also runs on Linux: this one is `URLSessionTransport`, and on Linux it is `CurlTransport`.
    ///
    /// ```swift
    /// let teapot = Teapot(baseURL: baseURL, transport: PortableTransport())
    /// ```
    ///
    /// The two have only this initializer in common.
    public typealias PortableTransport = URLSessionTransport
#endif
