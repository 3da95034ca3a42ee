#include "serve/run_watch.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "serve/runs.h"

static const double LOOK_SECONDS = 0.9, TELL_SECONDS = 2;

void run_watch_join(RunWatch *watch, RunWatcher *watcher, const char *id, const char *folder) {
    run_watch_leave(watch, watcher);
    snprintf(watcher->id, sizeof watcher->id, "%s", id);
    snprintf(watcher->folder.text, sizeof watcher->folder.text, "%s", folder);
    watcher->changed = runs_changed(folder);
    watcher->told_at = clock_seconds();
    watcher->next = watch->watchers;
    watch->watchers = watcher;
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

void run_watch_tend(RunWatch *watch) {
    double now = clock_seconds();
    if (!watch->watchers || now - watch->looked_at < LOOK_SECONDS) return;
    watch->looked_at = now;
    for (RunWatcher *watcher = watch->watchers; watcher; watcher = watcher->next) {
        double changed = runs_changed(watcher->folder.text);
        if (changed <= watcher->changed || now - watcher->told_at < TELL_SECONDS) continue;
        char text[NET_ID_MAX + 64];
        int length = snprintf(text, sizeof text, "{\"topic\":\"run\",\"run\":\"%s\"}", watcher->id);
        watcher->changed = changed;
        watcher->told_at = now;
        watcher->send(watcher->context, text, (size_t)length);
    }
}
