#include "eval/formats/lc0/lc0_read.h"

#include <stdio.h>

#include "eval/arch/heads.h"
#include "eval/formats/lc0/lc0_reading.h"
#include "eval/formats/lc0/lc0_summary.h"

/* Keeps what the file says of itself. */
static Status add_notes(const Lc0File *file, bool chess, Net *net, Error *err) {
    const Lc0Entry *license = lc0_file_find(file, "license");
    Status status = OK;
    if (chess) status = net_set_note(net, "name", "parts of a net of lc0 for chess", err);
    if (!status && license && license->value.bytes.left) {
        StrBuf text = {0};
        strbuf_add_bytes(&text, license->value.bytes.at, license->value.bytes.left);
        status = strbuf_status(&text, err);
        if (!status) status = net_set_note(net, "license", strbuf_text(&text), err);
        strbuf_clear(&text);
    }
    return status;
}

/* Checks that the net is one that Aji plays with. */
static Status check_heads(const char *path, const Net *net, Error *err) {
    HeadIndex heads;
    Status status = heads_find(net_program(net), &heads, err);
    return status ? fail_within(err, status, "%s", path) : OK;
}

static Status read_file(const Lc0File *file, Net **out, bool *chess, Error *err) {
    Lc0Reading r = {.layers = {.file = file}};
    *out = NULL;
    Status status = lc0_format_of(file, &r.format, err);
    if (!status) status = lc0_format_check(file, &r.format, err);
    if (!status) status = program_new(&r.layers.program, err);
    if (status) return status;
    *chess = !r.format.go;
    if (lc0_file_find(file, "onnx_model"))
        lc0_layers_refuse(&r.layers, ERR_UNSUPPORTED, "onnx_model: a net in the format ONNX");
    if (!r.format.go && r.format.input == 0)
        lc0_layers_refuse(&r.layers, ERR_UNSUPPORTED,
                          "format.network_format.input is 0 (INPUT_UNKNOWN), and the file does not "
                          "say that it is a net for Go");
    Value trunk = lc0_layers_good(&r.layers) ? lc0_read_body(&r) : -1;
    if (r.format.go)
        lc0_read_go_heads(&r, trunk);
    else
        lc0_read_chess_heads(&r, trunk);
    status = lc0_layers_finish(&r.layers, out, err);
    if (!status) status = add_notes(file, *chess, *out, err);
    if (!status && r.format.go) status = check_heads(lc0_file_path(file), *out, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    lc0_layers_clear(&r.layers);
    return status;
}

Status lc0_net_read_parts(const void *bytes, size_t count, const char *path, Net **out, bool *chess,
                          Error *err) {
    Lc0File *file;
    *out = NULL;
    Status status = lc0_file_parse(bytes, count, path, &file, err);
    if (!status) status = read_file(file, out, chess, err);
    lc0_file_free(file);
    return status;
}

Status lc0_net_load_parts(const char *path, Net **out, bool *chess, Error *err) {
    Lc0File *file;
    *out = NULL;
    Status status = lc0_file_load(path, &file, err);
    if (!status) status = read_file(file, out, chess, err);
    lc0_file_free(file);
    return status;
}

Status lc0_net_load(const char *path, Net **out, Error *err) {
    Lc0File *file;
    Lc0Format format;
    bool chess;
    *out = NULL;
    Status status = lc0_file_load(path, &file, err);
    if (!status) status = lc0_format_of(file, &format, err);
    if (!status) status = lc0_format_check(file, &format, err);
    if (!status && !format.go) status = lc0_summary_refuse(file, &format, err);
    if (!status) status = read_file(file, out, &chess, err);
    lc0_file_free(file);
    return status;
}
