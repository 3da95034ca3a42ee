/* clock.h - monotonic time, processor time, and time as text. Threading: any thread. */
#pragma once
#include <stdint.h>

int64_t clock_now_ns(void);             /* monotonic */
double clock_seconds(void);             /* monotonic */
double clock_thread_cpu_seconds(void);  /* of the calling thread */
double clock_process_cpu_seconds(void); /* of all threads together */
void clock_sleep_ms(int ms);
void clock_sleep_us(int us);
typedef struct {
    char text[32];
} TimeText;
TimeText clock_duration_text(double seconds); /* "45s", "3m20s", "1h05m", "over 9999h" */
TimeText clock_date_text(void);               /* "2026-01-31 12:00:00", local time */
