/* first_net.h - begins a run with a net that was made before, by `aji train` on games of people or
 * by another run, instead of with random play (p3achygo begins its runs in this way). Threading:
 * confined. */
#pragma once
#include "run/store/run_config.h"

/* Makes a run in `directory`, whose net 1 is the net of the file. Sets config->run.arch to the
 * architecture of the net, and writes the settings to run.cfg at the end, so that a call that was
 * killed can be repeated. ERR_ARGUMENT: the directory has nets or rows already or belongs to
 * other work, or self-play cannot use the net (run_check_settings()); nothing is written then.
 * ERR_UNSUPPORTED: the net has no note of its architecture, as KataGo's nets. Also the errors of
 * net_file_load(), ERR_IO and ERR_MEMORY. */
MUST_USE Status first_net_begin(const char *directory, RunConfig *config, const char *file,
                                Error *err);
/* Checks that the run in `directory` began with the net of the file. ERR_ARGUMENT: it did not. Also
 * the errors of net_file_load(). */
MUST_USE Status first_net_check(const char *directory, const char *file, Error *err);
