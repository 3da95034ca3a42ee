#include "nn/graph/net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/settings.h"
#include "nn/graph/packed_weights.h"
#include "nn/graph/tensor_file.h"

#define FORMAT "aji net"
enum { NOTES_MAX = 32, FORMAT_VERSION = 1 };

typedef struct {
    char key[64];
    char *text;
} Note;

struct Net {
    Program *program;
    float **values; /* by parameter */
    Note notes[NOTES_MAX];
    int note_count;
    NetCache *cache;
};

/* The standard normal distribution, cut off at -2 and 2, has the standard deviation 0.87962... */
static double draw_weight(Rng *rng, double deviation) {
    return rng_normal_truncated(rng, 2) * deviation / 0.87962566103423978;
}

/* Draws kernels with more weight in the middle (program_emphasise_centers()). */
static void draw_centered(const ParameterSpec *spec, Rng *rng, float *values) {
    int height = spec->dims[1], width = spec->dims[2], in = spec->dims[3];
    double center = spec->center, rest = sqrt(1 - center * center),
           extra = center * sqrt((double)height * width);
    for (size_t i = 0; i < spec->count; i++) {
        size_t place = i / (size_t)in % (size_t)(height * width);
        bool middle = place == (size_t)(height / 2 * width + width / 2);
        double value = rest * draw_weight(rng, spec->deviation);
        if (middle) value += extra * draw_weight(rng, spec->deviation);
        values[i] = (float)value;
    }
}

static void initialise(const ParameterSpec *spec, Rng *rng, float *values) {
    if (spec->init == INIT_NORMAL && spec->center > 0) {
        draw_centered(spec, rng, values);
        return;
    }
    for (size_t i = 0; i < spec->count; i++) {
        switch (spec->init) {
        case INIT_ZERO:
            values[i] = 0;
            break;
        case INIT_ONE:
            values[i] = 1;
            break;
        case INIT_VALUE:
            values[i] = (float)spec->value;
            break;
        case INIT_NORMAL:
            values[i] = (float)draw_weight(rng, spec->deviation);
            break;
        case INIT_GIVEN:
            values[i] = spec->given[i];
            break;
        }
    }
}

/* Refuses a net that is larger than the free memory. Otherwise the system might grant the memory,
 * and later kill a program because it does not have it. */
static Status check_size(const Program *program, Error *err) {
    static const double LARGE = 1 << 30; /* bytes; smaller nets are not worth the check */
    double bytes = 0;
    for (int i = 0; i < program_parameter_count(program); i++)
        bytes += (double)program_parameter(program, i)->count * sizeof(float);
    if (bytes < LARGE || bytes <= (double)mem_available()) return OK;
    return fail(err, ERR_MEMORY, "the weights of this net need %.1f GB, and %.1f GB are free",
                bytes / 1e9, (double)mem_available() / 1e9);
}

Status net_new(Program *program, Rng *rng, Net **out, Error *err) {
    *out = NULL;
    Net *net = NULL;
    Status status = program_status(program, err);
    if (!status) status = check_size(program, err);
    if (!status) status = mem_new(1, sizeof *net, &net, err);
    if (status) {
        program_free(program);
        return status;
    }
    net->program = program;
    int count = program_parameter_count(program);
    status = net_cache_new(&net->cache, err);
    if (!status) status = mem_new((size_t)count, sizeof *net->values, &net->values, err);
    for (int i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        status = mem_new_aligned(spec->count, sizeof(float), &net->values[i], err);
        if (!status && (rng || spec->init != INIT_NORMAL)) initialise(spec, rng, net->values[i]);
    }
    if (status)
        net_free(net);
    else
        *out = net;
    return status;
}

void net_free(Net *net) {
    if (!net) return;
    for (int i = 0; net->values && i < program_parameter_count(net->program); i++)
        free(net->values[i]);
    for (int i = 0; i < net->note_count; i++)
        free(net->notes[i].text);
    free(net->values);
    net_cache_release(net->cache);
    program_free(net->program);
    free(net);
}

const Program *net_program(const Net *net) {
    return net->program;
}

float *net_values(Net *net, int parameter) {
    return net->values[parameter];
}

const float *net_values_const(const Net *net, int parameter) {
    return net->values[parameter];
}

NetCache *net_cache(const Net *net) {
    return net->cache;
}

void net_share_cache(Net *net, const Net *other) {
    NetCache *before = net->cache;
    net->cache = net_cache_acquire(other->cache);
    net_cache_release(before);
}

int64_t net_parameter_total(const Net *net) {
    int64_t total = 0;
    for (int i = 0; i < program_parameter_count(net->program); i++) {
        const ParameterSpec *spec = program_parameter(net->program, i);
        if (spec->trained) total += (int64_t)spec->count;
    }
    return total;
}

