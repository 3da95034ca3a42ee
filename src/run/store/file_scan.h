/* file_scan.h - progress lines while a process looks through many files, for example when it opens
 * a run without its index: every few seconds a line says how far it is and how long the rest will
 * take. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"

typedef struct {
    const char *what; /* "row files" */
    int count;
    double begun, next; /* the beginning, and when the next line is due; in clock_seconds() */
} FileScan;
typedef struct {
    char text[160];
} FileScanText;

FileScan file_scan_begin(const char *what, int count);
/* Prints a line if it is due. `done`: files so far. */
void file_scan_show(const RunPlan *plan, FileScan *scan, int done);
/* The line, `seconds` after the beginning. */
FileScanText file_scan_text(const FileScan *scan, int done, double seconds);
