/* packed_weights.h - smaller, exact forms in which a file may hold the weights of a layer.
 *   2:4     of each four weights that stand side by side, two are kept and two are 0 (Mishra et al.
 *           2021, "Accelerating Sparse Deep Neural Networks", section 3). The file has the two
 *           values that are kept and, for each of them, its place among the four in 2 bits.
 *   int4/G  the weights of a row are cut into groups of G. Each group has a scale s, which is a
 *           bf16 number, and each weight is s * q with a whole number q from -7 to 7, stored in
 *           4 bits.
 *   f16     each weight is a binary16 number (base/float16.h), stored in 16 bits.
 * Weights are (outputs, inputs) or (outputs, height, width, inputs). A row has the weights from all
 * inputs to one output, at one tap of the kernel. So the weights of a group differ only in their
 * input. The last group of int4 may be shorter than G.
 * The note "packed" of a net, a JSON object {parameter: form}, says which weights are packed when
 * the net is saved. Packing never changes a weight: a parameter whose values do not fit its form
 * is stored as F32. Threading: free functions. */
#pragma once
#include "nn/graph/program.h"
#include "nn/graph/tensor_file.h"

#define PACKED_NOTE "packed"
enum {
    PACKED_KEPT = 2, /* of each PACKED_GROUP weights */
    PACKED_GROUP = 4,
    PACKED_INT4_MAX = 7,
};

typedef enum {
    PACKED_FORM_NONE,
    PACKED_FORM_2_4,
    PACKED_FORM_INT4,
    PACKED_FORM_F16
} PackedFormKind;
typedef struct {
    PackedFormKind kind;
    int group; /* of int4: 32 or 64 */
} PackedForm;

/* The note "packed", as it was read or is to be written. */
typedef struct PackedForms PackedForms;
/* `text` is the note, or NULL if there is none. ERR_SYNTAX: it is malformed. ERR_UNSUPPORTED: it
 * names a form that is unknown. */
MUST_USE Status packed_forms_new(const char *text, PackedForms **out, Error *err);
void packed_forms_free(PackedForms *forms); /* NULL is fine */
PackedForm packed_forms_find(const PackedForms *forms, const char *parameter);
/* Sets the form of a parameter; PACKED_FORM_NONE removes it. ERR_ARGUMENT: the group of int4 is
 * neither 32 nor 64. */
MUST_USE Status packed_forms_set(PackedForms *forms, const char *parameter, PackedForm form,
                                 Error *err);
int packed_forms_count(const PackedForms *forms);
/* Returns the text of the note, which the caller frees, or NULL if memory runs out. */
char *packed_forms_text(const PackedForms *forms);

/* Whether weights of this shape can have the form at all. They must be matrices or kernels; for 2:4
 * the number of inputs must also be a multiple of 4. */
bool packed_form_suits(const ParameterSpec *spec, PackedForm form);
/* Whether these values can be stored in the form without a change of any bit. */
bool packed_form_fits(const ParameterSpec *spec, PackedForm form, const float *values);

/* Adds the values to a file, packed if they fit the form and as F32 otherwise. */
MUST_USE Status packed_add(TensorFile *file, const ParameterSpec *spec, PackedForm form,
                           const float *values, Error *err);
/* Whether the file has the parameter, as F32 or in the form. Only the names, types and sizes of the
 * tensors are checked, not their values. */
bool packed_has(const TensorFile *file, const ParameterSpec *spec, PackedForm form);
/* Reads the values. If the file has the parameter both as F32 and in the form, the values are those
 * of F32. ERR_SYNTAX: the parameter is missing, or it has places, codes or scales that packing
 * never makes. */
MUST_USE Status packed_read(const TensorFile *file, const ParameterSpec *spec, PackedForm form,
                            float *values, Error *err);

/* Rounds a finite number to the nearest bf16 (ties to even), the type of the scales of int4. */
float packed_bf16(float value);