bool net_is_finite(const Net *net, const char **parameter) {
    for (int i = 0; i < program_parameter_count(net->program); i++) {
        const ParameterSpec *spec = program_parameter(net->program, i);
        for (size_t k = 0; k < spec->count; k++) {
            if (isfinite(net->values[i][k])) continue;
            if (parameter) *parameter = spec->name;
            return false;
        }
    }
    return true;
}

const char *net_note(const Net *net, const char *key) {
    for (int i = 0; i < net->note_count; i++) {
        if (strcmp(net->notes[i].key, key) == 0) return net->notes[i].text;
    }
    return NULL;
}

int64_t net_note_count(const Net *net, const char *key) {
    const char *text = net_note(net, key);
    long long count;
    return text && !parse_int(text, key, 0, 1000000000000000, &count, NULL) ? count : 0;
}

Status net_set_note(Net *net, const char *key, const char *text, Error *err) {
    int i = 0;
    while (i < net->note_count && strcmp(net->notes[i].key, key) != 0)
        i++;
    if (i == NOTES_MAX) return fail(err, ERR_ARGUMENT, "a net has at most %d notes", NOTES_MAX);
    bool reserved = strcmp(key, "format") == 0 || strcmp(key, "program") == 0;
    if (reserved || strlen(key) >= sizeof net->notes[i].key)
        return fail(err, ERR_ARGUMENT, "a note cannot be called \"%.60s\"", key);
    char *copy = strdup(text);
    if (!copy) return fail(err, ERR_MEMORY, "no memory for a note");
    if (i == net->note_count)
        snprintf(net->notes[net->note_count++].key, sizeof net->notes[i].key, "%s", key);
    else
        free(net->notes[i].text);
    net->notes[i].text = copy;
    return OK;
}

void net_remove_note(Net *net, const char *key) {
    for (int i = 0; i < net->note_count; i++) {
        if (strcmp(net->notes[i].key, key) != 0) continue;
        free(net->notes[i].text);
        memmove(&net->notes[i], &net->notes[i + 1],
                (size_t)(net->note_count - i - 1) * sizeof *net->notes);
        net->note_count--;
        return;
    }
}

Status net_set_packed_forms(Net *net, const PackedForms *forms, Error *err) {
    if (!packed_forms_count(forms) && !net_note(net, PACKED_NOTE)) return OK;
    char *text = packed_forms_text(forms);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the forms of packed weights");
    Status status = net_set_note(net, PACKED_NOTE, text, err);
    free(text);
    return status;
}

/* Copies a net into a file in memory. With `small`, weights are packed as the net's note "packed"
 * says (packed_weights.h). */
static Status pack(const Net *net, bool small, TensorFile **out, Error *err) {
    StrBuf program = {0};
    TensorFile *file = NULL;
    PackedForms *forms;
    Status status = packed_forms_new(small ? net_note(net, PACKED_NOTE) : NULL, &forms, err);
    if (!status) status = program_write(net->program, &program, err);
    if (!status) status = tensor_file_new(&file, err);
    if (!status) status = tensor_file_note(file, "format", FORMAT " 1", err);
    if (!status) status = tensor_file_note(file, "program", strbuf_text(&program), err);
    for (int i = 0; i < net->note_count && !status; i++)
        status = tensor_file_note(file, net->notes[i].key, net->notes[i].text, err);
    for (int i = 0; i < program_parameter_count(net->program) && !status; i++) {
        const ParameterSpec *spec = program_parameter(net->program, i);
        status = packed_add(file, spec, packed_forms_find(forms, spec->name), net->values[i], err);
    }
    packed_forms_free(forms);
    strbuf_clear(&program);
    if (status) {
        tensor_file_free(file);
        file = NULL;
    }
    *out = file;
    return status;
}

static Status read_notes(const TensorFile *file, Net *net, Error *err) {
    Status status = OK;
    const char *key;
    for (size_t i = 0; !status && (key = tensor_file_note_key(file, i)); i++) {
        const char *text = tensor_file_get_note(file, key);
        if (strcmp(key, "format") == 0 || strcmp(key, "program") == 0) continue;
        if (!text) return fail(err, ERR_SYNTAX, "note \"%.60s\" is not a text", key);
        if (net_set_note(net, key, text, err)) status = ERR_SYNTAX;
    }
    return status;
}

/* Checks that the file holds all parameters of the program. The caller does this before it
 * allocates memory for them, because even a small file can describe a huge net. */
static Status check_tensors(const TensorFile *file, const Program *program,
                            const PackedForms *forms, Error *err) {
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (!packed_has(file, spec, packed_forms_find(forms, spec->name)))
            return fail(err, ERR_SYNTAX, "tensor \"%s\" with %zu values of F32 is missing",
                        spec->name, spec->count);
    }
    return OK;
}

