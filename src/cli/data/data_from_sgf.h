/* data_from_sgf.h - `aji data from-sgf`: rows from games. Threading: confined. */
#pragma once

int data_from_sgf(int argc, char **argv); /* argv[0] is "from-sgf"; returns the exit code */
