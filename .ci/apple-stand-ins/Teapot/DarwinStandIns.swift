import Foundation

extension stat {
    var st_mtimespec: timespec { st_mtim }
}
