// Module and class share a name, so that `Teapot.Logger` is no way to tell one from that of another module.

/// ``Logger``, for files that import another module with a type of that name, such as swift-log.
public typealias TeapotLogger = Logger

/// ``JSON``, for files that import another module with a type of that name.
public typealias TeapotJSON = JSON

/// ``Transport``, for files that import another module with a type of that name.
public typealias TeapotTransport = Transport
