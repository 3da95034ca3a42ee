/* How a net is read:
 *   1. The functions read_...() and katago_block() read the layers in the order of the file, check
 *      that they fit together, and add their ops to a program (katago_layers.h).
 *   2. After the last layer, layers_finish() makes the net. It copies each weight from the
 *      KatagoFile, which keeps the weights until it is closed, to its place in the net.
 *   3. The version of the model, its score multipliers and the other fields of its ModelFormat go
 *      into a note of the net. */
#include "eval/formats/katago_net.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/formats/archive.h"
#include "eval/arch/heads.h"
#include "eval/features/features.h"
#include "eval/features/metadata.h"
#include "eval/features/model_format.h"
#include "eval/formats/katago_blocks.h"
#include "eval/formats/katago_transformer.h"

enum { VERSION_MIN = 3, VERSION_MAX = 17, BLOCKS_MAX = 1000 };

typedef struct {
    KatagoLayers layers;
    KatagoFile *file;
    Program *program;
    char name[KATAGO_WORD];
    ModelFormat model_format;
} Reading;

/* Reads and adds the inputs. The version of the model decides which features they hold (KataGo,
 * cpp/neuralnet/modelversion.cpp). */
static void read_inputs(Reading *r, Value *planes, Value *globals) {
    int features = model_format_features(&r->model_format), plane_count = feature_planes(features),
        global_count = feature_globals(features);
    katago_read_int(r->file, "the number of input planes", plane_count, plane_count);
    katago_read_int(r->file, "the number of global inputs", global_count, global_count);
    *planes = program_input(r->program, "planes", KIND_SPATIAL, plane_count);
    *globals = program_input(r->program, "globals", KIND_VECTOR, global_count);
    program_set_mask(r->program, *planes, 0);
}

static void read_multipliers(Reading *r) {
    ScoreMultipliers *score = &r->model_format.score;
    double *const fields[] = {&r->model_format.td_score,
                              &score->mean,
                              &score->stdev,
                              &score->lead,
                              &score->var_time,
                              &score->shortterm_winloss,
                              &score->shortterm_score};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        double value = katago_read_positive(r->file, "a multiplier of outputs");
        *fields[i] = (double)(float)value; /* KataGo keeps it as f32 */
        if (katago_file_good(r->file) && !(value > 1e-30 && value < 1e30))
            katago_file_refuse(r->file, ERR_SYNTAX, "a multiplier of outputs is %g", value);
    }
}

static void read_header(Reading *r, Value *planes, Value *globals) {
    KatagoWord name = katago_read_name(r->file);
    snprintf(r->name, sizeof r->name, "%s", name.text);
    int version = katago_read_int(r->file, "the model version", VERSION_MIN, VERSION_MAX);
    if (!version) version = VERSION_MIN;
    katago_file_set_version(r->file, version);
    r->model_format = MODEL_FORMAT_DEFAULT;
    r->model_format.version = version;
    r->model_format.own_policies = false;
    r->model_format.score.shortterm_score = 30;
    read_inputs(r, planes, globals);
    if (version >= 13) read_multipliers(r);
    if (version < 15) return;
    r->model_format.metadata = katago_read_int(r->file, "the version of the metadata", 0, 1);
    r->model_format.passalive_under_suicide = katago_read_int(
        r->file, "whether pass-alive areas are computed as if suicide were legal", 0, 1);
    katago_read_zeros(r->file, 6);
}

static Value read_metadata(Reading *r, int channels) {
    KatagoLayers *layers = &r->layers;
    LayerPrefix prefix = layers_prefix(layers, "metadata");
    katago_read_name(r->file);
    katago_read_int(r->file, "the number of metadata inputs", METADATA_COUNT, METADATA_COUNT);
    Value m = program_input(r->program, "metadata", KIND_VECTOR, METADATA_COUNT);
    m = layers_matrix(layers, prefix, "map1", m, 0);
    m = layers_vector(layers, prefix, "bias1", m);
    m = layers_activation(layers, m);
    m = layers_matrix(layers, prefix, "map2", m, 0);
    m = layers_vector(layers, prefix, "bias2", m);
    m = layers_activation(layers, m);
    return layers_matrix(layers, prefix, "map3", m, channels);
}

