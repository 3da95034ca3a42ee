/* After each search, solve_fair_komi() begins anew. It goes through the same steps as before, and
 * takes the results of the searches so far from FairKomi.tries. At the first komi that was not
 * searched yet, find_try() sets FairKomi.komi to it, and all functions return false up to
 * fair_komi_receive(). */
#include "play/setup/fair_komi.h"

#include <math.h>

enum { ROUNDS = 3 };
static const double SMALL_SHIFT = 16, WORSE_LEAD = 5, WORSE_WIN_LOSS = 0.1, SURE_WIN_LOSS = 0.75,
                    WINDOW_MAX = 32;

typedef struct {
    float komi;
    double win_loss, lead;
} Try;

void fair_komi_begin(FairKomi *fair, const Position *position, bool for_lead) {
    const Rules *rules = &position->rules;
    *fair = (FairKomi){.averages_neighbours =
                           for_lead && rules->scoring == SCORING_AREA && !rules->button,
                       .max = position->board.width * position->board.height + 20,
                       .start = roundf(rules->komi * 2) / 2};
    fair->komi = fair->start;
}

/* Finds what the search with this komi, rounded to half points, has found. If there was no such
 * search, makes this komi the next one to search and returns false. */
static bool find_try(FairKomi *fair, double komi, Try *out) {
    float wanted = (float)fmin(fmax(round(komi * 2) / 2, -fair->max), fair->max);
    for (int i = 0; i < fair->try_count; i++) {
        if (fair->tries[i].komi != wanted) continue;
        *out = (Try){wanted, fair->tries[i].win_loss, fair->tries[i].lead};
        return true;
    }
    fair->komi = wanted;
    return false;
}

/* Returns whether a change of komi made the position clearly less even. It did if the side that was
 * ahead now leads by clearly more, or wins clearly more often. The larger lead does not count if
 * win - loss of that side is now at least SURE_WIN_LOSS. */
static bool got_worse(const Try *before, const Try *after) {
    double sign = before->lead > 0 ? 1 : -1, side = (before->win_loss > 0) - (before->win_loss < 0);
    return (sign * (after->lead - before->lead) > WORSE_LEAD &&
            sign * after->win_loss < SURE_WIN_LOSS) ||
           side * (after->win_loss - before->win_loss) > WORSE_WIN_LOSS;
}

/* Moves komi by the lead (step 1). Returns false if a search must come first. */
static bool approach_by_lead(FairKomi *fair, Try *now) {
    double last = 1e9, komi = (double)fair->start;
    Try before = {0};
    for (int step = 0; step < ROUNDS; step++) {
        if (!find_try(fair, komi, now)) return false;
        if (step && got_worse(&before, now))
            return find_try(fair, (double)now->komi - last / 2, now);
        before = *now;
        double shift = -now->lead;
        if (fabs(shift) > fabs(last)) shift = copysign(last, shift);
        last = shift;
        if (shift * now->win_loss > 0) return true;
        komi = (double)now->komi + shift;
        if (fabs(shift) < SMALL_SHIFT) break;
    }
    return find_try(fair, komi, now);
}

/* Finds the other end of a window that begins at `from` (step 2). The fair komi is in the window,
 * or the window is as wide as allowed. Returns false if a search must come first. */
static bool open_window(FairKomi *fair, const Try *from, Try *to) {
    double direction = from->win_loss < 0 ? 1 : -1;
    for (double size = 1; size <= WINDOW_MAX; size *= 2) {
        if (!find_try(fair, (double)from->komi + direction * size, to)) return false;
        if (direction * to->win_loss >= 0) break;
    }
    return true;
}

static bool halve_window(FairKomi *fair, Try *low, Try *high) {
    while ((double)(high->komi - low->komi) > 0.5) {
        Try middle;
        double half_points = round((double)(high->komi - low->komi) * 2);
        if (!find_try(fair, (double)low->komi + floor(half_points / 2) / 2, &middle)) return false;
        if (middle.win_loss < 0)
            *low = middle;
        else
            *high = middle;
    }
    return true;
}

/* Returns the place at which the line through two points is 0. This place is between the two
 * points, or at most `beyond` outside of them. If the line does not rise, returns the middle
 * between the points. */
static double crossing(double low, double high, double at_low, double at_high, double beyond) {
    if (at_low >= at_high) return (low + high) / 2; /* the values are noise */
    double place = low + (high - low) * -at_low / (at_high - at_low);
    return fmin(fmax(place, low - beyond), high + beyond);
}

static bool average_neighbours(FairKomi *fair) {
    Try tries[4]; /* the two half points around the answer, and those below and above them */
    double low = floor(fair->even * 2) / 2, high = low + 0.5;
    for (int i = 0; i < 4; i++) {
        if (!find_try(fair, low + 0.5 * (i - 1), &tries[i])) return false;
    }
    fair->even = crossing(low, high, (tries[0].win_loss + tries[2].win_loss) / 2,
                          (tries[1].win_loss + tries[3].win_loss) / 2, 0.5);
    return true;
}

static bool solve_fair_komi(FairKomi *fair) {
    Try now, other;
    if (!approach_by_lead(fair, &now) || !open_window(fair, &now, &other)) return false;
    Try low = now.komi < other.komi ? now : other, high = now.komi < other.komi ? other : now;
    if (!halve_window(fair, &low, &high)) return false;
    fair->even = crossing((double)low.komi, (double)high.komi, low.win_loss, high.win_loss, 0);
    return !fair->averages_neighbours || fair->even == round(fair->even) ||
           average_neighbours(fair);
}

bool fair_komi_receive(FairKomi *fair, double win_loss, double lead) {
    fair->tries[fair->try_count].komi = fair->komi;
    fair->tries[fair->try_count].win_loss = win_loss;
    fair->tries[fair->try_count++].lead = lead;
    if (solve_fair_komi(fair)) return true;
    if (fair->try_count < FAIR_KOMI_TRIES) return false;
    fair->even = (double)fair->komi; /* this cannot happen, as there are at most 19 searches */
    return true;
}
