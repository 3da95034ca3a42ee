/* program_files.h - the files that come with the program, which are nets and settings files. They
 * are in the source tree, and in PREFIX/share/aji after `cmake --install`. Threading: confined. */
#pragma once
#include "base/file.h"

enum { PROGRAM_FOLDERS_MAX = 4 };
typedef struct {
    Path paths[PROGRAM_FOLDERS_MAX];
    int count;
} ProgramFolders;

/* Finds the folders that hold files of a kind, which is "nets" or "configs". They are, in this
 * order and if they exist:
 *   1. for nets: the folder that the environment variable AJI_NETS names
 *   2. KIND in the current directory
 *   3. KIND beside the folder build/, if the program is build/FOLDER/aji
 *   4. PREFIX/share/aji/KIND, if the program is PREFIX/bin/aji; it may be moved with its prefix
 * A folder that would come twice is listed once. */
void program_folders(const char *kind, ProgramFolders *out);

/* Finds a settings file that a user named. If there is no file of that name, and the name is
 * configs/FILE, `*out` becomes FILE in the first of the folders "configs" that has it. Otherwise
 * `*out` is the name as it is. ERR_ARGUMENT: the name is too long. */
MUST_USE Status program_config(const char *name, Path *out, Error *err);

/* Reads the board of a net from the name of its file, WIDTHxHEIGHT-NAME.aji. Returns false if the
 * name is not of this form, or if there is no board of these sides. */
bool program_net_board(const char *name, int *width, int *height);