static Value read_tip(Reading *r, bool rms, Value x) {
    LayerPrefix prefix = layers_prefix(&r->layers, "tip");
    return rms ? katago_rms_tip(&r->layers, prefix, x) : layers_norm(&r->layers, prefix, "norm", x);
}

static Value read_trunk(Reading *r, Value planes, Value globals) {
    KatagoLayers *layers = &r->layers;
    katago_read_name(r->file);
    int blocks = katago_read_int(r->file, "the number of blocks", 1, BLOCKS_MAX),
        channels = katago_read_int(r->file, "the number of trunk channels", 1, KATAGO_CHANNELS_MAX);
    katago_read_int(r->file, "the number of middle channels", 1, KATAGO_CHANNELS_MAX);
    katago_read_int(r->file, "the number of regular channels", 1, KATAGO_CHANNELS_MAX);
    katago_read_int(r->file, "the number of dilated channels", 0, KATAGO_CHANNELS_MAX);
    katago_read_int(r->file, "the number of pooled channels", 1, KATAGO_CHANNELS_MAX);
    bool rms = false;
    if (r->model_format.version >= 15) {
        rms = katago_read_int(r->file, "the kind of norm at the tip", 0, 1);
        katago_read_zeros(r->file, 5);
    }
    LayerPrefix start = layers_prefix(layers, "start");
    Value x = layers_conv(layers, start, "conv", planes, channels),
          v = layers_matrix(layers, start, "globals", globals, channels);
    if (r->model_format.metadata) v = program_add(r->program, v, read_metadata(r, channels));
    x = program_add_broadcast(r->program, x, v);
    for (int i = 0; i < blocks && katago_file_good(r->file); i++)
        x = katago_block(layers, layers_prefix(layers, "block%d", i), x, 0);
    return read_tip(r, rms, x);
}

static void read_policy(Reading *r, Value trunk) {
    KatagoLayers *layers = &r->layers;
    LayerPrefix prefix = layers_prefix(layers, "policy");
    int version = r->model_format.version, channels = model_format_min_policies(&r->model_format);
    katago_read_name(r->file);
    if (version >= 17) {
        channels = katago_read_int(r->file, "the number of policies", 2, 4);
        if (channels == 3)
            katago_file_refuse(r->file, ERR_SYNTAX,
                               "the number of policies is 3, 2 or 4 is wanted");
        katago_read_zeros(r->file, 3);
    }
    Value p = layers_conv(layers, prefix, "p1", trunk, 0),
          g = layers_conv(layers, prefix, "g1", trunk, 0);
    int inner = layers_channels(layers, p);
    g = layers_norm(layers, prefix, "gnorm", g);
    Value z = program_global_pool(r->program, g, POOL_MEAN_SCALE_MAX);
    p = program_add_broadcast(r->program, p, layers_matrix(layers, prefix, "gmap", z, inner));
    p = layers_norm(layers, prefix, "pnorm", p);
    program_output(r->program, HEADS[HEAD_POLICY].name,
                   layers_conv(layers, prefix, "p2", p, channels));
    Value pass = layers_matrix(layers, prefix, "pass", z, version >= 15 ? inner : channels);
    if (version >= 15) {
        pass = layers_vector(layers, prefix, "passbias", pass);
        pass = layers_activation(layers, pass);
        pass = layers_matrix(layers, prefix, "pass2", pass, channels);
    }
    program_output(r->program, HEADS[HEAD_PASS].name, pass);
}

