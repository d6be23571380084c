// The part of libcurl 7.68 and later that TeapotCurl uses, and of zlib, looked up in the running process: neither their headers nor
// their development packages are needed. The numbers are part of libcurl's binary interface, which has been stable since 2006.
#ifndef CLIBCURL_H
#define CLIBCURL_H

#ifdef __linux__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One transfer at a time: `CURL`.
typedef struct clibcurl_easy clibcurl_easy;
/// Many transfers on one thread: `CURLM`, and its events.
typedef struct clibcurl_multi clibcurl_multi;
/// A URL in its parts: `CURLU`.
typedef struct clibcurl_url clibcurl_url;
/// A list of strings: `struct curl_slist`.
typedef struct clibcurl_list clibcurl_list;

/// Takes a piece of a header or of a body, or fills a buffer: `curl_write_callback`, `curl_read_callback`.
typedef size_t (*clibcurl_data_function)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
/// Begins a body again: `curl_seek_callback`.
typedef int (*clibcurl_seek_function)(void *_Nullable context, int64_t offset, int origin);
/// Called when there is a connection, before a request is sent: `curl_prereq_callback`.
typedef int (*clibcurl_prerequest_function)(
    void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port, int local_port);

/// The address of a server: the beginning of `struct curl_sockaddr`.
typedef struct {
    int family;
    int type;
    int protocol;
} clibcurl_address;
/// Opens a socket, and returns it: `curl_opensocket_callback`.
typedef int (*clibcurl_open_socket_function)(
    void *_Nullable context, int purpose, const clibcurl_address *_Nonnull address);
/// Closes a socket: `curl_closesocket_callback`.
typedef int (*clibcurl_close_socket_function)(void *_Nullable context, int descriptor);
/// Takes text about a transfer, which is not terminated, if the kind is 0: `curl_debug_callback`.
typedef int (*clibcurl_debug_function)(
    clibcurl_easy *_Nonnull easy, int kind, char *_Nonnull text, size_t count, void *_Nullable context);

/// The version and features of a libcurl: the beginning of `curl_version_info_data`.
typedef struct {
    int age;
    const char *_Nonnull version;
    /// 0xXXYYZZ for XX.YY.ZZ.
    unsigned int number;
    const char *_Nullable host;
    /// Bits of `CLIBCURL_FEATURE_…`.
    int features;
    /// Name and version of the TLS library; NULL where there is none.
    const char *_Nullable tls;
} clibcurl_version;

enum {
    CLIBCURL_FEATURE_HTTP2 = 1 << 16,
    CLIBCURL_FEATURE_THREADSAFE = 1 << 30,
};

/// `CURLOPT_…`
typedef enum {
    CLIBCURL_VERBOSE = 41,
    CLIBCURL_NOBODY = 44,
    CLIBCURL_POST = 47,
    CLIBCURL_FRESH_CONNECT = 74,
    CLIBCURL_FORBID_REUSE = 75,
    CLIBCURL_HTTPGET = 80,
    CLIBCURL_HTTP_VERSION = 84,
    CLIBCURL_DNS_CACHE_TIMEOUT = 92,
    CLIBCURL_BUFFERSIZE = 98,
    CLIBCURL_NOSIGNAL = 99,
    CLIBCURL_CONNECTTIMEOUT_MS = 156,
    CLIBCURL_HTTP_TRANSFER_DECODING = 157,
    CLIBCURL_PROTOCOLS = 181,
    CLIBCURL_PATH_AS_IS = 234,
    CLIBCURL_PIPEWAIT = 237,
    CLIBCURL_SUPPRESS_CONNECT_HEADERS = 265,
    CLIBCURL_UPLOAD_BUFFERSIZE = 280,
    CLIBCURL_HTTP09_ALLOWED = 285,
    CLIBCURL_MAXAGE_CONN = 288,
    CLIBCURL_MAXLIFETIME_CONN = 314,
    CLIBCURL_QUICK_EXIT = 322,
    CLIBCURL_WRITEDATA = 10001,
    CLIBCURL_URL = 10002,
    CLIBCURL_PROXY = 10004,
    CLIBCURL_READDATA = 10009,
    CLIBCURL_ERRORBUFFER = 10010,
    CLIBCURL_HTTPHEADER = 10023,
    CLIBCURL_SSLCERT = 10025,
    CLIBCURL_KEYPASSWD = 10026,
    CLIBCURL_HEADERDATA = 10029,
    CLIBCURL_CUSTOMREQUEST = 10036,
    CLIBCURL_REQUEST_TARGET = 10266,
    CLIBCURL_CAINFO = 10065,
    CLIBCURL_SSLKEY = 10087,
    CLIBCURL_DEBUGDATA = 10095,
    CLIBCURL_CAPATH = 10097,
    CLIBCURL_PRIVATE = 10103,
    CLIBCURL_OPENSOCKETDATA = 10164,
    CLIBCURL_SEEKDATA = 10168,
    CLIBCURL_NOPROXY = 10177,
    CLIBCURL_RESOLVE = 10203,
    CLIBCURL_CLOSESOCKETDATA = 10209,
    CLIBCURL_PINNEDPUBLICKEY = 10230,
    CLIBCURL_UNIX_SOCKET_PATH = 10231,
    CLIBCURL_PROXY_CAINFO = 10246,
    CLIBCURL_PROXY_CAPATH = 10247,
    CLIBCURL_PROXY_SSLCERT = 10254,
    CLIBCURL_PROXY_SSLKEY = 10256,
    CLIBCURL_PROXY_KEYPASSWD = 10258,
    CLIBCURL_PREREQDATA = 10313,
    CLIBCURL_WRITEFUNCTION = 20011,
    CLIBCURL_READFUNCTION = 20012,
    CLIBCURL_HEADERFUNCTION = 20079,
    CLIBCURL_SEEKFUNCTION = 20167,
    CLIBCURL_PREREQFUNCTION = 20312,
    CLIBCURL_POSTFIELDSIZE_LARGE = 30120,
    CLIBCURL_SSLCERT_BLOB = 40291,
    CLIBCURL_SSLKEY_BLOB = 40292,
    CLIBCURL_PROXY_SSLCERT_BLOB = 40293,
    CLIBCURL_PROXY_SSLKEY_BLOB = 40294,
    CLIBCURL_CAINFO_BLOB = 40309,
    CLIBCURL_PROXY_CAINFO_BLOB = 40310,
} clibcurl_option;

