/* op_table.h - finds the classes of ops (op.h) by kind and by word. Threading: immutable. */
#pragma once
#include "nn/ops/op.h"

const OpClass *op_class(OpKind kind);
OpKind op_kind_of(const char *word); /* OP_KIND_COUNT: there is no such op */
