/* bench.h - the benchmarks: `aji bench NAME` calls bench_NAME(), which returns the exit code.
 * Threading: confined. */
#pragma once

int bench_go(int argc, char **argv);
int bench_net(int argc, char **argv);
int bench_search(int argc, char **argv);
int bench_selfplay(int argc, char **argv);
int bench_train(int argc, char **argv);