/// `CURLMOPT_…`
typedef enum {
    CLIBCURL_MAXCONNECTS = 6,
    CLIBCURL_MAX_HOST_CONNECTIONS = 7,
    CLIBCURL_MAX_TOTAL_CONNECTIONS = 13,
} clibcurl_multi_option;

/// `CURLINFO_…`
typedef enum {
    CLIBCURL_INFO_PRIMARY_IP = 0x100000 + 32,
    CLIBCURL_INFO_HEADER_SIZE = 0x200000 + 11,
    CLIBCURL_INFO_OS_ERRNO = 0x200000 + 25,
    CLIBCURL_INFO_REQUEST_SIZE = 0x200000 + 12,
    CLIBCURL_INFO_SSL_VERIFYRESULT = 0x200000 + 13,
    CLIBCURL_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
    CLIBCURL_INFO_NUM_CONNECTS = 0x200000 + 26,
    CLIBCURL_INFO_PRIMARY_PORT = 0x200000 + 40,
    CLIBCURL_INFO_HTTP_VERSION = 0x200000 + 46,
    CLIBCURL_INFO_PROXY_SSL_VERIFYRESULT = 0x200000 + 47,
    CLIBCURL_INFO_PROXY_ERROR = 0x200000 + 59,
    CLIBCURL_INFO_SIZE_UPLOAD = 0x600000 + 7,
    CLIBCURL_INFO_SIZE_DOWNLOAD = 0x600000 + 8,
    CLIBCURL_INFO_NAMELOOKUP_TIME = 0x600000 + 51,
    CLIBCURL_INFO_CONNECT_TIME = 0x600000 + 52,
    CLIBCURL_INFO_STARTTRANSFER_TIME = 0x600000 + 54,
    CLIBCURL_INFO_APPCONNECT_TIME = 0x600000 + 56,
} clibcurl_info;

/// `CURLE_…`: what a transfer or the setting of an option came to.
enum {
    CLIBCURL_OK = 0,
    CLIBCURL_COULDNT_RESOLVE_HOST = 6,
    CLIBCURL_COULDNT_CONNECT = 7,
    CLIBCURL_HTTP2_ERROR = 16,
    CLIBCURL_PARTIAL_FILE = 18,
    CLIBCURL_OUT_OF_MEMORY = 27,
    CLIBCURL_UNKNOWN_OPTION = 48,
    CLIBCURL_NOTHING_RECEIVED = 52,
    CLIBCURL_SEND_ERROR = 55,
    CLIBCURL_RECEIVE_ERROR = 56,
    CLIBCURL_UNREADABLE_CA = 77,
    CLIBCURL_PROXY_FAILED = 97,
    CLIBCURL_STREAM_ERROR = 92,
    CLIBCURL_TOO_LARGE = 100,
};

