#include "eval/formats/lc0/lc0_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "eval/features/features_version.h"

/* The newest version of lc0 whose net files were compared with this reader. */
enum { KNOWN_MAJOR = 0, KNOWN_MINOR = 33 };
enum { MAPPING = 1, FEATURES = 7, NOTE_MAX = 200, SIDE_MAX = 19 };
static const char GO[] = "game=go", NOTE_FIELD[] = "training_params.lc0_params";

/* The note that Aji writes into the file of a net for Go. It says what lc0's format has no fields
 * for. */
typedef struct {
    int mapping, features, side;
    double epsilon;
    int gates; /* 0: points, 1: edges */
} Note;

static const SettingsField NOTE_FIELDS[] = {
    FIELD_INT(Note, mapping, MAPPING, 1, 1 << 20, "version of the mapping"),
    FIELD_INT(Note, features, FEATURES, 1, 1 << 20, "version of the input features"),
    FIELD_DOUBLE(Note, epsilon, 1e-3, 0, 1, "epsilon of layer norms"),
    FIELD_CHOICE(Note, gates, 0, "points|edges", "what the places of gates are"),
    FIELD_INT(Note, side, SIDE_MAX, 1, SIDE_MAX, "side of the board of gates"),
    {0},
};

/* Copies the note to `text`. Returns false if the file has none, or one of another form. */
static bool note_of(const Lc0File *file, char text[NOTE_MAX]) {
    const Lc0Entry *entry = lc0_file_find(file, "%s", NOTE_FIELD);
    if (!entry || entry->value.bytes.left >= NOTE_MAX || entry->value.bytes.left < strlen(GO))
        return false;
    size_t length = entry->value.bytes.left;
    memcpy(text, entry->value.bytes.at, length);
    text[length] = 0;
    return strncmp(text, GO, strlen(GO)) == 0;
}

/* Reads the words behind "game=go". */
static Status read_note(const Lc0File *file, const char *text, Note *out, Error *err) {
    const SettingsGroup groups[] = {{"net", NOTE_FIELDS, out}, {0}};
    char word[NOTE_MAX];
    Status status = OK;
    settings_defaults(NOTE_FIELDS, out);
    text += strlen(GO);
    while (*text && !status) {
        size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text + blanks);
        text += blanks + length;
        if (length) status = settings_assign(groups, word, err);
    }
    if (status) return fail_within(err, ERR_SYNTAX, "%s: %s", lc0_file_path(file), NOTE_FIELD);
    if (out->mapping != MAPPING)
        return fail(err, ERR_UNSUPPORTED,
                    "%s: its mapping of Go to lc0's format has version %d, but this version of aji "
                    "knows version %d",
                    lc0_file_path(file), out->mapping, MAPPING);
    if (out->features != FEATURES)
        return fail(err, ERR_UNSUPPORTED,
                    "%s: its input features have version %d, version %d is wanted",
                    lc0_file_path(file), out->features, FEATURES);
    return OK;
}

float lc0_alpha(int encoders) {
    return (float)pow(2.0 * (encoders > 0 ? encoders : 1), -0.25);
}

static Lc0Activation activation_of(const Lc0File *file, const char *name, Lc0Activation usual) {
    uint64_t number = lc0_file_number(file, name);
    return number && number < 1000 ? (Lc0Activation)number : usual;
}

static int number_of(const Lc0File *file, const char *name) {
    uint64_t number = lc0_file_number(file, name);
    return number < 1000 ? (int)number : 1000;
}

/* Older files lack fields that later files have. lc0 fills them in when it reads such a file
 * (src/neural/loader.cc). */
static void fill_in(const Lc0File *file, Lc0Format *format) {
    bool heads = lc0_file_find(file, "weights.policy_heads") &&
                 lc0_file_find(file, "weights.value_heads"),
         smolgen = lc0_file_size(file, "weights.smolgen_w") > 0;
    if (!lc0_file_find(file, "format.network_format")) format->input = 1;
    if (format->network == LC0_NETWORK_SE_HEADS && format->attention) {
        format->network = LC0_NETWORK_ATTENTION;
        if (smolgen) format->ffn_activation = LC0_ACTIVATION_RELU_2;
        if (smolgen) format->smolgen_activation = LC0_ACTIVATION_SWISH;
    }
    if (format->network == LC0_NETWORK_ATTENTION && heads && !format->go)
        format->embedding = LC0_EMBEDDING_PE_DENSE;
    else if (format->network == LC0_NETWORK_ATTENTION && !format->go &&
             !lc0_file_find(file, "format.network_format.input_embedding"))
        format->embedding = LC0_EMBEDDING_PE_MAP;
}

