/* elo_solve.h - symmetric positive definite systems by Cholesky's factor, for fits of ratings.
 * Threading: free functions. */
#pragma once
#include <stdbool.h>

/* The lower factor in place of a (n, n); false: it is not positive definite. */
bool elo_solve_factor(double *a, int n);
/* x = A^-1 x, by the factor of A. */
void elo_solve(const double *factor, int n, double *x);
