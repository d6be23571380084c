// Glibc has this constant, too, but of another type.
let SOCK_STREAM: Int32 = 1
let SO_NOSIGPIPE: Int32 = 0x1022