Status lc0_format_of(const Lc0File *file, Lc0Format *out, Error *err) {
    char text[NOTE_MAX];
    int encoders = lc0_file_times(file, "weights.encoder");
    *out = (Lc0Format){.attention = encoders > 0,
                       .input = number_of(file, "format.network_format.input"),
                       .network = number_of(file, "format.network_format.network"),
                       .policy = number_of(file, "format.network_format.policy"),
                       .value = number_of(file, "format.network_format.value"),
                       .moves_left = number_of(file, "format.network_format.moves_left"),
                       .embedding = number_of(file, "format.network_format.input_embedding"),
                       .alpha = lc0_alpha(encoders),
                       .side = LC0_CHESS_SIDE};
    static const char *const VERSION[] = {"min_version.major", "min_version.minor",
                                          "min_version.patch"};
    for (int i = 0; i < 3; i++)
        out->version[i] = lc0_file_number(file, VERSION[i]);
    out->activation = lc0_file_number(file, "format.network_format.default_activation")
                          ? LC0_ACTIVATION_MISH
                          : LC0_ACTIVATION_RELU;
    out->ffn_activation =
        activation_of(file, "format.network_format.ffn_activation", out->activation);
    out->smolgen_activation =
        activation_of(file, "format.network_format.smolgen_activation", out->activation);
    out->go = out->input == 0 && note_of(file, text);
    fill_in(file, out);
    out->epsilon = out->embedding == LC0_EMBEDDING_PE_DENSE ? 1e-3f : 1e-6f;
    if (!out->go) return OK;
    Note note;
    Status status = read_note(file, text, &note, err);
    out->epsilon = (float)note.epsilon;
    out->side = note.side;
    out->edges = note.gates;
    return status;
}

Status lc0_format_check(const Lc0File *file, const Lc0Format *format, Error *err) {
    const char *path = lc0_file_path(file);
    const uint64_t *version = format->version;
    if (version[0] > KNOWN_MAJOR || (version[0] == KNOWN_MAJOR && version[1] > KNOWN_MINOR))
        return fail(
            err, ERR_UNSUPPORTED,
            "%s needs version %llu.%llu.%llu of lc0, but this version of aji knows the nets "
            "of lc0 up to version %d.%d",
            path, (unsigned long long)version[0], (unsigned long long)version[1],
            (unsigned long long)version[2], KNOWN_MAJOR, KNOWN_MINOR);
    for (size_t i = 0; i < lc0_file_count(file); i++) {
        const Lc0Entry *entry = lc0_file_entry(file, i);
        if (!entry->field)
            return fail(err, ERR_UNSUPPORTED, "%s: %s is not known", path, entry->name);
        if (entry->field->kind == LC0_WORD && !lc0_word(entry->field->words, entry->value.value))
            return fail(err, ERR_UNSUPPORTED, "%s: %s is %llu, a number that is not known", path,
                        entry->name, (unsigned long long)entry->value.value);
    }
    return OK;
}

void lc0_format_note(const Lc0Format *format, StrBuf *out) {
    /* 6 digits are enough for usual numbers, and 9 digits for all. */
    bool six = false;
    char digits[32];
    double value;
    snprintf(digits, sizeof digits, "%.6g", (double)format->epsilon);
    if (!parse_double(digits, "epsilon", 0, 1, &value, NULL))
        six = !(fabs((double)(float)value - (double)format->epsilon) > 0);
    if (!six) snprintf(digits, sizeof digits, "%.9g", (double)format->epsilon);
    strbuf_addf(out, "%s mapping=%d features=%d epsilon=%s gates=%s side=%d", GO, MAPPING, FEATURES,
                digits, format->edges ? "edges" : "points", format->side);
}
