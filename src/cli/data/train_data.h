/* train_data.h - `aji train DATA`, which trains on a fixed set of rows, without a run. Threading:
 * confined. */
#pragma once
#include <stdbool.h>

/* Whether these arguments of `aji train` name row files, or contain an option that only
 * train_data() has. */
bool train_data_is_meant(int argc, char **argv);
int train_data(int argc, char **argv); /* returns the exit code */
