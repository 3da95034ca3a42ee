/* orthogonal.h - makes a matrix nearly orthogonal, for Muon (optimiser.h). Threading: free
 * functions without state. */
#pragma once
#include <stddef.h>

/* Returns how many floats of scratch orthogonalise() needs for a matrix of these sides. */
size_t orthogonal_scratch(size_t rows, size_t columns);
/* Moves the singular values of `matrix` (rows, columns) near 1. Singular values of at least 0.002
 * times the Frobenius norm |matrix| end up between 0.68 and 1.21. The method is five Newton-Schulz
 * steps
 *     X <- a X + (b A + c A A) X,   A = X X',   a = 3.4445, b = -4.775, c = 2.0315
 * from X = matrix / max(|matrix|, 1e-7). Jordan et al. 2024, "Muon: an optimizer for hidden layers
 * in neural networks", divide by |matrix| + 1e-7 instead. If the norm is below 1e-7, the
 * result is shorter: its norm is at most 485 * |matrix| / 1e-7. A matrix of zeros stays as it
 * is. */
void orthogonalise(size_t rows, size_t columns, float *matrix, float *scratch);
