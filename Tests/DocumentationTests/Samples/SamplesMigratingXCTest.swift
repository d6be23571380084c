//: MigratingFromTheOriginal 2