static void read_value(Reading *r, Value trunk) {
    KatagoLayers *layers = &r->layers;
    LayerPrefix prefix = layers_prefix(layers, "value");
    katago_read_name(r->file);
    if (r->model_format.version >= 17) katago_read_zeros(r->file, 3);
    Value v = layers_conv(layers, prefix, "v1", trunk, 0);
    v = layers_norm(layers, prefix, "v1norm", v);
    Value h = program_global_pool(r->program, v, POOL_MEAN_SCALE_SCALE);
    h = layers_matrix(layers, prefix, "v2", h, 0);
    h = layers_vector(layers, prefix, "v2bias", h);
    h = layers_activation(layers, h);
    Value outcome = layers_matrix(layers, prefix, "v3", h, 3);
    outcome = layers_vector(layers, prefix, "v3bias", outcome);
    Value score =
        layers_matrix(layers, prefix, "sv3", h, model_format_score_channels(&r->model_format));
    score = layers_vector(layers, prefix, "sv3bias", score);
    program_output(r->program, HEADS[HEAD_VALUE].name, outcome);
    program_output(r->program, HEADS[HEAD_SCORE].name, score);
    program_output(r->program, HEADS[HEAD_OWNERSHIP].name,
                   layers_conv(layers, prefix, "ownership", v, 1));
}

static Status read_net(Reading *r, Net **out, Error *err) {
    Value planes, globals;
    read_header(r, &planes, &globals);
    Value trunk = read_trunk(r, planes, globals);
    read_policy(r, trunk);
    read_value(r, trunk);
    Status status = layers_finish(&r->layers, out, err);
    if (!status) status = net_set_note(*out, "name", r->name, err);
    if (!status) status = model_format_note(*out, &r->model_format, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status katago_net_read(const char *bytes, size_t count, Net **out, Error *err) {
    Reading r = {0};
    *out = NULL;
    Status status = katago_file_open(bytes, count, &r.file, err);
    if (!status) status = program_new(&r.program, err);
    r.layers = (KatagoLayers){.file = r.file, .program = r.program};
    if (!status) status = read_net(&r, out, err);
    layers_clear(&r.layers);
    katago_file_close(r.file);
    return status;
}

/* Returns whether this is one of our own files. Such a file begins with 8 bytes that hold the
 * length of a header; the header, a JSON object, follows. */
static bool is_aji_file(const char *bytes, size_t count) {
    return count > 16 && bytes[8] == '{' && bytes[9] == '"' && memchr(bytes, 0, 8);
}

/* Returns whether the bytes may be the beginning of a net: the first bytes must be text. The name
 * and the first numbers of a net are text even if the weights are binary. */
static bool begins_as_text(const char *bytes, size_t count) {
    for (size_t i = 0; i < 16 && i < count; i++) {
        bool blank = bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\t';
        if (!blank && (bytes[i] < ' ' || bytes[i] > '~')) return false;
    }
    return true;
}

Status katago_net_load(const char *path, Net **out, Error *err) {
    /* Binary weights hardly shrink when packed, and text shrinks to a third. A file that unpacks to
     * more than 16 times its size plus 32 MiB is no net. */
    const GzipLimit limit = {.bytes = 32 << 20, .ratio = 16};
    Arena arena = {0};
    char *bytes;
    size_t count;
    *out = NULL;
    if (!file_exists(path)) return fail(err, ERR_IO, "cannot read %s: no such file", path);
    Status status = gzip_read(path, limit, &arena, &bytes, &count, err);
    if (!status && is_aji_file(bytes, count))
        status =
            fail(err, ERR_SYNTAX, "%s: this is an .aji file under the name of a KataGo file", path);
    else if (!status) {
        status = katago_net_read(bytes, count, out, err);
        if (status == ERR_SYNTAX && !begins_as_text(bytes, count))
            fail(err, status, "%s: this is not a KataGo net: it does not begin with a name", path);
        else if (status)
            fail_within(err, status, "%s", path);
    }
    arena_clear(&arena);
    return status;
}
