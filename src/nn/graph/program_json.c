/* Writes a program as JSON and reads it back. The keys are
 *     "ops"       an array with one object for each op, in order
 *     "outputs"   an object {name of an output: index of the op that makes it}
 *     "mask"      an array: the index of the op that is the input with the mask, and the channel of
 *                 the mask; missing if the program has no mask
 * OpClass.fields (op.h) lists the attributes that the object of an op has. Parameters are not
 * written, because they follow from the ops. Reading calls the functions that build a program, so
 * that all their checks also hold for text from outside. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "nn/graph/program.h"
#include "nn/ops/op_table.h"

_Static_assert(sizeof(Activation) == sizeof(int) && sizeof(PoolKind) == sizeof(int) &&
                   sizeof(GateKind) == sizeof(int) && sizeof(MapKind) == sizeof(int) &&
                   sizeof(ValueKind) == sizeof(int),
               "words are read and written as int");

static json_t *write_counts(const int *counts, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_integer(counts[i]));
    return list;
}

/* Returns a pointer to the value of the field before this one. Both fields are ints. */
static const int *before(const OpField *field, const Op *op) {
    return (const int *)(const void *)((const char *)op + (field - 1)->offset);
}

/* Returns NULL if the field is not to be written. */
static json_t *write_field(const OpField *field, const Op *op) {
    const void *at = (const char *)op + field->offset;
    switch (field->form) {
    case OP_FIELD_COUNT:
        return json_integer(*(const int *)at);
    case OP_FIELD_FACTOR:
        return *(const int *)at != 1 ? json_integer(*(const int *)at) : NULL;
    case OP_FIELD_LIKE:
        return *(const int *)at != *before(field, op) ? json_integer(*(const int *)at) : NULL;
    case OP_FIELD_LINK:
        return *(const int *)at ? json_integer(*(const int *)at) : NULL;
    case OP_FIELD_COUNTS:
        return write_counts(at, field->count);
    case OP_FIELD_REAL:
        return json_real((double)*(const float *)at);
    case OP_FIELD_LIMIT:
        return *(const float *)at != 0 ? json_real((double)*(const float *)at) : NULL;
    case OP_FIELD_WORD:
        return json_string(field->words[*(const int *)at]);
    case OP_FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case OP_FIELD_NOT:
        return json_boolean(!*(const bool *)at);
    case OP_FIELD_RARE:
        return *(const bool *)at ? json_true() : NULL;
    case OP_FIELD_RARE_NOT:
        return *(const bool *)at ? json_false() : NULL;
    }
    return NULL;
}

static json_t *write_op(const Op *op) {
    const OpClass *class = op_class(op->kind);
    json_t *object =
        json_pack("{s:s, s:s, s:i}", "op", class->word, "name", op->name, "channels", op->channels);
    if (!object) return NULL;
    json_object_set_new(object, "inputs", write_counts(op->inputs, class->inputs));
    for (const OpField *field = class->fields; field && field->key; field++) {
        json_t *value = write_field(field, op);
        if (value) json_object_set_new(object, field->key, value);
    }
    return object;
}

Status program_write(const Program *program, StrBuf *out, Error *err) {
    json_t *root = json_object(), *ops = json_array(), *outputs = json_object();
    for (int i = 0; i < program_op_count(program); i++) {
        json_array_append_new(ops, write_op(program_op(program, i)));
    }
    for (int i = 0; i < program_output_count(program); i++)
        json_object_set_new(outputs, program_output_name(program, i),
                            json_integer(program_output_value(program, i)));
    Value mask;
    int channel;
    program_mask_source(program, &mask, &channel);
    json_object_set_new(root, "ops", ops);
    json_object_set_new(root, "outputs", outputs);
    if (mask >= 0) json_object_set_new(root, "mask", json_pack("[i, i]", mask, channel));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the text of a net");
    strbuf_add(out, text);
    free(text);
    return strbuf_status(out, err);
}

