/* file_scan.h - progress lines for a process that reads many files, for example when it opens a run
 * whose index was lost. Every few seconds a line says how many files have been read and how long
 * the rest will take. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"

typedef struct {
    const char *what;   /* what the files are, such as "row files" */
    int count;          /* number of files */
    double begun, next; /* times of clock_seconds(): of the beginning, and of the next line */
} FileScan;
typedef struct {
    char text[160];
} FileScanText;

FileScan file_scan_begin(const char *what, int count);
/* Prints a line if one is due. `done` is how many files have been read so far. */
void file_scan_show(const RunPlan *plan, FileScan *scan, int done);
/* Returns the line for the moment `seconds` after the beginning. */
FileScanText file_scan_text(const FileScan *scan, int done, double seconds);