static Status unpack(const TensorFile *file, Net **out, Error *err) {
    const char *text = tensor_file_get_note(file, "program");
    int version = tensor_file_version(file, FORMAT);
    *out = NULL;
    if (version > FORMAT_VERSION)
        return fail(err, ERR_UNSUPPORTED,
                    "made by a newer version of aji: the format is \"" FORMAT " %d\", and this "
                    "version knows \"" FORMAT " %d\"",
                    version, FORMAT_VERSION);
    if (!text || version != FORMAT_VERSION)
        return fail(err, ERR_SYNTAX, "this is not a net of Aji");
    Program *program;
    PackedForms *forms;
    Net *net = NULL;
    Status status = packed_forms_new(tensor_file_get_note(file, PACKED_NOTE), &forms, err);
    if (status) return status;
    status = program_read(text, strlen(text), &program, err);
    if (!status) {
        status = check_tensors(file, program, forms, err);
        if (status) program_free(program);
    }
    if (!status) status = net_new(program, NULL, &net, err);
    for (int i = 0; !status && i < program_parameter_count(net_program(net)); i++) {
        const ParameterSpec *spec = program_parameter(net_program(net), i);
        PackedForm form = packed_forms_find(forms, spec->name);
        status = packed_read(file, spec, form, net->values[i], err);
    }
    packed_forms_free(forms);
    if (!status) status = read_notes(file, net, err);
    if (status)
        net_free(net);
    else
        *out = net;
    return status;
}

Status net_copy(const Net *net, Net **out, Error *err) {
    TensorFile *file;
    *out = NULL;
    Status status = pack(net, false, &file, err);
    if (!status) status = unpack(file, out, err);
    tensor_file_free(file);
    return status;
}

void net_copy_values(Net *to, const Net *from) {
    for (int i = 0; i < program_parameter_count(from->program); i++)
        memcpy(net_values(to, i), net_values_const(from, i),
               program_parameter(from->program, i)->count * sizeof(float));
}

Status net_save(const Net *net, const char *path, Error *err) {
    TensorFile *file;
    Status status = pack(net, true, &file, err);
    if (!status) status = tensor_file_save(file, path, err);
    tensor_file_free(file);
    return status;
}

/* The SHA-256 of a program's text and the values of all parameters. */
static HashText hash_of(const Net *net, const char *program, size_t length) {
    HashSum sum = hash_sum_begin();
    hash_sum_add(&sum, program, length);
    for (int i = 0; i < program_parameter_count(net->program); i++)
        hash_sum_add(&sum, net->values[i],
                     program_parameter(net->program, i)->count * sizeof(float));
    return hash_sum_end(&sum);
}

/* The nets of a run are named NUMBER-HASH.aji. Returns the part of the name that begins with the 8
 * digits of the hash, or NULL if the file is not named like this. */
static const char *hash_in_name(const char *path) {
    enum { NUMBER_MIN = 6, NUMBER_MAX = 12, HASH = 8 };
    const char *name = path_name(path);
    size_t digits = strspn(name, "0123456789");
    if (digits < NUMBER_MIN || digits > NUMBER_MAX || name[digits] != '-') return NULL;
    const char *hash = name + digits + 1;
    return strspn(hash, "0123456789abcdef") == HASH && strcmp(hash + HASH, ".aji") == 0 ? hash
                                                                                        : NULL;
}

/* If the name of the file has a hash, checks that the net has this hash. The hash is taken over the
 * text of the program that is in the file. The program is not written as text again for this,
 * because another version of Aji may write the same program as another text. */
static Status check_name(const char *path, const TensorFile *file, const Net *net, Error *err) {
    const char *wanted = hash_in_name(path), *program = tensor_file_get_note(file, "program");
    if (!wanted) return OK;
    HashText found = hash_of(net, program, strlen(program));
    if (strncmp(wanted, found.text, 8) == 0) return OK;
    return fail(err, ERR_SYNTAX, "it holds another net than its name says: the hash is %.8s",
                found.text);
}

Status net_load(const char *path, Net **out, Error *err) {
    TensorFile *file;
    *out = NULL;
    Status status = tensor_file_load(path, &file, err);
    if (status) return status;
    const char *bad;
    status = unpack(file, out, err);
    if (!status && !net_is_finite(*out, &bad))
        status = fail(err, ERR_SYNTAX, "%s holds a number that is not finite", bad);
    if (!status) status = check_name(path, file, *out, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    if (status) fail_within(err, status, "%s", path);
    tensor_file_free(file);
    return status;
}

NetHash net_hash(const Net *net) {
    StrBuf text = {0};
    NetHash hash = {""};
    if (!program_write(net->program, &text, NULL) && !strbuf_status(&text, NULL))
        memcpy(hash.text, hash_of(net, strbuf_text(&text), text.length).text, sizeof hash.text);
    strbuf_clear(&text);
    return hash;
}
