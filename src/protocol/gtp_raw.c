/* GTP: what the net says of a position, without a search. */
#include "base/settings.h"
#include "protocol/gtp_private.h"
#include <string.h>

#define RAW_WANTED                                                                                 \
    "(expected an optional color, a symmetry 'all' or index [0-7], and an optional optimism "      \
    "[0-1])"

typedef struct {
    Color color;
    int first, last; /* symmetries */
    bool has_optimism;
    double optimism;
} RawRequest;

static Status parse_symmetry(const char *word, RawRequest *out, Error *err) {
    long long symmetry;
    if (strcmp(word, "all") == 0) {
        out->first = 0;
        out->last = 7;
        return OK;
    }
    if (parse_int(word, "symmetry", 0, 7, &symmetry, NULL))
        return fail(err, ERR_SYNTAX,
                    "Expected a symmetry argument 'all' or index [0-7] but got '%.40s' for "
                    "kata-raw-nn " RAW_WANTED,
                    word);
    out->first = out->last = (int)symmetry;
    return OK;
}

static Status parse_raw(const Gtp *gtp, const Arguments *a, RawRequest *out, Error *err) {
    int at = 0;
    *out = (RawRequest){.color = session_position(gtp->session)->mover};
    Color color;
    if (a->count && !gtp_parse_color(a->words[0], &color, NULL)) {
        out->color = color;
        at++;
    }
    if (at == a->count)
        return fail(
            err, ERR_SYNTAX,
            "Expected a symmetry argument 'all' or index [0-7] for kata-raw-nn " RAW_WANTED);
    Status status = parse_symmetry(a->words[at++], out, err);
    if (status) return status;
    if (at < a->count) {
        if (parse_double(a->words[at], "optimism", 0, 1, &out->optimism, NULL))
            return fail(err, ERR_SYNTAX,
                        "Expected an optimism value in [0,1] but got '%.40s' for "
                        "kata-raw-nn " RAW_WANTED,
                        a->words[at]);
        out->has_optimism = true;
        at++;
    }
    return at == a->count ? OK
                          : fail(err, ERR_SYNTAX,
                                 "Unexpected extra argument '%.40s' for kata-raw-nn " RAW_WANTED,
                                 a->words[at]);
}

static void add_values(const Evaluation *e, Color mover, int symmetry, StrBuf *out) {
    bool white = mover == COLOR_WHITE;
    strbuf_addf(out, "symmetry %d\n", symmetry);
    strbuf_addf(out, "whiteWin %.6f\n", (double)(white ? e->win : e->loss));
    strbuf_addf(out, "whiteLoss %.6f\n", (double)(white ? e->loss : e->win));
    strbuf_addf(out, "noResult %.6f\n", (double)e->no_result);
    strbuf_addf(out, "whiteLead %.3f\n", (double)value_for_white(e->lead, mover));
    strbuf_addf(out, "whiteScoreSelfplay %.3f\n", (double)value_for_white(e->score_mean, mover));
    strbuf_addf(out, "whiteScoreSelfplaySq %.3f\n", (double)e->score_mean_sq);
    strbuf_addf(out, "varTimeLeft %.3f\n", (double)e->var_time);
    strbuf_addf(out, "shorttermWinlossError %.3f\n", (double)e->shortterm_winloss_error);
    strbuf_addf(out, "shorttermScoreError %.3f\n", (double)e->shortterm_score_error);
}

static void add_prior(float prior, StrBuf *out) {
    if (prior < 0)
        strbuf_add(out, "    NAN ");
    else
        strbuf_addf(out, "%8.6f ", (double)prior);
}

static void add_evaluation(const Evaluation *e, Color mover, int symmetry, StrBuf *out) {
    add_values(e, mover, symmetry, out);
    strbuf_add(out, "policy\n");
    for (int i = 0; i < e->width * e->height; i++) {
        add_prior(e->policy[i], out);
        if ((i + 1) % e->width == 0) strbuf_add(out, "\n");
    }
    strbuf_add(out, "policyPass ");
    add_prior(e->policy[e->width * e->height], out);
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

static Status do_raw_nn(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    RawRequest request;
    Evaluation evaluation;
    Status status = parse_raw(gtp, a, &request, err);
    SearchSettings settings = session_setup(gtp->session)->search;
    if (!status && request.has_optimism) settings.root_policy_optimism = (float)request.optimism;
    for (int symmetry = request.first; !status && symmetry <= request.last; symmetry++) {
        status =
            session_evaluate(gtp->session, request.color, symmetry, &settings, &evaluation, err);
        if (!status) add_evaluation(&evaluation, request.color, symmetry, out);
    }
    trim_end(out);
    return status;
}

static Status do_raw_human_nn(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)out;
    return fail(err, ERR_UNSUPPORTED,
                "Cannot run kata-raw-human-nn: there is no second net; see the setting "
                "human_profile for one net of human play");
}

const GtpCommand GTP_RAW_COMMANDS[] = {
    {"kata-raw-nn", do_raw_nn, 0, GTP_ARGUMENTS_MOST, true},
    {"kata-raw-human-nn", do_raw_human_nn, 0, GTP_ARGUMENTS_MOST, true},
    {0},
};
