import Foundation

let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension stat {
    var st_mtimespec: timespec { st_mtim }
}

func pthread_cond_timedwait_relative_np(
    _ condition: UnsafeMutablePointer<pthread_cond_t>,
    _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    _ time: UnsafePointer<timespec>
) -> Int32 { pthread_cond_timedwait(condition, mutex, time) }
