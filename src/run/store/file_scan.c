#include "run/store/file_scan.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/progress.h"

enum { LINE_SECONDS = 5 }; /* between two lines */

FileScan file_scan_begin(const char *what, int count) {
    double now = clock_seconds();
    return (FileScan){what, count, now, now + LINE_SECONDS};
}

FileScanText file_scan_text(const FileScan *scan, int done, double seconds) {
    FileScanText out;
    char rest[64] = "";
    double left = progress_seconds_left(done, scan->count, seconds);
    if (isfinite(left))
        snprintf(rest, sizeof rest, ", about %s more", clock_duration_text(left).text);
    snprintf(out.text, sizeof out.text, "reading %.40s: %d of %d%s", scan->what, done, scan->count,
             rest);
    return out;
}

void file_scan_show(const RunPlan *plan, FileScan *scan, int done) {
    double now = clock_seconds();
    if (now < scan->next) return;
    scan->next = now + LINE_SECONDS;
    run_plan_print(plan, file_scan_text(scan, done, now - scan->begun).text);
}
