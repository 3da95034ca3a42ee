#include "run/charts/run_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/charts/chart.h"
#include "run/store/run_config.h"

/* A text like "+120 +-60" for an Elo difference and its 95% interval. The text is "-" if there is
 * no difference to show. For example, the first rated net has no net before it, and a net may have
 * no games that connect it with the anchor. */
typedef struct {
    char text[32];
} GainText;

static GainText gain_text(const EloGain *gain) {
    GainText text = {"-"};
    if (gain->deviation > 0)
        snprintf(text.text, sizeof text.text, "%+.0f +-%.0f", gain->elo, 1.96 * gain->deviation);
    return text;
}

void net_table_write(const IndexedNet *nets, int count, const NetRatings *ratings, StrBuf *out) {
    char over[32] = "Elo";
    bool anchored = *ratings->anchor.text != 0;
    if (ratings->count) snprintf(over, sizeof over, "Elo over net %d", ratings->nets[0].number);
    strbuf_addf(out, "%6s  %9s  %9s  %9s  %8s  %18s  %18s%s\n", "net", "time", "rows", "samples",
                "evals M", over, "over the one before", anchored ? "     over the anchor" : "");
    int shown = 0;
    for (int i = 0; i < count; i++) {
        const IndexedNet *net = &nets[i];
        const NetRating *rating = net_ratings_find(ratings, net->number);
        if (!rating && i != count - 1) continue;
        strbuf_addf(out, "%6d  %9s  %9lld  %9lld  %8.2f  ", net->number,
                    clock_duration_text(net->seconds).text, (long long)net->rows,
                    (long long)net->samples, (double)net->evaluations * 1e-6);
        if (rating)
            strbuf_addf(out, "%18s  %18s", gain_text(&rating->first).text,
                        gain_text(&rating->before).text);
        else
            strbuf_addf(out, "%18s", "not rated");
        if (rating && anchored) strbuf_addf(out, "  %18s", gain_text(&rating->anchor).text);
        strbuf_add(out, "\n");
        shown++;
    }
    if (!shown) strbuf_add(out, "no net yet\n");
    if (ratings->count)
        strbuf_add(out, "Elo from all games of the run's nets, with intervals of 95%\n");
    if (ratings->count && anchored) strbuf_addf(out, "The anchor is %s.\n", ratings->anchor.text);
}

/* One curve of a chart, which shows a metric over minutes of work. */
typedef struct {
    const char *metric, *name; /* `name` is for the legend; a `metric` of NULL ends the list */
} Curve;
enum { CURVES = 4 };

static Status read_curve(RunIndex *index, const Curve *curve, ChartPoint **out, int *count,
                         Error *err) {
    MetricPoint *points;
    Status status = run_index_metric(index, curve->metric, &points, count, err);
    if (!status) status = mem_new((size_t)*count + 1, sizeof **out, out, err);
    for (int i = 0; !status && i < *count; i++)
        (*out)[i] = (ChartPoint){points[i].seconds / 60, points[i].value};
    free(points);
    return status;
}

/* Adds one chart. It has the first curve, and those of the other curves that have points. A chart
 * with only one curve is small. */
static Status add_curve_chart(RunIndex *index, const Curve curves[CURVES], const ChartWords *words,
                              StrBuf *page, Error *err) {
    ChartPoint *points[CURVES] = {NULL};
    ChartSeries series[CURVES] = {0};
    int series_count = 0;
    Status status = OK;
    for (int i = 0; i < CURVES && curves[i].metric && !status; i++) {
        int count;
        status = read_curve(index, &curves[i], &points[i], &count, err);
        if (status || (!count && i)) continue;
        series[series_count++] =
            (ChartSeries){.name = curves[i].name, .points = points[i], .count = count, .color = i};
    }
    if (!status && series_count > 1)
        chart_series_svg(page, words, series, series_count);
    else if (!status)
        chart_svg(page, words, series[0].points, series[0].count);
    for (int i = 0; i < CURVES; i++)
        free(points[i]);
    return status;
}

