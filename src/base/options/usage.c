#include "base/options/usage.h"

const Option *usage_option(const CommandUsage *usage, int index) {
    static const Option SHARED[] = {
        {"config", OPTION_TEXT, NULL, 0, 0, "FILE",
         "file of settings, one `key = value` on each line"},
        {"set", OPTION_TEXT, NULL, 0, 0, "KEY=VALUE",
         "give a setting this value (may be repeated)"},
        {"help", OPTION_FLAG, NULL, 0, 0, NULL, "print this text"},
    };
    enum { SHARED_COUNT = sizeof SHARED / sizeof *SHARED };
    const Option *own = usage->options;
    for (; own && own->name; own++) {
        if (index-- == 0) return own;
    }
    if (!usage->settings) index += SHARED_COUNT - 1;
    return index < SHARED_COUNT ? &SHARED[index] : NULL;
}
