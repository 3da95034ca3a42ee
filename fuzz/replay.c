/* replay.c - the main program of a fuzz entry that is built without a fuzzer. It runs the entry
 * with each file of the given folders as input. A missing folder counts as empty. The program
 * fails if there is no file at all. */
#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int main(int argc, char **argv) {
    Arena arena = {0};
    int files = 0;
    for (int i = 1; i < argc; i++) {
        char **names;
        int count;
        if (directory_list(argv[i], &arena, &names, &count, NULL)) return 1;
        for (int k = 0; k < count; k++) {
            Path path;
            char *text;
            size_t length;
            if (path_join(&path, argv[i], names[k], NULL) ||
                file_read(path.text, 1 << 26, &arena, &text, &length, NULL))
                return 1;
            LLVMFuzzerTestOneInput((const uint8_t *)text, length);
            files++;
        }
    }
    printf("%d inputs\n", files);
    arena_clear(&arena);
    return files ? 0 : 1;
}
