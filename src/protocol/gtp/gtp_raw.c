/* The GTP commands that show the net's evaluation of the position, without a search. */
#include <string.h>

#include "base/settings.h"
#include "protocol/gtp/gtp_command.h"

/* One of the two commands that this file has. */
typedef struct {
    const char *name, *wanted; /* for error messages */
    bool human;                /* it evaluates by the second net, the net of human play */
} RawCommand;

static const RawCommand MAIN_NET = {"kata-raw-nn",
                                    "(expected an optional color, a symmetry 'all' or index [0-7], "
                                    "and an optional optimism [0-1])",
                                    false};
static const RawCommand HUMAN_NET = {
    "kata-raw-human-nn", "(expected an optional color, and a symmetry 'all' or index [0-7])", true};

typedef struct {
    Color color;
    int first, last; /* the range of symmetries */
    bool has_optimism;
    double optimism;
} RawRequest;

static Status parse_symmetry(const char *word, const RawCommand *command, RawRequest *out,
                             Error *err) {
    long long symmetry;
    if (strcmp(word, "all") == 0) {
        out->first = 0;
        out->last = 7;
        return OK;
    }
    if (parse_int(word, "symmetry", 0, 7, &symmetry, NULL))
        return fail(err, ERR_SYNTAX,
                    "Expected a symmetry argument 'all' or index [0-7] but got '%.40s' for %s %s",
                    word, command->name, command->wanted);
    out->first = out->last = (int)symmetry;
    return OK;
}

static Status parse_raw_request(const Gtp *gtp, const Arguments *a, const RawCommand *command,
                                RawRequest *out, Error *err) {
    int at = 0;
    *out = (RawRequest){.color = session_position(gtp->session)->mover};
    Color color;
    if (a->count && !gtp_parse_color(a->words[0], &color, NULL)) {
        out->color = color;
        at++;
    }
    if (at == a->count)
        return fail(err, ERR_SYNTAX, "Expected a symmetry argument 'all' or index [0-7] for %s %s",
                    command->name, command->wanted);
    Status status = parse_symmetry(a->words[at++], command, out, err);
    if (status) return status;
    if (at < a->count && !command->human) {
        if (parse_double(a->words[at], "optimism", 0, 1, &out->optimism, NULL))
            return fail(err, ERR_SYNTAX,
                        "Expected an optimism value in [0,1] but got '%.40s' for %s %s",
                        a->words[at], command->name, command->wanted);
        out->has_optimism = true;
        at++;
    }
    return at == a->count ? OK
                          : fail(err, ERR_SYNTAX, "Unexpected extra argument '%.40s' for %s %s",
                                 a->words[at], command->name, command->wanted);
}

static void add_values(const Evaluation *e, Color mover, bool human, StrBuf *out) {
    bool white = mover == COLOR_WHITE;
    double score = (double)value_for_white(e->score_mean, mover), square = (double)e->score_mean_sq;
    if (!e->lacks_value) {
        strbuf_addf(out, "whiteWin %.6f\n", (double)(white ? e->win : e->loss));
        strbuf_addf(out, "whiteLoss %.6f\n", (double)(white ? e->loss : e->win));
        strbuf_addf(out, "noResult %.6f\n", (double)e->no_result);
    }
    if (e->lacks_score) {
        /* nothing is known of the score */
    } else if (human) {
        strbuf_addf(out, "whiteScore %.3f\nwhiteScoreSq %.3f\n", score, square);
    } else {
        strbuf_addf(out, "whiteLead %.3f\n", (double)value_for_white(e->lead, mover));
        strbuf_addf(out, "whiteScoreSelfplay %.3f\nwhiteScoreSelfplaySq %.3f\n", score, square);
        strbuf_addf(out, "varTimeLeft %.3f\n", (double)e->var_time);
    }
    strbuf_addf(out, "shorttermWinlossError %.3f\n", (double)e->shortterm_winloss_error);
    strbuf_addf(out, "shorttermScoreError %.3f\n", (double)e->shortterm_score_error);
}

static void add_prior(float prior, StrBuf *out) {
    if (prior < 0)
        strbuf_add(out, "    NAN ");
    else
        strbuf_addf(out, "%8.6f ", (double)prior);
}

static void add_evaluation(const Evaluation *e, Color mover, bool human, StrBuf *out) {
    add_values(e, mover, human, out);
    strbuf_add(out, "policy\n");
    for (int i = 0; i < e->width * e->height; i++) {
        add_prior(e->policy[i], out);
        if ((i + 1) % e->width == 0) strbuf_add(out, "\n");
    }
    strbuf_add(out, "policyPass ");
    add_prior(e->policy[e->width * e->height], out);
    if (e->lacks_ownership) return;
    strbuf_add(out, "\nwhiteOwnership\n");
    for (int i = 0; i < e->width * e->height; i++) {
        float own = e->has_ownership ? value_for_white(e->ownership[i], mover) : 0;
        strbuf_addf(out, "%9.7f ", (double)own);
        if ((i + 1) % e->width == 0) strbuf_add(out, "\n");
    }
}

static void trim_end(StrBuf *out) {
    while (out->length && (out->text[out->length - 1] == '\n' || out->text[out->length - 1] == ' '))
        out->text[--out->length] = 0;
}

static Status evaluate_raw(Gtp *gtp, const RawCommand *command, const RawRequest *request,
                           int symmetry, Evaluation *out, Error *err) {
    SearchSettings settings = session_setup(gtp->session)->search;
    if (request->has_optimism) settings.root_policy_optimism = request->optimism;
    /* As in KataGo, these settings, by which a search changes what the net says, have no effect. */
    settings.conservative_pass = settings.passing_hacks = false;
    settings.policy_temperature = 1;
    if (command->human)
        return session_evaluate_human(gtp->session, request->color, symmetry, out, err);
    return session_evaluate(gtp->session, request->color, symmetry, &settings, out, err);
}

static Status answer_raw_nn(Gtp *gtp, const Arguments *a, const RawCommand *command, StrBuf *out,
                            Error *err) {
    RawRequest request;
    Evaluation evaluation;
    Status status = parse_raw_request(gtp, a, command, &request, err);
    for (int symmetry = request.first; !status && symmetry <= request.last; symmetry++) {
        status = evaluate_raw(gtp, command, &request, symmetry, &evaluation, err);
        if (status) break;
        strbuf_addf(out, "symmetry %d\n", symmetry);
        add_evaluation(&evaluation, request.color, command->human, out);
    }
    trim_end(out);
    return status;
}

static Status do_raw_nn(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return answer_raw_nn(gtp, a, &MAIN_NET, out, err);
}

static Status do_raw_human_nn(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    if (!session_setup(gtp->session)->make_human)
        return fail(
            err, ERR_UNSUPPORTED,
            "Cannot run kata-raw-human-nn: there is no second net (--human-net). If the first "
            "net is of human play, use kata-raw-nn with the setting human.profile");
    return answer_raw_nn(gtp, a, &HUMAN_NET, out, err);
}

const GtpCommand GTP_RAW_COMMANDS[] = {
    {"kata-raw-nn", do_raw_nn, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-raw-human-nn", do_raw_human_nn, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};
