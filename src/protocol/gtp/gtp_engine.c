#include "protocol/gtp/gtp_engine.h"

#include "protocol/session/vertex.h"

Status gtp_parse_color(const char *text, Color *out, Error *err) {
    *out = COLOR_EMPTY;
    if (color_parse(text, out)) return OK;
    return fail(err, ERR_SYNTAX, "Could not parse color: '%.60s'", text);
}

Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err) {
    const Board *board = &session_position(gtp->session)->board;
    if (vertex_parse(text, board->width, board->height, out)) return OK;
    return fail(err, ERR_SYNTAX, "Could not parse vertex: '%.60s'", text);
}

int gtp_height(const Gtp *gtp) {
    return session_position(gtp->session)->board.height;
}

Status gtp_force_komi(Gtp *gtp, Error *err) {
    if (!gtp_komi_is_forced(&gtp->settings)) return OK;
    return session_set_komi(gtp->session, (float)gtp->settings.forced_komi, err);
}

void gtp_join(const Arguments *a, int first, StrBuf *out) {
    for (int i = first; i < a->count; i++)
        strbuf_addf(out, "%s%s", i > first ? " " : "", a->words[i]);
}

void gtp_stream_write(Gtp *gtp, const char *text) {
    if (!gtp->output) {
        strbuf_add(gtp->out, text);
        return;
    }
    fputs(text, gtp->output);
    fflush(gtp->output);
}

void gtp_stream_begin(Gtp *gtp) {
    char header[32];
    snprintf(header, sizeof header, "=%s\n", gtp->id);
    gtp->streams = true;
    gtp_stream_write(gtp, header);
}
