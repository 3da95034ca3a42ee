#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/plural.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/session/line_reader.h"

static const GtpCommand *const *command_tables(void); /* ends with NULL */

static Status do_protocol_version(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, "2");
    return OK;
}

static Status do_name(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, "Aji");
    return OK;
}

static Status do_version(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, gtp->version);
    return OK;
}

static const GtpCommand *find_command(const char *name) {
    for (const GtpCommand *const *table = command_tables(); *table; table++) {
        for (const GtpCommand *command = *table; command->name; command++) {
            if (strcmp(command->name, name) == 0) return command;
        }
    }
    return NULL;
}

static Status do_known_command(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)err;
    const GtpCommand *command = a->count ? find_command(a->words[0]) : NULL;
    strbuf_add(out, command && command->listed ? "true" : "false");
    return OK;
}

static Status do_list_commands(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    for (const GtpCommand *const *table = command_tables(); *table; table++) {
        for (const GtpCommand *command = *table; command->name; command++) {
            if (command->listed) strbuf_addf(out, "%s%s", out->length ? "\n" : "", command->name);
        }
    }
    return OK;
}

static Status do_quit(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out, (void)err;
    gtp->quit = true;
    return OK;
}

static Status do_nothing(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)out, (void)err;
    return OK;
}

static const GtpCommand ADMIN_COMMANDS[] = {
    {"protocol_version", do_protocol_version, 0, GTP_ARGUMENTS_MAX, true},
    {"name", do_name, 0, GTP_ARGUMENTS_MAX, true},
    {"version", do_version, 0, GTP_ARGUMENTS_MAX, true},
    {"known_command", do_known_command, 0, GTP_ARGUMENTS_MAX, true},
    {"list_commands", do_list_commands, 0, GTP_ARGUMENTS_MAX, true},
    {"quit", do_quit, 0, GTP_ARGUMENTS_MAX, true},
    {"stop", do_nothing, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};

static const GtpCommand *const *command_tables(void) {
    static const GtpCommand *const TABLES[] = {ADMIN_COMMANDS,
                                               GTP_SETUP_COMMANDS,
                                               GTP_RULES_COMMANDS,
                                               GTP_GAME_COMMANDS,
                                               GTP_SCORE_COMMANDS,
                                               GTP_TIME_COMMANDS,
                                               GTP_SEARCH_COMMANDS,
                                               GTP_ANALYZE_COMMANDS,
                                               GTP_RAW_COMMANDS,
                                               GTP_DEBUG_COMMANDS,
                                               GTP_PARAM_COMMANDS,
                                               GTP_GOGUI_COMMANDS,
                                               NULL};
    return TABLES;
}

Status gtp_new(const SessionSetup *setup, const char *version, Gtp **out, Error *err) {
    Gtp *gtp;
    *out = NULL;
    Status status = mem_new(1, sizeof *gtp, &gtp, err);
    if (status) return status;
    gtp->version = version;
    gtp->default_limits = session_limits(setup);
    gtp->settings = setup->gtp;
    gtp->rng = rng_seeded(setup->seed + 1);
    gtp->default_threads = setup->threads < 1 ? 1 : setup->threads;
    status = session_new(setup, &gtp->session, err);
    if (!status) status = gtp_force_komi(gtp, err);
    if (status)
        gtp_free(gtp);
    else
        *out = gtp;
    return status;
}

void gtp_free(Gtp *gtp) {
    if (!gtp) return;
    session_free(gtp->session);
    free(gtp);
}

/* Copies the line to `clean`. Tabs become blanks. The comment, blanks at the end, and all other
 * bytes that are not printable ASCII are left out. */
static void clean_line(const char *line, char clean[GTP_LINE_MAX + 1]) {
    size_t used = 0;
    for (const char *at = line; *at && *at != '#' && used < GTP_LINE_MAX; at++) {
        if (*at == '\t')
            clean[used++] = ' ';
        else if (*at >= 32 && *at < 127)
            clean[used++] = *at;
    }
    while (used && clean[used - 1] == ' ')
        used--;
    clean[used] = 0;
}

static void split_words(char *text, Arguments *out) {
    char *rest = NULL;
    out->count = 0;
    for (char *word = strtok_r(text, " ", &rest); word && out->count < GTP_ARGUMENTS_MAX;
         word = strtok_r(NULL, " ", &rest))
        out->words[out->count++] = word;
}

static Status run_command(Gtp *gtp, const Arguments *all, StrBuf *answer, Error *err) {
    const GtpCommand *command = find_command(all->words[0]);
    if (!command) return fail(err, ERR_SYNTAX, "unknown command");
    Arguments arguments = {.count = all->count - 1};
    memcpy(arguments.words, all->words + 1, (size_t)arguments.count * sizeof *arguments.words);
    if (arguments.count < command->min)
        return fail(err, ERR_SYNTAX, "Expected %d argument%s for %s but got %d", command->min,
                    plural_ending(command->min), command->name, arguments.count);
    if (arguments.count > command->max)
        return fail(err, ERR_SYNTAX, "Expected at most %d argument%s for %s but got %d",
                    command->max, plural_ending(command->max), command->name, arguments.count);
    Status status = command->run(gtp, &arguments, answer, err);
    return status ? status : strbuf_status(answer, err);
}

void gtp_line(Gtp *gtp, const char *line, StrBuf *out, bool *quit) {
    char *at = gtp->line;
    Arguments arguments;
    *quit = false;
    clean_line(line, at);
    while (*at == ' ')
        at++;
    if (!*at) return;
    size_t digits = strspn(at, "0123456789");
    bool id_fits = digits < sizeof gtp->id && strtoll(at, NULL, 10) <= INT32_MAX;
    snprintf(gtp->id, sizeof gtp->id, "%.*s", (int)(id_fits ? digits : 0), at);
    gtp->out = out;
    gtp->streams = false;
    split_words(at + digits, &arguments);
    StrBuf answer = {0};
    Error err = {0};
    if (digits && !id_fits) {
        /* As in KataGo, this error and "empty command" are answered without an id, and no blank
         * line follows. */
        strbuf_addf(out, "? GTP id '%.40s' could not be parsed: it is above 2147483647\n", at);
    } else if (!arguments.count) {
        strbuf_add(out, "? empty command\n");
    } else {
        Status status = run_command(gtp, &arguments, &answer, &err);
        if (gtp->streams && status) log_error("%s", err.message); /* `=` is written already */
        if (gtp->streams)
            gtp_stream_write(gtp, "\n");
        else
            strbuf_addf(out, "%c%s %s\n\n", status ? '?' : '=', gtp->id,
                        status ? err.message : strbuf_text(&answer));
    }
    strbuf_clear(&answer);
    *quit = gtp->quit;
}

/* Ponders until the next line comes, if the position is still the one after the engine's last
 * move. */
static void ponder_until_input(Gtp *gtp) {
    Error err = {0};
    const Position *position = session_position(gtp->session);
    if (!session_setup(gtp->session)->time.ponder || !gtp->ponders_at || position->over) return;
    if (gtp->ponders_at != position_state_hash(position)) gtp->ponders_at = 0;
    SearchSettings search = gtp_move_search(&gtp->settings, &session_setup(gtp->session)->search);
    if (gtp->ponders_at && session_ponder(gtp->session, &search, gtp->input_ready, &err)) {
        log_error("%s", err.message);
        gtp->ponders_at = 0;
    }
}

Status gtp_serve(Gtp *gtp, int input, FILE *output, Error *err) {
    LineReader *reader;
    StrBuf answer = {0};
    bool quit = false;
    Status status = line_reader_new(input, GTP_INTERRUPT, &reader, err);
    if (status) return status;
    gtp->output = output;
    gtp->input_ready = line_reader_input_ready(reader);
    gtp->stopped = line_reader_stopped(reader);
    while (!quit && !status) {
        session_catch_up(gtp->session);
        ponder_until_input(gtp);
        char *line = line_reader_next(reader);
        if (!line) break;
        strbuf_reset(&answer);
        gtp_line(gtp, line, &answer, &quit);
        if (answer.failed) {
            fprintf(output, "?%s there is no memory for the answer\n\n", gtp->id);
            strbuf_clear(&answer);
        } else {
            fputs(strbuf_text(&answer), output);
        }
        if (fflush(output) || ferror(output))
            status = fail(err, ERR_IO, "the client does not read its answers any more: %s",
                          strerror(errno));
        free(line);
    }
    gtp->output = NULL;
    gtp->input_ready = gtp->stopped = NULL;
    line_reader_free(reader);
    strbuf_clear(&answer);
    return status;
}
