/* run_tree.h - counts the rows, games and files in a folder of a run, and hashes them. A test
 * defines _GNU_SOURCE before it includes this file, because of nftw(). */
#pragma once
#include "data/rows/row_file.h"
#include "run/tiny_run.h"

typedef struct {
    int64_t rows, games, files;
    uint32_t sum; /* a hash of names and contents */
} Tree;

static inline void add_to_sum(Tree *tree, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        tree->sum = (tree->sum ^ (uint8_t)bytes[i]) * 16777619u;
}

/* Adds everything under `folder` to `tree`: the hash of all names and file contents, the number of
 * files, the rows of .npz files and the lines of .sgfs files. Every row file must be readable. */
static inline void read_tree(const char *folder, Tree *tree) {
    Arena arena = {0};
    char **names, *text;
    int count;
    EXPECT_OK(directory_list(folder, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        Path path;
        struct stat info;
        size_t length;
        EXPECT_OK(path_join(&path, folder, names[i], err));
        EXPECT_INT(0, stat(path.text, &info));
        add_to_sum(tree, names[i], strlen(names[i]));
        if (S_ISDIR(info.st_mode)) {
            read_tree(path.text, tree);
            continue;
        }
        EXPECT_OK(file_read(path.text, (size_t)1 << 28, &arena, &text, &length, err));
        add_to_sum(tree, text, length);
        tree->files++;
        for (size_t k = 0; strstr(names[i], ".sgfs") && k < length; k++)
            tree->games += text[k] == '\n';
        if (!strstr(names[i], ".npz")) continue;
        Rows rows;
        EXPECT_OK(row_file_read(path.text, &rows, err));
        tree->rows += (int64_t)rows.count;
        rows_clear(&rows);
    }
    arena_clear(&arena);
}

static inline Tree tree_of(const Folder *run, const char *part) {
    Tree tree = {.sum = 2166136261u};
    read_tree(path_in(run->text, part).text, &tree);
    return tree;
}
