// `import Teapot` alone is enough to name `URLSessionTask`, `HTTPURLResponse`, `Bundle` and `Data`, on Linux too.
@_exported public import TeapotFoundation
