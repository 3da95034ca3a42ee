#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static int64_t nanoseconds(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now_ns(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

double clock_seconds(void) {
    return (double)clock_now_ns() * 1e-9;
}

double clock_thread_cpu_seconds(void) {
    return (double)nanoseconds(CLOCK_THREAD_CPUTIME_ID) * 1e-9;
}

double clock_process_cpu_seconds(void) {
    return (double)nanoseconds(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}

void clock_sleep_ms(int ms) {
    struct timespec wait = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&wait, NULL);
}

void clock_sleep_us(int us) {
    struct timespec wait = {us / 1000000, (long)(us % 1000000) * 1000};
    nanosleep(&wait, NULL);
}

TimeText clock_duration_text(double seconds) {
    TimeText text = {"over 9999h"};
    if (seconds >= 9999 * 3600.0)
        return text; /* also for infinity, the time left for work that makes no progress */
    long total = seconds > 0 ? (long)(seconds + 0.5) : 0;
    if (total < 60)
        snprintf(text.text, sizeof text.text, "%lds", total);
    else if (total < 3600)
        snprintf(text.text, sizeof text.text, "%ldm%02lds", total / 60, total % 60);
    else
        snprintf(text.text, sizeof text.text, "%ldh%02ldm", total / 3600, total / 60 % 60);
    return text;
}

TimeText clock_date_text(void) {
    TimeText text;
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(text.text, sizeof text.text, "%Y-%m-%d %H:%M:%S", &parts);
    return text;
}
