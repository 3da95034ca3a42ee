/* data_problems.h - `aji data problems`. Threading: free function. */
#pragma once

/* Runs the command and returns its exit code; `argv[0]` is the word "problems". */
int data_problems(int argc, char **argv);
