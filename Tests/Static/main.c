// Prints which libcurl and zlib CLibcurl finds, and calls them.
#include "CLibcurl.h"
#include <stdio.h>

int main(void) {
    const char *reason = clibcurl_load("libcurl.so.4");
    if (reason) {
        printf("libcurl: cannot be used: %s\n", reason);
    } else {
        int code = clibcurl_global_init();
        printf("libcurl: %s, %d, %s\n", clibcurl_version_info()->version, code, clibcurl_multi_init(false) ? "wakes up" : "no handle");
    }
    if (!clibcurl_load_zlib("libz.so.1")) {
        puts("zlib: none");
        return 0;
    }
    clibcurl_inflater *inflater = clibcurl_inflater_init(31);
    size_t input = 0, output = 0;
    uint8_t bytes[1];
    puts(inflater && clibcurl_inflate(inflater, bytes, &input, bytes, &output) == CLIBCURL_INFLATE_END ? "zlib: works" : "zlib: fails");
    return 0;
}
