/* file_scan.h - says how far a look through many files is and how long it will take, every few
 * seconds, as when a run is opened without its index. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"

typedef struct {
    const char *what; /* "row files" */
    int count;
    double begun, next; /* in clock_seconds(); when the next line comes */
} FileScan;
typedef struct {
    char text[160];
} FileScanText;

FileScan file_scan_begin(const char *what, int count);
/* Says a line if it is time. `done`: files so far. */
void file_scan_tell(const RunPlan *plan, FileScan *scan, int done);
/* That line, `seconds` after the beginning. */
FileScanText file_scan_text(const FileScan *scan, int done, double seconds);