/* Returns a whole number from 0 to 2^20. Anything else becomes -2, which is neither a value nor a
 * channel in any program. */
static int index_of(const json_t *value) {
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -2;
    return number >= 0 && number <= 1 << 20 ? (int)number : -2;
}

/* Returns a whole number from 1 to 2^20, or `missing` if there is no value. Anything else becomes
 * -2. */
static int count_or(const json_t *value, int missing) {
    if (!value) return missing;
    int number = index_of(value);
    return number ? number : -2;
}

/* Returns the index of the word in `words`, or -1 if it is not there. */
static int word_of(const char *text, const char *const *words) {
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) return i;
    }
    return -1;
}

/* One object of the array "ops". */
typedef struct {
    size_t index;
    const char *name;
    json_t *object;
} OpText;

static Status read_word(const OpText *text, const OpField *field, const json_t *value, int *out,
                        Error *err) {
    const char *word = json_string_value(value);
    if (!word)
        return fail(err, ERR_SYNTAX, "op %zu (%s) of the net: %s is not a word", text->index,
                    text->name, field->key);
    *out = word_of(word, field->words);
    if (*out >= 0) return OK;
    return fail(err, ERR_UNSUPPORTED,
                "made by a newer version of aji: %s \"%.40s\" of op \"%s\" is unknown", field->key,
                word, text->name);
}

static Status read_real(const OpText *text, const OpField *field, const json_t *value, float *out,
                        Error *err) {
    if (!json_is_number(value))
        return fail(err, ERR_SYNTAX, "op %zu (%s) of the net: %s is not a number", text->index,
                    text->name, field->key);
    *out = (float)json_number_value(value);
    return OK;
}

/* Reads an attribute. A malformed count becomes -2, which no op accepts. A count of the form
 * OP_FIELD_COUNT or OP_FIELD_COUNTS also becomes -2 if it is missing. A truth value that is missing
 * in the text means false or, if its form is OP_FIELD_RARE_NOT, true. */
static Status read_field(const OpText *text, const OpField *field, Op *op, Error *err) {
    const json_t *value = json_object_get(text->object, field->key);
    void *at = (char *)op + field->offset;
    switch (field->form) {
    case OP_FIELD_COUNT:
        *(int *)at = index_of(value);
        break;
    case OP_FIELD_FACTOR:
        *(int *)at = count_or(value, 1);
        break;
    case OP_FIELD_LIKE:
        *(int *)at = count_or(value, *before(field, op));
        break;
    case OP_FIELD_LINK:
        *(int *)at = count_or(value, 0);
        break;
    case OP_FIELD_COUNTS:
        for (int i = 0; i < field->count; i++)
            ((int *)at)[i] = index_of(json_array_get(value, (size_t)i));
        break;
    case OP_FIELD_REAL:
        return read_real(text, field, value, at, err);
    case OP_FIELD_LIMIT:
        return value ? read_real(text, field, value, at, err) : OK;
    case OP_FIELD_WORD:
        return read_word(text, field, value, at, err);
    case OP_FIELD_BOOL:
    case OP_FIELD_RARE:
        *(bool *)at = json_is_true(value);
        break;
    case OP_FIELD_NOT:
        *(bool *)at = !json_is_true(value);
        break;
    case OP_FIELD_RARE_NOT:
        *(bool *)at = json_is_false(value);
        break;
    }
    return OK;
}

/* Checks that all keys of an op are known. If an unknown attribute were ignored, the program could
 * compute something else than it should. */
static Status check_keys(const OpText *text, const OpClass *class, Error *err) {
    static const char *const COMMON[] = {"op", "name", "channels", "inputs", NULL};
    void *entry = json_object_iter(text->object);
    for (; entry; entry = json_object_iter_next(text->object, entry)) {
        const char *key = json_object_iter_key(entry);
        const OpField *field = class->fields;
        while (field && field->key && strcmp(field->key, key) != 0)
            field++;
        if (word_of(key, COMMON) >= 0 || (field && field->key)) continue;
        return fail(err, ERR_UNSUPPORTED,
                    "made by a newer version of aji: \"%.40s\" of op \"%s\" is unknown", key,
                    class->word);
    }
    return OK;
}

