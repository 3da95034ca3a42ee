/* elo_solve.h - solves symmetric positive definite systems by Cholesky factors, for fits of
 * ratings. Threading: free functions. */
#pragma once
#include <stdbool.h>

/* Replaces a (n, n) by its lower Cholesky factor. Returns false if `a` is not positive definite. */
bool elo_solve_factor(double *a, int n);
/* Replaces x (n) by A^-1 x, where `factor` is the Cholesky factor of A. */
void elo_solve(const double *factor, int n, double *x);
