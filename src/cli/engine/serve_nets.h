/* serve_nets.h - the nets of `aji serve`: the list that its words mean, and how a net of the list
 * becomes an engine. Threading: confined, but serve_nets_source() says otherwise for its functions.
 */
#pragma once
#include "cli/engine/analysis_nets.h"
#include "serve/server.h"

typedef struct {
    ServedNet *nets; /* the first is for clients that name none */
    int count;
    size_t capacity;
} ServeNets; /* {0} is an empty list */

/* Lists the nets that the words mean. A word is a file or "uniform". The folder of a run stands for
 * its best net, and a folder with files of nets for all of them. Without words, the nets are those
 * of one folder: the first folder of program_folders("nets") that has a net for a known board. The
 * first net of the list is then a net for the largest board. The caller clears `*out`, after a
 * failure too. ERR_ARGUMENT: a folder has no nets, or none was named and none found. ERR_IO: there
 * is no such file. */
MUST_USE Status serve_nets_find(const char *const *words, int count, ServeNets *out, Error *err);
void serve_nets_clear(ServeNets *nets);

/* Makes engines with the settings in `nets`, which is borrowed. Any thread may call its functions.
 */
EngineSource serve_nets_source(const AnalysisNets *nets);
