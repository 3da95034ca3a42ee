#include "serve/run_watch.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const double LOOK_SECONDS = 0.9, TELL_SECONDS = 2;

static uint64_t list_state(const RunWatch *watch) {
    return watch->runs ? runs_state(watch->runs) : 0;
}

static void add(RunWatch *watch, RunWatcher *watcher) {
    watcher->told_at = clock_seconds();
    watcher->next = watch->watchers;
    watch->watchers = watcher;
}

void run_watch_join(RunWatch *watch, RunWatcher *watcher, const char *id, const char *folder) {
    run_watch_leave(watch, watcher);
    snprintf(watcher->id, sizeof watcher->id, "%s", id);
    snprintf(watcher->folder.text, sizeof watcher->folder.text, "%s", folder);
    watcher->changed = runs_changed(folder);
    add(watch, watcher);
}

void run_watch_join_list(RunWatch *watch, RunWatcher *watcher) {
    run_watch_leave(watch, watcher);
    watcher->list_state = list_state(watch);
    add(watch, watcher);
}

void run_watch_leave(RunWatch *watch, RunWatcher *watcher) {
    for (RunWatcher **at = &watch->watchers; *at; at = &(*at)->next) {
        if (*at != watcher) continue;
        *at = watcher->next;
        break;
    }
    watcher->next = NULL;
    watcher->id[0] = 0;
}

/* Whether what the watcher watches has changed since it was last asked. */
static bool has_changed(const RunWatch *watch, RunWatcher *watcher) {
    if (!watcher->id[0]) {
        uint64_t before = watcher->list_state;
        watcher->list_state = list_state(watch);
        return watcher->list_state != before;
    }
    double before = watcher->changed, changed = runs_changed(watcher->folder.text);
    if (changed > before) watcher->changed = changed;
    return changed > before;
}

void run_watch_tend(RunWatch *watch) {
    double now = clock_seconds();
    if (!watch->watchers || now - watch->looked_at < LOOK_SECONDS) return;
    watch->looked_at = now;
    for (RunWatcher *watcher = watch->watchers; watcher; watcher = watcher->next) {
        if (now - watcher->told_at < TELL_SECONDS || !has_changed(watch, watcher)) continue;
        char text[NET_ID_MAX + 64] = "{\"topic\":\"runs\"}";
        if (watcher->id[0])
            snprintf(text, sizeof text, "{\"topic\":\"run\",\"run\":\"%s\"}", watcher->id);
        watcher->told_at = now;
        watcher->send(watcher->context, text, strlen(text));
    }
}
