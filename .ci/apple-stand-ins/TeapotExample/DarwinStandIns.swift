// Glibc has this constant, too, but of another type.
let RUSAGE_SELF: Int32 = 0
