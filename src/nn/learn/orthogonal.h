/* orthogonal.h - a matrix made nearly orthogonal, for Muon. Threading: immutable. */
#pragma once
#include <stddef.h>

/* Numbers of scratch that orthogonalise() takes for a matrix of these sides. */
size_t orthogonal_scratch(size_t rows, size_t columns);
/* `matrix` (rows, columns) with its singular values moved near 1, at most 0.3 away from about 0.02
 * of the largest on: five Newton-Schulz steps X <- a X + (b A + c A A) X, A = X X', a = 3.4445, b =
 * -4.775, c = 2.0315, from X = matrix / max(|matrix|, 1e-7). Jordan et al. 2024, "Muon: an
 * optimizer for hidden layers in neural networks" (they add 1e-7). So shorter matrices come out
 * shorter: at most 485 times as long as they are over 1e-7; a matrix of zeros stays as it is. */
void orthogonalise(size_t rows, size_t columns, float *matrix, float *scratch);
