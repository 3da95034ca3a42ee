#include "cli/settings/set_words.h"

#include <string.h>

/* Whether the text of --set is for this setting. */
static bool is_for(const char *text, const char *key) {
    const char *name = strrchr(key, '.'), *words[] = {key, name ? name + 1 : key};
    text += strspn(text, " \t");
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0) continue;
        const char *rest = text + length;
        if (rest[strspn(rest, " \t")] == '=') return true;
    }
    return false;
}

bool set_words_have(int argc, char **argv, const char *key) {
    static const char JOINED[] = "--set=";
    const size_t length = sizeof JOINED - 1;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], JOINED, length) == 0 && is_for(argv[i] + length, key)) return true;
        if (strcmp(argv[i], "--set") == 0 && i + 1 < argc && is_for(argv[++i], key)) return true;
    }
    return false;
}
