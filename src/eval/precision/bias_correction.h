/* bias_correction.h - makes up for the mean errors that int8 causes in the last layers of a net.
 * The errors of the roundings of int8 do not cancel: on the mean over many positions, an output
 * such as the logit of the win rate is too high or too low. The mean error is measured on
 * positions and subtracted from the biases. Nagel et al. 2019, "Data-free quantization through
 * weight equalization and bias correction", section 4.2, do this for each layer; here it is done
 * only for the dense layers that make the outputs of the net. Threading: free functions. */
#pragma once
#include "eval/precision/activation_sample.h"
#include "nn/infer/infer_quantisation.h"

/* Returns how many layers bias_correction_begin() sets up: the dense layers that make outputs of
 * the net that are vectors. A bias may stand between the layer and the output. */
int bias_correction_count(const Program *program);
/* Sets up the layers from layers[0] on, with corrections of 0. */
MUST_USE Status bias_correction_begin(const Program *program, LayerQuantisation *layers,
                                      Error *err);
/* Runs the net in f32 and in int8 on the positions, and subtracts the mean difference of each
 * output from the correction of its layer in `quantisation`. The net must have this quantisation;
 * the caller writes the new one. `call->capacity` is ignored. The numbers that `call->watch` gets
 * are those of a completed task. Errors are those of activation_sample_values(). */
MUST_USE Status bias_correction_measure(const Net *net, const ActivationSampleCall *call,
                                        Quantisation *quantisation, Error *err);