/// `CURLPX_…`: why a SOCKS proxy refuses.
enum {
    CLIBCURL_SOCKS_NO_METHOD = 12,
    CLIBCURL_SOCKS_USER_REJECTED = 33,
};

enum {
    /// `CURL_WRITEFUNC_PAUSE`
    CLIBCURL_PAUSE = 0x10000001,
    /// `CURL_READFUNC_ABORT`
    CLIBCURL_ABORT = 0x10000000,
    /// `CURL_SEEKFUNC_FAIL` and `CURL_PREREQFUNC_ABORT`
    CLIBCURL_REFUSE = 1,
    /// `CURLPROTO_HTTP | CURLPROTO_HTTPS`
    CLIBCURL_HTTP_AND_HTTPS = 3,
};

/// `CURL_HTTP_VERSION_…`
enum {
    CLIBCURL_HTTP_1_1 = 2,
    CLIBCURL_HTTP_2_OVER_TLS = 4,
    CLIBCURL_HTTP_2_PRIOR_KNOWLEDGE = 5,
};

/// The length of the buffer for `CLIBCURL_ERRORBUFFER`: `CURL_ERROR_SIZE`.
enum { CLIBCURL_ERROR_LENGTH = 256 };

/// Looks up the functions: without glibc in the program itself first, then in the library that the process has loaded already, or
/// else in one that it loads. Called once, before any other function, and not from two threads at once. It must be 7.68 or later.
///
/// - Returns: NULL, or why it cannot be used; no function has changed then.
const char *_Nullable clibcurl_load(const char *_Nonnull library);

/// `curl_global_init` with `CURL_GLOBAL_ALL`: 0, or an error.
int clibcurl_global_init(void);
/// `curl_version_info`
const clibcurl_version *_Nonnull clibcurl_version_info(void);

// A handle of one transfer.
clibcurl_easy *_Nullable clibcurl_easy_init(void);
void clibcurl_easy_cleanup(clibcurl_easy *_Nonnull easy);
/// Does a transfer on the calling thread, for the floor of the benchmark.
int clibcurl_easy_perform(clibcurl_easy *_Nonnull easy);
const char *_Nonnull clibcurl_easy_error(int code);
/// Goes on after `CLIBCURL_PAUSE`.
int clibcurl_easy_resume(clibcurl_easy *_Nonnull easy);

// `curl_easy_setopt`, which is variadic, once for each type of argument.
int clibcurl_set_long(clibcurl_easy *_Nonnull easy, clibcurl_option option, long value);
int clibcurl_set_offset(clibcurl_easy *_Nonnull easy, clibcurl_option option, int64_t value);
int clibcurl_set_string(clibcurl_easy *_Nonnull easy, clibcurl_option option, const char *_Nullable value);
int clibcurl_set_list(clibcurl_easy *_Nonnull easy, clibcurl_option option, const clibcurl_list *_Nullable value);
int clibcurl_set_pointer(clibcurl_easy *_Nonnull easy, clibcurl_option option, void *_Nullable value);
int clibcurl_set_data_function(
    clibcurl_easy *_Nonnull easy, clibcurl_option option, clibcurl_data_function _Nullable function);
int clibcurl_set_seek_function(clibcurl_easy *_Nonnull easy, clibcurl_seek_function _Nullable function);
int clibcurl_set_prerequest_function(clibcurl_easy *_Nonnull easy, clibcurl_prerequest_function _Nullable function);
int clibcurl_set_open_socket_function(
    clibcurl_easy *_Nonnull easy, clibcurl_open_socket_function _Nullable function);
int clibcurl_set_close_socket_function(
    clibcurl_easy *_Nonnull easy, clibcurl_close_socket_function _Nullable function);
int clibcurl_set_debug_function(clibcurl_easy *_Nonnull easy, clibcurl_debug_function _Nullable function);
/// Bytes that libcurl copies.
int clibcurl_set_blob(clibcurl_easy *_Nonnull easy, clibcurl_option option, const void *_Nonnull bytes, size_t count);

// `curl_easy_getinfo`, which is variadic, once for each type of value: 0 or NULL where libcurl does not know.
long clibcurl_get_long(clibcurl_easy *_Nonnull easy, clibcurl_info info);
int64_t clibcurl_get_offset(clibcurl_easy *_Nonnull easy, clibcurl_info info);
const char *_Nullable clibcurl_get_string(clibcurl_easy *_Nonnull easy, clibcurl_info info);

