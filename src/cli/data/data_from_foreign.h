/* data_from_foreign.h - `aji data from-leela-zero` and `aji data from-lc0`: rows from other
 * programs' training files. Threading: confined. */
#pragma once

/* argv[0] is the word of the command; each returns the exit code. */
int data_from_leela_zero(int argc, char **argv);
int data_from_lc0(int argc, char **argv);
