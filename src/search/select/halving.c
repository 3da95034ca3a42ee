#include "search/select/halving.h"

static const HalvingRound ENDLESS = {.each = INT64_MAX / 2, .left = 1};

/* Returns ceil(log2 considered), which is 0 for one move. */
static int phases_of(int considered) {
    int phases = 0;
    while (1 << phases < considered)
        phases++;
    return phases;
}

/* Returns floor(log2 considered), but at least 1. */
static int whole_phases_of(int considered) {
    int phases = 1;
    while (2 << phases <= considered)
        phases++;
    return phases;
}

/* Returns the round of simulation `t` by the table of Danihelka et al. */
static HalvingRound table_round(int64_t simulations, int considered, int64_t t) {
    HalvingRound round = {.left = considered};
    int64_t phases = phases_of(considered);
    if (considered <= 1) return ENDLESS;
    for (;;) {
        round.each = simulations / (phases * round.left);
        if (round.each < 1) round.each = 1;
        if (t < round.start + round.each * round.left) return round;
        round.start += round.each * round.left;
        round.visits += round.each;
        round.left = round.left / 2 > 2 ? round.left / 2 : 2;
    }
}

static HalvingRound counted_round(bool rounded, int64_t simulations, int considered, int64_t t) {
    int64_t rounds = whole_phases_of(considered);
    HalvingRound round = {.left = considered};
    for (; round.left > 1; round.left /= 2) {
        int64_t k = round.left;
        round.each = rounded ? (2 * simulations + rounds * k) / (2 * rounds * k)
                     : k < 4 ? (simulations - round.start) / k
                             : simulations / (rounds * k);
        if (round.each < 1) round.each = 1;
        if (t < round.start + round.each * k) return round;
        round.start += round.each * k;
        round.visits += round.each;
    }
    round.left = 1;
    round.each = ENDLESS.each;
    return round;
}

int64_t halving_scheduled(int64_t simulations, int considered, int64_t t) {
    HalvingRound round = table_round(simulations, considered, t);
    return round.visits + (t - round.start) / round.left;
}

int64_t halving_scheduled_rounds(bool rounded, int64_t simulations, int considered, int64_t t) {
    HalvingRound round = counted_round(rounded, simulations, considered, t);
    return round.visits + (t - round.start) / round.left;
}

int halving_without_three(int considered) {
    for (; considered > 3; considered--) {
        int left = considered;
        while (left > 3)
            left /= 2;
        if (left < 3) return considered;
    }
    return considered < 3 ? considered : 2;
}

HalvingRound halving_round(const SearchSettings *s, int64_t simulations, int considered,
                           int64_t t) {
    if (s->gumbel.halving == GUMBEL_HALVING_TABLE) return table_round(simulations, considered, t);
    return counted_round(s->gumbel.halving == GUMBEL_HALVING_2026, simulations, considered, t);
}

int halving_rounds(const SearchSettings *s, int considered) {
    if (s->gumbel.halving != GUMBEL_HALVING_TABLE) return whole_phases_of(considered);
    return considered > 1 ? phases_of(considered) : 1;
}

int halving_considered(const SearchSettings *s, int64_t simulations, int max) {
    int64_t min = s->gumbel.min_visits;
    int considered = simulations < max ? (int)simulations : max;
    while (considered > 2 && simulations < min * halving_rounds(s, considered) * considered)
        considered--;
    return s->gumbel.halving == GUMBEL_HALVING_2026 ? halving_without_three(considered)
                                                    : considered;
}
