/* bias_correction.h - makes up for errors of int8 that all positions share. The errors of roundings
 * do not cancel: in most positions, an output such as the logit of the win rate is too high, or in
 * most positions it is too low. The typical error is measured on positions and subtracted from the
 * biases. Nagel et al. 2019, "Data-free quantization through weight equalization and bias
 * correction", section 4.2, do this with the mean error of each layer. Here it is done only for the
 * dense layers that make the outputs of the net, and with the median, because in decided positions
 * the logits and their errors are large. Threading: free functions. */
#pragma once
#include "eval/precision/activation_sample.h"
#include "nn/infer/infer_quantisation.h"

/* Returns how many layers bias_correction_begin() sets up: the dense layers that make outputs of
 * the net that are vectors. A bias may stand between the layer and the output. */
int bias_correction_count(const Program *program);
/* Sets up the layers from layers[0] on, with corrections of 0. */
MUST_USE Status bias_correction_begin(const Program *program, LayerQuantisation *layers,
                                      Error *err);
/* Runs the net in f32 and in int8 on the positions. Subtracts the median error of each channel of
 * an output from the correction of its layer in `quantisation`, unless the median may be due to
 * chance. The net must have this quantisation; the caller writes the new one. `call->capacity` is
 * ignored. The numbers that `call->watch` gets are those of a completed task. Errors are those of
 * activation_sample_values(). */
MUST_USE Status bias_correction_measure(const Net *net, const ActivationSampleCall *call,
                                        Quantisation *quantisation, Error *err);
/* Sets all corrections to 0. */
void bias_correction_clear(Quantisation *quantisation);