/* Adds an op to the program. A fault in its inputs or shape is not returned but remembered by the
 * program (program_status()). */
static Status read_op(Program *program, const OpText *text, OpKind kind, Value *out, Error *err) {
    const OpClass *class = op_class(kind);
    Op op = {.kind = kind, .channels = index_of(json_object_get(text->object, "channels"))};
    const json_t *inputs = json_object_get(text->object, "inputs");
    for (int i = 0; i < class->inputs; i++)
        op.inputs[i] = index_of(json_array_get(inputs, (size_t)i));
    Status status = check_keys(text, class, err);
    for (const OpField *field = class->fields; field && field->key && !status; field++)
        status = read_field(text, field, &op, err);
    *out = status ? -1 : program_add_op(program, text->name, op);
    return status;
}

static Status read_ops(Program *program, const json_t *list, Error *err) {
    size_t index;
    json_t *object;
    json_array_foreach(list, index, object) {
        const char *kind = json_string_value(json_object_get(object, "op")),
                   *name = json_string_value(json_object_get(object, "name"));
        OpKind found = kind ? op_kind_of(kind) : OP_KIND_COUNT;
        if (!name || !kind || strlen(name) >= 64)
            return fail(err, ERR_SYNTAX, "op %zu of the net has no kind or no possible name",
                        index);
        if (found == OP_KIND_COUNT)
            return fail(err, ERR_UNSUPPORTED,
                        "made by a newer version of aji: op \"%.40s\" is unknown", kind);
        Value value;
        Status status = read_op(program, &(OpText){index, name, object}, found, &value, err);
        if (status) return status;
        if (program_status(program, err)) return ERR_SYNTAX;
        if (value != (Value)index)
            return fail(err, ERR_SYNTAX, "op %zu (%s) of the net is impossible", index, name);
        int channels = index_of(json_object_get(object, "channels"));
        if (program_op(program, value)->channels != channels)
            return fail(err, ERR_SYNTAX, "op %zu (%s) of the net has the wrong channels", index,
                        name);
    }
    return OK;
}

static Status read_all(Program *program, json_t *root, Error *err) {
    static const char *const KEYS[] = {"ops", "outputs", "mask", NULL};
    const char *key;
    json_t *value;
    Status status = OK;
    json_object_foreach(root, key, value) {
        if (word_of(key, KEYS) < 0)
            return fail(err, ERR_UNSUPPORTED,
                        "made by a newer version of aji: \"%.40s\" of the net is unknown", key);
    }
    status = read_ops(program, json_object_get(root, "ops"), err);
    if (status) return status;
    json_object_foreach(json_object_get(root, "outputs"), key, value) {
        program_output(program, key, index_of(value));
    }
    const json_t *mask = json_object_get(root, "mask");
    if (mask)
        program_set_mask(program, index_of(json_array_get(mask, 0)),
                         index_of(json_array_get(mask, 1)));
    return program_status(program, err);
}

Status program_read(const char *text, size_t length, Program **out, Error *err) {
    *out = NULL;
    json_t *root;
    Program *program = NULL;
    Status status = json_parse(text, length, &root, err);
    if (status) return status;
    if (!json_is_array(json_object_get(root, "ops")) ||
        !json_is_object(json_object_get(root, "outputs")))
        status = fail(err, ERR_SYNTAX, "the net has no list of ops and outputs");
    if (!status) status = program_new(&program, err);
    if (!status) status = read_all(program, root, err);
    json_decref(root);
    if (status) {
        program_free(program);
        return status;
    }
    *out = program;
    return OK;
}
