// Stands in for a zlib inside the program.
#include <string.h>

int inflateInit2_(void *stream, int bits, const char *version, int size) {
    (void)size;
    return stream && bits == 31 && !strcmp(version, "1") ? 0 : -2;
}
int inflate(void *stream, int flush) { return stream && flush == 0 ? 1 : -2; }
int inflateReset(void *stream) { return stream ? 0 : -2; }
int inflateEnd(void *stream) { return stream ? 0 : -2; }
