// Stands in for a libcurl inside the program. VERSION is its number; LACKS_POLL leaves one function out.
#include <stddef.h>

#ifndef VERSION
#define VERSION 0x080000
#endif

static const struct {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    const char *tls;
} version = {0, "stand-in", VERSION, NULL, 0, NULL};

const void *curl_version_info(int age) { return age == 0 ? &version : NULL; }
int curl_global_init(long flags) { return flags == 3 ? 0 : 1; }
void *curl_multi_init(void) { return (void *)&version; }
#ifndef LACKS_POLL
void curl_multi_poll(void) {}
#endif

// They are looked up, and not called.
#define UNUSED(NAME) void curl_##NAME(void) {}
UNUSED(easy_init) UNUSED(easy_cleanup) UNUSED(easy_perform) UNUSED(easy_strerror) UNUSED(easy_pause)
UNUSED(easy_setopt) UNUSED(easy_getinfo) UNUSED(slist_append) UNUSED(slist_free_all) UNUSED(multi_cleanup)
UNUSED(url) UNUSED(url_set) UNUSED(url_cleanup)
UNUSED(multi_socket_action) UNUSED(multi_assign)
UNUSED(multi_setopt) UNUSED(multi_add_handle) UNUSED(multi_remove_handle) UNUSED(multi_perform) UNUSED(multi_info_read)
