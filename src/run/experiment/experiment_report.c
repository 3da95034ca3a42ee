/* Writes the results of an experiment as text and as a page with curves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/plural.h"
#include "run/charts/chart.h"
#include "run/experiment/experiment_private.h"

static const char MOMENTS[] = "mean Elo at compute";

typedef struct {
    const Experiment *experiment;
    const ExperimentResult *result;
    StrBuf *out;
    int arm_width, run_width; /* of the columns of names */
} Writer;

static Writer writer_to(StrBuf *out, const Experiment *experiment, const ExperimentResult *result) {
    Writer w = {experiment, result, out, (int)strlen(MOMENTS), 0};
    for (int a = 0; a < experiment->arm_count; a++) {
        int length = (int)strlen(experiment->arms[a].name);
        if (length > w.arm_width) w.arm_width = length;
    }
    for (int i = 0; i < result->run_count; i++) {
        int length = (int)strlen(result->runs[i].name);
        if (length > w.run_width) w.run_width = length;
    }
    return w;
}

static void write_arm(const Writer *w, int arm) {
    const ArmEffect *arm_effect = &w->result->effects[arm];
    bool is_bound;
    double cost = experiment_compute_ratio(w->experiment, w->result, arm, &is_bound);
    strbuf_addf(w->out, "%-*s %5d ", w->arm_width, w->experiment->arms[arm].name,
                arm_effect->seeds);
    if (!arm_effect->seeds) {
        strbuf_add(w->out, "  no net has reached the last moment\n");
        return;
    }
    if (!arm) {
        strbuf_addf(w->out, "%+8.0f %18s %10s %8s %9.2f\n", 0.0, "-", "-", "-", cost);
        return;
    }
    char interval[40], ratio_text[24] = "-";
    snprintf(interval, sizeof interval, "%+.0f to %+.0f", arm_effect->low, arm_effect->high);
    if (cost > 0)
        snprintf(ratio_text, sizeof ratio_text, "%s%.2f",
                 !is_bound  ? ""
                 : cost > 1 ? ">"
                            : "<",
                 cost);
    strbuf_addf(w->out, "%+8.0f %18s %10.0f %7.1f%% %9s\n", arm_effect->effect, interval,
                1.96 * arm_effect->games_deviation, 100 * arm_effect->superiority, ratio_text);
}

static void write_arms(const Writer *w) {
    const ExperimentSettings *settings = &w->experiment->settings;
    const SeedSpread *spread = &w->result->spread;
    strbuf_addf(
        w->out,
        "%d arms, %d seed%s each, %.4g multiply-adds of nets in each run; games at %d visits\n\n"
        "%-*s %5s %8s %18s %10s %8s %9s\n",
        w->experiment->arm_count, settings->seeds, plural_ending(settings->seeds),
        settings->compute, settings->visits, w->arm_width, "arm", "seeds", "Elo", "95%", "games +-",
        "better", "compute");
    for (int a = 0; a < w->experiment->arm_count; a++)
        write_arm(w, a);
    strbuf_addf(
        w->out,
        "\nElo: mean of the arm's last nets minus that of the first arm's last nets. 95%%: with "
        "the spread between seeds");
    if (spread->freedom)
        strbuf_addf(w->out,
                    " (standard deviation %.0f Elo beyond what the games explain, %d degrees of "
                    "freedom)",
                    spread->seed_deviation, spread->freedom);
    else
        strbuf_add(w->out,
                   ", which is unknown with one seed for each arm: these intervals come only "
                   "from the games");
    strbuf_add(w->out,
               ". games +-: half of the 95% interval that the games alone would give. better: "
               "probability that the arm is better than the first. compute: what the arm needs "
               "for a strength that both reach, as a multiple of what the first arm needs for it, "
               "read from the curves.\n\n");
    for (int a = 1; a < w->experiment->arm_count; a++)
        strbuf_addf(w->out, "%s: %s\n", w->experiment->arms[a].name, w->experiment->arms[a].text);
}

static void write_runs(const Writer *w) {
    int last = w->experiment->settings.moments - 1;
    strbuf_addf(w->out, "\n%-*s %8s %8s %6s %11s %10s %9s %10s %9s\n", w->run_width, "run", "Elo",
                "games +-", "nets", "compute", "evals M", "rows", "samples", "time");
    for (int i = 0; i < w->result->run_count; i++) {
        const ExperimentRun *run = &w->result->runs[i];
        int player = run->at[last].player;
        strbuf_addf(w->out, "%-*s ", w->run_width, run->name);
        if (experiment_has_rating(w->result, player))
            strbuf_addf(w->out, "%+8.0f %8.0f", w->result->fit.elo[player],
                        1.96 * experiment_net_error(w->result, player).games_deviation);
        else
            strbuf_addf(w->out, "%8s %8s", "-", "-");
        strbuf_addf(w->out, " %6d %11.4g %10.2f %9lld %10lld %9s\n", run->nets, run->compute,
                    (double)run->evaluations * 1e-6, (long long)run->rows, (long long)run->samples,
                    clock_duration_text(run->seconds).text);
    }
}

