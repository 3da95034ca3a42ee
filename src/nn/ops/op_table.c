#include "nn/ops/op_table.h"

#include <string.h>

const OpClass *op_class(OpKind kind) {
#define OP_ROW(NAME) [OP_##NAME] = &OP_CLASS_##NAME,
    static const OpClass *const CLASSES[OP_KIND_COUNT] = {OP_LIST(OP_ROW)};
#undef OP_ROW
    return CLASSES[kind];
}

OpKind op_kind_of(const char *word) {
    int kind = 0;
    while (kind < OP_KIND_COUNT && strcmp(op_class((OpKind)kind)->word, word) != 0)
        kind++;
    return (OpKind)kind;
}