static Status add_chart(RunIndex *index, const char *metric, const ChartWords *words, StrBuf *page,
                        Error *err) {
    return add_curve_chart(index, (const Curve[CURVES]){{metric, NULL}}, words, page, err);
}

/* Adds the chart of a training metric. If games are kept for validation, the chart also has the
 * curves of the trained net and of the averaged net on these games. */
static Status add_training_chart(RunIndex *index, const char *metric, const ChartWords *words,
                                 StrBuf *page, Error *err) {
    char own[64], averaged[64];
    snprintf(own, sizeof own, "validation.%s", metric);
    snprintf(averaged, sizeof averaged, "validation_averaged.%s", metric);
    const Curve curves[CURVES] = {
        {metric, "training"}, {own, "validation"}, {averaged, "validation, averaged net"}};
    return add_curve_chart(index, curves, words, page, err);
}

/* Adds a chart for each curve whose name begins with `prefix`, such as the score against one
 * opponent. */
static Status add_rating_charts(RunIndex *index, const char *prefix, const char *what,
                                const char *unit, StrBuf *page, Error *err) {
    Arena arena = {0};
    char **names, title[200];
    int count;
    Status status = run_index_metric_names(index, prefix, &arena, &names, &count, err);
    for (int i = 0; !status && i < count; i++) {
        snprintf(title, sizeof title, "%s %.160s", what, names[i] + strlen(prefix));
        status = add_chart(index, names[i], &(ChartWords){title, "minutes", unit}, page, err);
    }
    arena_clear(&arena);
    return status;
}

/* Adds the name and folder of the run, the date, and the main settings. */
static void add_head(const RunDirectory *run, StrBuf *page) {
    RunConfig config;
    const char *root = run->root.text, *name = path_name(root);
    chart_page_begin(page, name);
    strbuf_add(page, "<h1>");
    strbuf_add_xml(page, name, strlen(name));
    strbuf_add(page, "</h1>\n<p>");
    strbuf_add_xml(page, root, strlen(root));
    strbuf_addf(page, ", %s", clock_date_text().text);
    if (!run_config_load(root, &config, NULL)) {
        const BoardSizesText sizes = selfplay_sizes_text(&config.selfplay);
        strbuf_add(page, "<br>boards ");
        strbuf_add_xml(page, sizes.text, strlen(sizes.text));
        strbuf_addf(page, ", komi %g; net ", config.selfplay.komi.mean);
        strbuf_add_xml(page, config.run.arch, strlen(config.run.arch));
        if (*config.run.larger_arch) {
            strbuf_add(page, ", then ");
            strbuf_add_xml(page, config.run.larger_arch, strlen(config.run.larger_arch));
        }
        strbuf_addf(page, "; seed %lld", (long long)config.run.seed);
    }
    strbuf_add(page, "</p>\n");
}

/* Adds the chart of Elo, with the same ratings as in the table at the end of the page. */
static Status add_elo_chart(const IndexedNet *nets, int count, const NetRatings *ratings,
                            StrBuf *page, Error *err) {
    ChartPoint *points = NULL;
    double *bars = NULL;
    char title[96];
    int rated = 0;
    Status status = mem_new((size_t)count + 1, sizeof *points, &points, err);
    if (!status) status = mem_new((size_t)count + 1, sizeof *bars, &bars, err);
    for (int i = 0; i < count && !status; i++) {
        const NetRating *rating = net_ratings_find(ratings, nets[i].number);
        if (!rating) continue;
        points[rated] = (ChartPoint){nets[i].seconds / 60, rating->first.elo};
        bars[rated++] = 1.96 * rating->first.deviation;
    }
    if (rated) {
        snprintf(title, sizeof title, "Elo over net %d, the first rated net (bars: 95%%)",
                 ratings->nets[0].number);
        chart_series_svg(page, &(ChartWords){title, "minutes", ""},
                         &(ChartSeries){.points = points, .bars = bars, .count = rated}, 1);
    }
    free(points);
    free(bars);
    return status;
}

