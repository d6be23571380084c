#ifdef __linux__

#define _GNU_SOURCE
#include "CLibcurl.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// `CURLM`
typedef struct multi multi;
/// `curl_socket_callback`
typedef int (*socket_function)(clibcurl_easy *easy, int descriptor, int what, void *context, void *mark);
/// `curl_multi_timer_callback`
typedef int (*timer_function)(multi *of, long milliseconds, void *context);

// The functions that are looked up: result, name, parameters.
#define FUNCTIONS(F)                                                                                                   \
    F(int, global_init, (long))                                                                                        \
    F(const clibcurl_version *, version_info, (int))                                                                   \
    F(clibcurl_easy *, easy_init, (void))                                                                              \
    F(void, easy_cleanup, (clibcurl_easy *))                                                                           \
    F(int, easy_perform, (clibcurl_easy *))                                                                            \
    F(const char *, easy_strerror, (int))                                                                              \
    F(int, easy_pause, (clibcurl_easy *, int))                                                                         \
    F(int, easy_setopt, (clibcurl_easy *, int, ...))                                                                   \
    F(int, easy_getinfo, (clibcurl_easy *, int, ...))                                                                  \
    F(clibcurl_list *, slist_append, (clibcurl_list *, const char *))                                                  \
    F(void, slist_free_all, (clibcurl_list *))                                                                         \
    F(clibcurl_url *, url, (void))                                                                                     \
    F(int, url_set, (clibcurl_url *, int, const char *, unsigned int))                                                 \
    F(void, url_cleanup, (clibcurl_url *))                                                                             \
    F(multi *, multi_init, (void))                                                                                     \
    F(int, multi_cleanup, (multi *))                                                                                   \
    F(int, multi_setopt, (multi *, int, ...))                                                                          \
    F(int, multi_add_handle, (multi *, clibcurl_easy *))                                                               \
    F(int, multi_remove_handle, (multi *, clibcurl_easy *))                                                            \
    F(int, multi_perform, (multi *, int *))                                                                            \
    F(int, multi_poll, (multi *, void *, unsigned int, int, int *))                                                    \
    F(int, multi_socket_action, (multi *, int, int, int *))                                                            \
    F(int, multi_assign, (multi *, int, void *))                                                                       \
    F(message *, multi_info_read, (multi *, int *))

/// `CURLMsg`
typedef struct {
    int kind;
    clibcurl_easy *easy;
    union {
        void *whatever;
        int result;
    } data;
} message;

/// `struct curl_blob`
typedef struct {
    const void *bytes;
    size_t count;
    unsigned int flags;
} blob;

enum {
    /// 7.68, of January 2020
    oldest = 0x074400,
    global_all = 3,
    message_done = 1,
    pause_nothing = 0,
    info_private = 0x100000 + 21,
    option_socket_function = 20001,
    option_socket_data = 10002,
    option_timer_function = 20004,
    option_timer_data = 10005,
    option_debug_function = 20094,
    option_open_socket_function = 20163,
    option_close_socket_function = 20208,
    option_url = 10282,
    /// `CURLUPART_URL` and `CURLU_NON_SUPPORT_SCHEME`
    whole_url = 0,
    any_scheme = 8,
    blob_copy = 1,
};

#define DECLARE(RESULT, NAME, PARAMETERS) static RESULT(*NAME) PARAMETERS;
FUNCTIONS(DECLARE)

// A program for musl can be linked as a whole, with the libcurl and the zlib of FoundationNetworking: nothing can be loaded there.
// A weak reference is NULL if the program does not have the function. glibc loads libraries, and there a weak reference would do
// harm: with one of FoundationNetworking's own it becomes a strong one, and if the function is missing the program does not start.
#ifdef __GLIBC__
#define LINKED(NAME) NULL
#else
#define LINKED(NAME) (void *)NAME
#define REFER(RESULT, NAME, PARAMETERS) __attribute__((weak)) RESULT curl_##NAME PARAMETERS;
FUNCTIONS(REFER)
#endif

// A function of a library; of the program itself if the library is NULL. In C a pointer to a function is not one to an object;
// dlsym returns it as one all the same (POSIX).
#define FIND(NAME) (library ? dlsym(library, #NAME) : LINKED(NAME))

static void *load(const char *name) {
    void *loaded = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    return loaded ? loaded : dlopen(name, RTLD_NOW);
}

