/* bench.h - the benchmarks, by the second word of `aji bench`. Threading: confined. */
#pragma once

int bench_go(int argc, char **argv);
int bench_net(int argc, char **argv);
int bench_search(int argc, char **argv);
int bench_selfplay(int argc, char **argv);
int bench_train(int argc, char **argv);
