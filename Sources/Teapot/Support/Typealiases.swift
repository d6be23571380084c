// The module and a class have the same name, so `Teapot.Logger` cannot distinguish it from a type of another module.

/// ``Logger``, for files that import another module with a type of that name, such as swift-log.
public typealias TeapotLogger = Logger

/// ``JSON``, for files that import another module with a type of that name.
public typealias TeapotJSON = JSON

/// ``Transport``, for files that import another module with a type of that name.
public typealias TeapotTransport = Transport