static const char *look_up(void *library) {
#define CHECK(RESULT, NAME, PARAMETERS)                                                                                \
    if (!FIND(curl_##NAME)) return "it lacks curl_" #NAME;
    FUNCTIONS(CHECK)
    const clibcurl_version *(*look)(int);
    *(void **)&look = FIND(curl_version_info);
    if (look(0)->number < oldest) {
        static char text[64];
        snprintf(text, sizeof text, "it is %s", look(0)->version);
        return text;
    }
#define LOOK_UP(RESULT, NAME, PARAMETERS) *(void **)&NAME = FIND(curl_##NAME);
    FUNCTIONS(LOOK_UP)
    return NULL;
}

const char *clibcurl_load(const char *library) {
    const char *reason = look_up(NULL);
    if (!reason) return NULL;
    void *loaded = load(library);
    if (loaded) return look_up(loaded);
    const char *error = dlerror();
    return LINKED(curl_global_init) || !error ? reason : error;
}

int clibcurl_global_init(void) { return global_init(global_all); }
const clibcurl_version *clibcurl_version_info(void) { return version_info(0); }

clibcurl_easy *clibcurl_easy_init(void) { return easy_init(); }
void clibcurl_easy_cleanup(clibcurl_easy *easy) { easy_cleanup(easy); }
int clibcurl_easy_perform(clibcurl_easy *easy) { return easy_perform(easy); }
const char *clibcurl_easy_error(int code) { return easy_strerror(code); }
int clibcurl_easy_resume(clibcurl_easy *easy) { return easy_pause(easy, pause_nothing); }

int clibcurl_set_long(clibcurl_easy *easy, clibcurl_option option, long value) {
    return easy_setopt(easy, option, value);
}
int clibcurl_set_offset(clibcurl_easy *easy, clibcurl_option option, int64_t value) {
    return easy_setopt(easy, option, value);
}
int clibcurl_set_string(clibcurl_easy *easy, clibcurl_option option, const char *value) {
    return easy_setopt(easy, option, value);
}
int clibcurl_set_list(clibcurl_easy *easy, clibcurl_option option, const clibcurl_list *value) {
    return easy_setopt(easy, option, value);
}
int clibcurl_set_pointer(clibcurl_easy *easy, clibcurl_option option, void *value) {
    return easy_setopt(easy, option, value);
}
int clibcurl_set_data_function(clibcurl_easy *easy, clibcurl_option option, clibcurl_data_function function) {
    return easy_setopt(easy, option, function);
}
int clibcurl_set_seek_function(clibcurl_easy *easy, clibcurl_seek_function function) {
    return easy_setopt(easy, CLIBCURL_SEEKFUNCTION, function);
}
int clibcurl_set_prerequest_function(clibcurl_easy *easy, clibcurl_prerequest_function function) {
    return easy_setopt(easy, CLIBCURL_PREREQFUNCTION, function);
}
int clibcurl_set_open_socket_function(clibcurl_easy *easy, clibcurl_open_socket_function function) {
    return easy_setopt(easy, option_open_socket_function, function);
}
int clibcurl_set_close_socket_function(clibcurl_easy *easy, clibcurl_close_socket_function function) {
    return easy_setopt(easy, option_close_socket_function, function);
}
int clibcurl_set_debug_function(clibcurl_easy *easy, clibcurl_debug_function function) {
    return easy_setopt(easy, option_debug_function, function);
}
int clibcurl_set_blob(clibcurl_easy *easy, clibcurl_option option, const void *bytes, size_t count) {
    blob value = {bytes, count, blob_copy};
    return easy_setopt(easy, option, &value);
}

long clibcurl_get_long(clibcurl_easy *easy, clibcurl_info info) {
    long value = 0;
    return easy_getinfo(easy, info, &value) == CLIBCURL_OK ? value : 0;
}
int64_t clibcurl_get_offset(clibcurl_easy *easy, clibcurl_info info) {
    int64_t value = 0;
    return easy_getinfo(easy, info, &value) == CLIBCURL_OK ? value : 0;
}
const char *clibcurl_get_string(clibcurl_easy *easy, clibcurl_info info) {
    const char *value = NULL;
    return easy_getinfo(easy, info, &value) == CLIBCURL_OK ? value : NULL;
}

clibcurl_list *clibcurl_list_append(clibcurl_list *list, const char *text) { return slist_append(list, text); }
void clibcurl_list_free(clibcurl_list *list) { slist_free_all(list); }

clibcurl_url *clibcurl_url_parse(const char *text) {
    clibcurl_url *parsed = url();
    if (!parsed || url_set(parsed, whole_url, text, any_scheme) == 0) return parsed;
    url_cleanup(parsed);
    return NULL;
}
void clibcurl_url_free(clibcurl_url *parsed) { url_cleanup(parsed); }
int clibcurl_set_url(clibcurl_easy *easy, clibcurl_url *parsed) { return easy_setopt(easy, option_url, parsed); }

// MARK: Events

enum {
    /// `CURL_POLL_…`
    poll_in = 1,
    poll_out = 2,
    /// `CURL_CSELECT_…`
    ready_in = 1,
    ready_out = 2,
    ready_error = 4,
    /// `CURL_WAIT_POLLIN`
    wait_in = 1,
    /// `CURL_SOCKET_TIMEOUT`
    timeout = -1,
    maximum_events = 64,
};

struct clibcurl_multi {
    multi *curl;
    /// Whether it waits by epoll: an event then costs the same, however many connections there are. libcurl's own wait looks at all
    /// of them, and is faster if they are few.
    bool uses_epoll;
    /// The sockets that libcurl waits for, and the wake-up.
    int events;
    /// An eventfd, which takes two system calls less than `curl_multi_wakeup`.
    int wake_up;
    /// When libcurl has something to do though nothing happens, in microseconds; negative for never.
    int64_t deadline;
    /// What has happened, if that is known.
    struct epoll_event ready[maximum_events];
    int ready_count;
    bool is_known;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/// libcurl waits for other events of a socket, or for none any more. The mark says whether the socket was put into epoll's set.
static int watch(clibcurl_easy *easy, int descriptor, int what, void *context, void *mark) {
    (void)easy;
    clibcurl_multi *multi = context;
    struct epoll_event event = {.data.fd = descriptor};
    if (what == poll_in || what == poll_out || what == (poll_in | poll_out)) {
        event.events = (what & poll_in ? EPOLLIN : 0) | (what & poll_out ? EPOLLOUT : 0);
        // It fails if no memory or no watch is left. The transfer ends by its timeout then.
        int result = epoll_ctl(multi->events, mark ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
        // The socket may have been closed, which takes it out of the set, and another one have its number.
        if (result != 0 && (errno == ENOENT || errno == EEXIST))
            result = epoll_ctl(multi->events, errno == ENOENT ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
        if (!mark && result == 0) multi_assign(multi->curl, descriptor, multi);
    } else if (mark) {
        epoll_ctl(multi->events, EPOLL_CTL_DEL, descriptor, &event);
        multi_assign(multi->curl, descriptor, NULL);
    }
    return 0;
}

static int set_timer(multi *of, long milliseconds, void *context) {
    (void)of;
    clibcurl_multi *multi = context;
    multi->deadline = milliseconds < 0 ? -1 : now() + (int64_t)milliseconds * 1000;
    return 0;
}

static bool init_epoll(clibcurl_multi *multi) {
    multi->events = epoll_create1(EPOLL_CLOEXEC);
    // Each write is an event, and nothing need be read.
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = multi->wake_up};
    return !epoll_ctl(multi->events, EPOLL_CTL_ADD, multi->wake_up, &event) &&
           !multi_setopt(multi->curl, option_socket_function, (socket_function)watch) &&
           !multi_setopt(multi->curl, option_socket_data, multi) &&
           !multi_setopt(multi->curl, option_timer_function, (timer_function)set_timer) &&
           !multi_setopt(multi->curl, option_timer_data, multi);
}

clibcurl_multi *clibcurl_multi_init(bool uses_epoll) {
    clibcurl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    int wake_up = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    *multi = (clibcurl_multi){
        .curl = multi_init(), .uses_epoll = uses_epoll, .events = -1, .wake_up = wake_up, .deadline = -1};
    if (multi->curl && wake_up >= 0 && (!uses_epoll || init_epoll(multi))) return multi;
    clibcurl_multi_cleanup(multi);
    clibcurl_multi_free(multi);
    return NULL;
}
void clibcurl_multi_cleanup(clibcurl_multi *multi) {
    if (multi->curl) multi_cleanup(multi->curl);
    if (multi->events >= 0) close(multi->events);
}
void clibcurl_multi_free(clibcurl_multi *multi) {
    if (multi->wake_up >= 0) close(multi->wake_up);
    free(multi);
}
int clibcurl_multi_set_long(clibcurl_multi *multi, clibcurl_multi_option option, long value) {
    return multi_setopt(multi->curl, option, value);
}
int clibcurl_multi_add(clibcurl_multi *multi, clibcurl_easy *easy) { return multi_add_handle(multi->curl, easy); }
int clibcurl_multi_remove(clibcurl_multi *multi, clibcurl_easy *easy) { return multi_remove_handle(multi->curl, easy); }

/// Somebody has closed all descriptors of the process, as a daemon does when it starts, and perhaps opened others: every wait ends
/// at once.
static void rest(void) {
    struct timespec pause = {0, 10000000};
    nanosleep(&pause, NULL);
}

static int collect(clibcurl_multi *multi, int milliseconds) {
    int count = epoll_wait(multi->events, multi->ready, maximum_events, milliseconds);
    int error = count < 0 && errno != EINTR ? errno : 0;
    if (error) rest();
    multi->ready_count = count < 0 ? 0 : count;
    multi->is_known = true;
    return error;
}

int clibcurl_multi_perform(clibcurl_multi *multi) {
    int running = 0;
    if (!multi->uses_epoll) return multi_perform(multi->curl, &running);
    int code = multi->is_known ? 0 : collect(multi, 0);
    multi->is_known = false;
    for (int index = 0; index < multi->ready_count && !code; index++) {
        struct epoll_event event = multi->ready[index];
        if (event.data.fd == multi->wake_up) continue;
        int ready = (event.events & (EPOLLIN | EPOLLHUP) ? ready_in : 0) | (event.events & EPOLLOUT ? ready_out : 0) |
                    (event.events & EPOLLERR ? ready_error : 0);
        code = multi_socket_action(multi->curl, event.data.fd, ready, &running);
    }
    multi->ready_count = 0;
    if (code || multi->deadline < 0 || multi->deadline > now()) return code;
    multi->deadline = -1;
    return multi_socket_action(multi->curl, timeout, 0, &running);
}
int clibcurl_multi_poll(clibcurl_multi *multi, int milliseconds) {
    if (!multi->uses_epoll) {
        // `struct curl_waitfd`
        struct pollfd wake_up = {multi->wake_up, wait_in, 0};
        int code = multi_poll(multi->curl, &wake_up, 1, milliseconds, NULL);
        eventfd_t count;
        if (wake_up.revents ? eventfd_read(multi->wake_up, &count) : fcntl(multi->wake_up, F_GETFD) < 0) rest();
        return code;
    }
    if (multi->deadline >= 0) {
        int64_t left = (multi->deadline - now() + 999) / 1000;
        if (left < milliseconds) milliseconds = left < 0 ? 0 : (int)left;
    }
    return collect(multi, milliseconds);
}
void clibcurl_multi_wakeup(clibcurl_multi *multi) { eventfd_write(multi->wake_up, 1); }

void *clibcurl_multi_next_done(clibcurl_multi *multi, int *code) {
    int left = 0;
    message *next;
    while ((next = multi_info_read(multi->curl, &left))) {
        void *context = NULL;
        if (next->kind != message_done) continue;
        *code = next->data.result;
        if (easy_getinfo(next->easy, info_private, &context) == CLIBCURL_OK && context) return context;
    }
    return NULL;
}

// MARK: Sockets

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

static int port(const address *of) {
    return ntohs(of->any.sa_family == AF_INET6 ? of->v6.sin6_port : of->v4.sin_port);
}

bool clibcurl_is_connection(int descriptor, const char *remote, int remote_port, int local_port) {
    address local, peer;
    socklen_t local_size = sizeof local, peer_size = sizeof peer;
    struct in6_addr number;
    if (getsockname(descriptor, &local.any, &local_size) || port(&local) != local_port) return false;
    if (getpeername(descriptor, &peer.any, &peer_size)) {
        // After a reset, there is no peer any more. Nor is there one before the connection is made, but then nothing has happened.
        struct pollfd socket = {descriptor, 0, 0};
        return errno == ENOTCONN && poll(&socket, 1, 0) == 1;
    }
    bool is_v6 = peer.any.sa_family == AF_INET6;
    const void *own = is_v6 ? (void *)&peer.v6.sin6_addr : (void *)&peer.v4.sin_addr;
    size_t size = is_v6 ? sizeof peer.v6.sin6_addr : sizeof peer.v4.sin_addr;
    return inet_pton(peer.any.sa_family, remote, &number) == 1 && !memcmp(own, &number, size) &&
           port(&peer) == remote_port;
}

int64_t clibcurl_acknowledged(int descriptor) {
    // `tcpi_bytes_acked` of `struct tcp_info`, which the header of the C library lacks.
    enum { offset = 120 };
    uint8_t info[offset + 8];
    int64_t count;
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) || size < sizeof info) return -1;
    memcpy(&count, info + offset, sizeof count);
    return count;
}

bool clibcurl_is_quiet(int descriptor, bool is_shared) {
    // The end of what the server sends, and errors, count always.
    struct pollfd socket = {descriptor, is_shared ? POLLRDHUP : POLLRDHUP | POLLIN | POLLPRI, 0};
    return poll(&socket, 1, 0) == 0;
}

// MARK: zlib

/// `z_stream`
typedef struct {
    const uint8_t *input;
    unsigned int input_count;
    unsigned long total_input;
    uint8_t *output;
    unsigned int output_count;
    unsigned long total_output;
    const char *message;
    void *state;
    void *allocate;
    void *free;
    void *context;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
} z_stream;

// The functions that are looked up, as above.
#define ZLIB_FUNCTIONS(F)                                                                                              \
    F(int, inflateInit2_, (z_stream *, int, const char *, int))                                                        \
    F(int, inflate, (z_stream *, int))                                                                                 \
    F(int, inflateReset, (z_stream *))                                                                                 \
    F(int, inflateEnd, (z_stream *))

#define DECLARE_ZLIB(RESULT, NAME, PARAMETERS) static RESULT(*z_##NAME) PARAMETERS;
ZLIB_FUNCTIONS(DECLARE_ZLIB)

#ifndef __GLIBC__
#define REFER_ZLIB(RESULT, NAME, PARAMETERS) __attribute__((weak)) RESULT NAME PARAMETERS;
ZLIB_FUNCTIONS(REFER_ZLIB)
#endif

struct clibcurl_inflater {
    z_stream stream;
};

enum {
    z_ok = 0,
    z_stream_end = 1,
    z_buffer_error = -5,
};

static bool look_up_zlib(void *library) {
#define CHECK_ZLIB(RESULT, NAME, PARAMETERS)                                                                           \
    if (!FIND(NAME)) return false;
    ZLIB_FUNCTIONS(CHECK_ZLIB)
#define LOOK_UP_ZLIB(RESULT, NAME, PARAMETERS) *(void **)&z_##NAME = FIND(NAME);
    ZLIB_FUNCTIONS(LOOK_UP_ZLIB)
    return true;
}

bool clibcurl_load_zlib(const char *library) { return look_up_zlib(NULL) || look_up_zlib(load(library)); }

clibcurl_inflater *clibcurl_inflater_init(int window_bits) {
    clibcurl_inflater *inflater = calloc(1, sizeof *inflater);
    // zlib compares the first digit of its version, and the size.
    if (inflater && z_inflateInit2_(&inflater->stream, window_bits, "1", sizeof inflater->stream) == z_ok) return inflater;
    free(inflater);
    return NULL;
}
void clibcurl_inflater_free(clibcurl_inflater *inflater) {
    z_inflateEnd(&inflater->stream);
    free(inflater);
}
bool clibcurl_inflater_reset(clibcurl_inflater *inflater) { return z_inflateReset(&inflater->stream) == z_ok; }

clibcurl_inflate_result clibcurl_inflate(
    clibcurl_inflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    z_stream *stream = &inflater->stream;
    stream->input = input;
    stream->input_count = (unsigned int)*input_count;
    stream->output = output;
    stream->output_count = (unsigned int)*output_count;
    int code = z_inflate(stream, 0);
    *input_count -= stream->input_count;
    *output_count -= stream->output_count;
    if (code == z_stream_end) return CLIBCURL_INFLATE_END;
    // There was nothing to do.
    return code == z_ok || code == z_buffer_error ? CLIBCURL_INFLATE_MORE : CLIBCURL_INFLATE_DAMAGED;
}
const char *clibcurl_inflater_message(clibcurl_inflater *inflater) { return inflater->stream.message; }

#endif