static Status add_charts(RunIndex *index, StrBuf *page, Error *err) {
    static const struct {
        const char *metric, *title, *unit;
        bool is_training;
    } CHARTS[] = {
        {"loss", "loss, all terms", "nats", true},
        {"loss.policy_over_entropy", "policy loss minus the target's entropy", "nats", true},
        {"loss.value", "value loss", "nats", true},
        {"loss.ownership", "ownership loss", "nats per point", true},
        {"accuracy.policy", "policy: best move found", "fraction", true},
        {"accuracy.policy_top_4", "policy: best move among the four most probable", "fraction",
         true},
        {"accuracy.value", "value: winner found", "fraction", true},
        {"loss.value_squared", "value: squared error of win - loss, divided by 4", "", true},
        {"policy.search", "policy: 1 / (best move's probability + 0.003)", "visits", true},
        {"policy.entropy", "policy: entropy", "nats", true},
        {"policy.uniform", "policy: cross entropy against a uniform target", "nats", true},
        {"speed", "net evaluations in self-play", "per second", false},
        {"gradient", "gradient norm", "", false}};
    static const Curve POLICY_ABOVE[CURVES] = {{"accuracy.policy_above_1", "1%"},
                                               {"accuracy.policy_above_2", "2%"},
                                               {"accuracy.policy_above_5", "5%"},
                                               {"accuracy.policy_above_10", "10%"}};
    Status status = OK;
    for (size_t i = 0; i < sizeof CHARTS / sizeof *CHARTS && !status; i++) {
        const ChartWords words = {CHARTS[i].title, "minutes", CHARTS[i].unit};
        status = CHARTS[i].is_training
                     ? add_training_chart(index, CHARTS[i].metric, &words, page, err)
                     : add_chart(index, CHARTS[i].metric, &words, page, err);
    }
    const ChartWords words = {"policy: best move's probability is above", "minutes", "fraction"};
    return status ? status : add_curve_chart(index, POLICY_ABOVE, &words, page, err);
}

/* Adds counts of problems, which a healthy run does not have. */
static void add_problems(RunIndex *index, StrBuf *page) {
    double outliers = run_index_value(index, OUTLIERS_FACT),
           setbacks = run_index_value(index, SETBACKS_FACT),
           refused = run_index_value(index, REFUSED_FACT);
    if (outliers > 0)
        strbuf_addf(page,
                    "<p>%.0f batches had a gradient or a loss far outside its recent range.</p>\n",
                    outliers);
    if (setbacks > 0)
        strbuf_addf(
            page,
            "<p>Training went back to a good state, or began anew, %.0f times; log.txt says "
            "when and why.</p>\n",
            setbacks);
    if (refused > 0)
        strbuf_addf(
            page,
            "<p>%.0f nets were refused, because their losses were larger than those of a net that "
            "knows nothing; log.txt says which.</p>\n",
            refused);
}

Status run_page_write(const RunDirectory *run, RunIndex *index, Error *err) {
    StrBuf page = {0};
    Path path;
    IndexedNet *nets;
    NetRatings ratings = {0};
    int count;
    Status status = run_index_nets(index, &nets, &count, err);
    if (status) return status;
    int newest = count ? nets[count - 1].number : 0;
    add_head(run, &page);
    add_problems(index, &page);
    status = net_ratings_fit(index, newest, &ratings, err);
    if (!status) status = add_elo_chart(nets, count, &ratings, &page, err);
    if (!status)
        status = add_rating_charts(index, SCORE_METRIC, "score against", "fraction of points",
                                   &page, err);
    if (!status)
        status = add_rating_charts(index, LADDER_METRIC, "Elo against the opponents of", "Elo",
                                   &page, err);
    if (!status) status = add_charts(index, &page, err);
    strbuf_add(&page, "<pre>");
    net_table_write(nets, count, &ratings, &page);
    strbuf_add(&page, "</pre></html>\n");
    if (!status) status = strbuf_status(&page, err);
    if (!status) status = path_join(&path, run->report.text, "index.html", err);
    if (!status) status = file_write(path.text, page.text, page.length, err);
    strbuf_clear(&page);
    net_ratings_clear(&ratings);
    free(nets);
    return status;
}
