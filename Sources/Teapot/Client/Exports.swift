// `import Teapot` alone makes `URLSessionTask`, `HTTPURLResponse`, `Bundle` and `Data` available, on Linux too.
@_exported public import TeapotFoundation