/// Makes a longer list; NULL if there is no memory, and the old list is unchanged.
clibcurl_list *_Nullable clibcurl_list_append(clibcurl_list *_Nullable list, const char *_Nonnull text);
void clibcurl_list_free(clibcurl_list *_Nullable list);

/// Parses a URL; NULL if it is none, or there is no memory.
clibcurl_url *_Nullable clibcurl_url_parse(const char *_Nonnull text);
void clibcurl_url_free(clibcurl_url *_Nonnull parsed);
/// Sets a URL to use instead of `CLIBCURL_URL`, which must exist as long as the transfer; NULL for none. `CLIBCURL_URL` is set
/// afterwards, since libcurl removes it here from 8.12 on.
int clibcurl_set_url(clibcurl_easy *_Nonnull easy, clibcurl_url *_Nullable parsed);

// A handle of many transfers. All but `clibcurl_multi_wakeup` are called on one thread.
/// Makes one that waits by epoll, or by libcurl's own means, which look at all transfers each time.
///
/// - Returns: NULL if no memory or no descriptor is left.
clibcurl_multi *_Nullable clibcurl_multi_init(bool uses_epoll);
/// Ends all transfers, and closes their connections. Only a wake-up, which has no effect, and `clibcurl_multi_free` may follow.
void clibcurl_multi_cleanup(clibcurl_multi *_Nonnull multi);
/// After `clibcurl_multi_cleanup`, on any thread.
void clibcurl_multi_free(clibcurl_multi *_Nonnull multi);
int clibcurl_multi_set_long(clibcurl_multi *_Nonnull multi, clibcurl_multi_option option, long value);
int clibcurl_multi_add(clibcurl_multi *_Nonnull multi, clibcurl_easy *_Nonnull easy);
int clibcurl_multi_remove(clibcurl_multi *_Nonnull multi, clibcurl_easy *_Nonnull easy);
/// Does what can be done without waiting. After an error no transfer ends by itself.
int clibcurl_multi_perform(clibcurl_multi *_Nonnull multi);
/// Waits until something can be done, for at most a number of milliseconds.
int clibcurl_multi_poll(clibcurl_multi *_Nonnull multi, int milliseconds);
/// Ends the wait, or the next one. On any thread.
void clibcurl_multi_wakeup(clibcurl_multi *_Nonnull multi);
/// The next transfer that has ended, and its result.
///
/// - Returns: What `CLIBCURL_PRIVATE` was set to, or NULL when there is none.
void *_Nullable clibcurl_multi_next_done(clibcurl_multi *_Nonnull multi, int *_Nonnull code);

/// Whether a descriptor is the socket of a connection, by the text of the server's address and by both ports; after a reset, by the
/// port of this side.
bool clibcurl_is_connection(int descriptor, const char *_Nonnull remote, int remote_port, int local_port);
/// The number of bytes that the other end of a TCP connection has acknowledged; -1 if the system does not tell.
int64_t clibcurl_acknowledged(int descriptor);
/// Whether nothing lies in a socket: no bytes, no end, no error. If it is shared, bytes are allowed.
bool clibcurl_is_quiet(int descriptor, bool is_shared);

/// A decompressor of zlib: `z_stream`.
typedef struct clibcurl_inflater clibcurl_inflater;

/// The result of a step.
typedef enum {
    CLIBCURL_INFLATE_MORE,
    /// The end of the compressed data.
    CLIBCURL_INFLATE_END,
    CLIBCURL_INFLATE_DAMAGED,
} clibcurl_inflate_result;

/// Looks up zlib as ``clibcurl_load`` looks up libcurl, which needs it.
///
/// - Returns: Whether it can be used; otherwise no function has changed.
bool clibcurl_load_zlib(const char *_Nonnull library);
/// `inflateInit2`; NULL if there is no memory.
clibcurl_inflater *_Nullable clibcurl_inflater_init(int window_bits);
void clibcurl_inflater_free(clibcurl_inflater *_Nonnull inflater);
/// Begins anew, with the same format.
bool clibcurl_inflater_reset(clibcurl_inflater *_Nonnull inflater);
/// Decompresses until the input is used up or the output is full. The counts are changed to those of the bytes used.
clibcurl_inflate_result clibcurl_inflate(
    clibcurl_inflater *_Nonnull inflater, const uint8_t *_Nullable input, size_t *_Nonnull input_count,
    uint8_t *_Nonnull output, size_t *_Nonnull output_count);
/// The error of the last step; may be NULL.
const char *_Nullable clibcurl_inflater_message(clibcurl_inflater *_Nonnull inflater);

#endif
#endif