/* Lists the runs that failed before they had used their compute, with the reasons. */
static void write_failed(const Writer *w) {
    for (int i = 0; i < w->result->run_count; i++) {
        const ExperimentRun *run = &w->result->runs[i];
        if (*run->failed)
            strbuf_addf(
                w->out,
                "\n%s has failed after %.4g multiply-adds of nets; its arm is rated by its other "
                "seeds: %s\n",
                run->name, run->compute, run->failed);
    }
}

static void write_moments(const Writer *w) {
    int moments = w->experiment->settings.moments, count;
    strbuf_addf(w->out, "\n%-*s", w->arm_width, MOMENTS);
    for (int m = 0; m < moments; m++)
        strbuf_addf(w->out, " %8.3g", w->experiment->settings.compute * (m + 1) / moments);
    for (int a = 0; a < w->experiment->arm_count; a++) {
        strbuf_addf(w->out, "\n%-*s", w->arm_width, w->experiment->arms[a].name);
        for (int m = 0; m < moments; m++) {
            double mean = experiment_mean(w->result, a, m, &count);
            if (count)
                strbuf_addf(w->out, " %+8.0f", mean);
            else
                strbuf_addf(w->out, " %8s", "-");
        }
    }
    strbuf_add(w->out, "\n");
}

/* Draws curves of the arms' means with their 95% intervals, and thin curves of the single runs. */
static Status write_chart(const Writer *w, Error *err) {
    int moments = w->experiment->settings.moments, arms = w->experiment->arm_count,
        runs = w->result->run_count, count;
    size_t total = (size_t)(arms + runs), points = total * (size_t)moments;
    ChartSeries *series = NULL;
    ChartPoint *at = NULL;
    double *bars = NULL;
    Status status = mem_new(total, sizeof *series, &series, err);
    if (!status) status = mem_new(points, sizeof *at, &at, err);
    if (!status) status = mem_new(points, sizeof *bars, &bars, err);
    for (int s = 0; s < arms + runs && !status; s++) {
        ChartPoint *curve = at + s * moments;
        bool thin = s >= arms;
        int arm = thin ? w->result->runs[s - arms].arm : s;
        for (int m = 0; m < moments; m++) {
            double share = w->experiment->settings.compute * (m + 1) / moments, elo;
            if (thin) {
                int player = w->result->runs[s - arms].at[m].player;
                elo = experiment_has_rating(w->result, player) ? w->result->fit.elo[player]
                                                               : HUGE_VAL;
            } else {
                elo = experiment_mean(w->result, arm, m, &count);
                bars[s * moments + m] =
                    count ? experiment_mean_error(w->result, arm, m).radius : HUGE_VAL;
            }
            curve[m] = (ChartPoint){share, elo};
        }
        series[s] = (ChartSeries){thin ? NULL : w->experiment->arms[arm].name,
                                  curve,
                                  thin ? NULL : bars + s * moments,
                                  moments,
                                  arm,
                                  thin};
    }
    if (!status)
        chart_series_svg(w->out,
                         &(ChartWords){"strength by compute (thin lines: single runs)",
                                       "multiply-adds of nets",
                                       "Elo over the first arm's last nets"},
                         series, arms + runs);
    free(series);
    free(at);
    free(bars);
    return status;
}

static Status write_page(const Writer *w, const char *text, Error *err) {
    chart_page_begin(w->out, "an experiment");
    strbuf_add(w->out, "<h1>An experiment of Aji</h1>\n");
    Status status = write_chart(w, err);
    strbuf_add(w->out, "<pre>");
    strbuf_add_xml(w->out, text, strlen(text));
    strbuf_add(w->out, "</pre>\n<h2>Arms</h2>\n<dl>\n");
    for (int a = 0; a < w->experiment->arm_count; a++) {
        const ExperimentArm *arm = &w->experiment->arms[a];
        const char *changes = *arm->text ? arm->text : "the settings that all arms share";
        strbuf_addf(w->out, "<dt style=\"color:%s\">%s</dt><dd>", chart_series_color(a), arm->name);
        strbuf_add_xml(w->out, changes, strlen(changes));
        strbuf_add(w->out, "</dd>\n");
    }
    strbuf_add(w->out, "</dl></html>\n");
    return status ? status : strbuf_status(w->out, err);
}

static Status write_file(const Experiment *experiment, const char *name, const StrBuf *text,
                         Error *err) {
    Path folder, path;
    Status status = path_join(&folder, experiment->directory, "report", err);
    if (!status) status = directory_make(folder.text, err);
    if (!status) status = path_join(&path, folder.text, name, err);
    return status ? status : file_write(path.text, text->text, text->length, err);
}

Status experiment_report(Experiment *experiment, StrBuf *out, Error *err) {
    ExperimentResult result;
    StrBuf page = {0};
    Status status = experiment_rate(experiment, &result, err);
    if (status) return status;
    const Writer text = writer_to(out, experiment, &result),
                 web = writer_to(&page, experiment, &result);
    strbuf_reset(out);
    write_arms(&text);
    write_moments(&text);
    write_runs(&text);
    write_failed(&text);
    status = strbuf_status(out, err);
    if (!status) status = write_file(experiment, "report.txt", out, err);
    if (!status) status = write_page(&web, strbuf_text(out), err);
    if (!status) status = write_file(experiment, "index.html", &page, err);
    strbuf_addf(out, "\nreport: %s/report/index.html\n", experiment->directory);
    strbuf_clear(&page);
    experiment_result_clear(&result);
    return status;
}
