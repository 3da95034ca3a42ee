/* The choice of a descent where more than PUCT has a say: at the root wide noise, the ending bonus,
 * futile visits and the hint (KataGo, cpp/search/searchexplorehelpers.cpp); everywhere deviations
 * of single moves (p3achygo), regret and questionable lines (lczero-training, README) and mirror
 * moves. puct_select() is the choice without them. */
#include <math.h>

#include "base/statistic.h"
#include "search/methods.h"
#include "search/search_private.h"
#include "search/spread.h"

typedef struct {
    const Search *search;
    const SearchSettings *settings;
    const Position *position;
    const Node *node;
    Rng *rng;
    bool root, mirrored, mirror_legal;
    double side, total, exploration, unvisited, stdev, gain;
    double futile_weight, weight_per_visit; /* at the root; 0: nothing is futile */
    int64_t visits_left;
    int most_visited;
    const Edge *edges;
} Choice;

static double stdev_of(const Node *node) {
    return deviation_of((double)node->utility, (double)node->utility_sq);
}

/* Mean deviation of the moves by visits: sum N sd / sum N. */
static double mean_stdev(const Choice *choice) {
    const Tree *tree = &choice->search->tree;
    double sum = 0, visits = 0;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *edge = &choice->edges[i];
        sum += edge->visits * stdev_of(&tree->nodes[edge->child]);
        visits += edge->visits;
    }
    return visits > 0 ? sum / visits : 0;
}

/* (n0 + N sd / mean sd) / (n0 + N), from 3 visits on. */
static double stdev_factor(const Choice *choice, const Edge *edge) {
    double prior = (double)choice->settings->child_stdev_visits;
    if (prior <= 0 || choice->stdev <= 0 || edge->visits < 3) return 1;
    double ratio = stdev_of(&choice->search->tree.nodes[edge->child]) / choice->stdev;
    return (prior + edge->visits * ratio) / (prior + edge->visits);
}

/* E, by the deviation of the move's values; or E sd + c2 ln N (PUCT-V), sd the move's own or,
 * before it has a visit, the mean of all. `edge` NULL: a move without a node. */
static double exploration_of(const Choice *choice, const Edge *edge) {
    double c2 = (double)choice->settings->puct_v;
    if (c2 <= 0) return choice->exploration * (edge ? stdev_factor(choice, edge) : 1);
    bool known = edge && edge->visits > 0;
    double sd = known ? stdev_of(&choice->search->tree.nodes[edge->child]) : choice->stdev;
    return choice->exploration * sd + c2 * log(fmax(1, choice->total));
}

/* What a move of `visits` would gain by regret, and whether value and prior count beside it. */
static double regret_term(const Choice *choice, uint32_t node, double visits, double q) {
    const SearchSettings *s = choice->settings;
    double n = fmax(1, visits), all = choice->node->visits;
    double regret = spread_regret(&choice->search->frame, &choice->search->tree, node,
                                  (Color)choice->node->mover, q);
    if (s->regret == REGRET_EXPLORE) return regret / (n * sqrt(n));
    if (s->regret == REGRET_STRONG) return (double)s->regret_weight * all * regret / (n * sqrt(n));
    return (double)s->regret_weight * pow(all, (double)s->regret_power) * regret / n;
}

/* Raised where the opponent lost much since the root: any answer does that keeps it. */
static double questionable_gain(const Choice *choice) {
    const SearchSettings *s = choice->settings;
    double gain =
        choice->side * (double)(choice->node->utility - choice->search->tree.nodes[0].utility);
    if (s->questionable_weight <= 0 || choice->root || gain < (double)s->questionable_threshold)
        return 0;
    double decay = (double)s->questionable_decay;
    return (double)s->questionable_weight * gain /
           (decay > 0 ? 1 + choice->node->visits / decay : 1);
}

/* Prior and the mover's value, with what the root and mirroring add. */
typedef struct {
    double prior, value, weight;
} Term;

static void widen(const Choice *choice, Term *term) {
    double wide = (double)choice->settings->wide_root_noise;
    if (!choice->root || wide <= 0) return;
    term->prior = pow(term->prior, 1 / (4 * wide + 1));
    if (rng_next(choice->rng) & 1) term->value += wide * fabs(rng_normal(choice->rng));
}

static void answer_mirror(const Choice *choice, int move, Term *term) {
    const Mirror *mirror = &choice->search->mirror;
    if (!choice->mirrored) return;
    Point point = move_at_index(move, mirror->width, mirror->height);
    double share = mirror_least_share(mirror, choice->position, point, choice->mirror_legal);
    if (term->weight < share * choice->total) term->value += 100;
}

static bool is_futile(const Choice *choice, int visits, double weight) {
    double per_weight = (visits + 1) / (weight + choice->weight_per_visit);
    return choice->futile_weight > 0 &&
           (double)(visits + choice->visits_left) < choice->futile_weight * per_weight;
}

/* Something else must be looked at first: the hint while it has less than its share. */
static bool is_hinted(const Choice *choice, const Edge *edge) {
    const Search *search = choice->search;
    if (!choice->root || search->hint == POINT_NONE ||
        edge->move != move_index(search->hint, search->root.board.width, search->root.board.height))
        return false;
    double own = (double)edge->weight + edge->waiting + choice->weight_per_visit;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *other = &choice->edges[i];
        if (own < (double)choice->settings->hint_weight * ((double)other->weight + other->waiting))
            return true;
    }
    return false;
}

static double value_of_edge(const Choice *choice, int index) {
    const Search *search = choice->search;
    Edge edge = choice->edges[index];
    double forced = choice->root ? (double)choice->settings->forced_playouts : 0;
    if (choice->root && search->has_ending && edge.weight > 0)
        edge.utility += (float)search_ending_utility(search, &edge);
    Seen seen = puct_see(&search->frame, choice->node, &edge, choice->unvisited);
    if (choice->root && is_futile(choice, edge.visits + edge.waiting, seen.weight)) return -1e40;
    if (forced > 0 && edge.prior > 0 &&
        seen.weight < sqrt((double)edge.prior * choice->total * forced))
        return 1e20;
    if (is_hinted(choice, &edge)) return 1e20;
    Term term = {(double)edge.prior, choice->side * seen.utility, seen.weight};
    widen(choice, &term);
    answer_mirror(choice, edge.move, &term);
    if (index == choice->most_visited) term.value += choice->gain;
    double regret = 0;
    if (choice->settings->regret) {
        double mean = choice->side * (double)search->tree.nodes[edge.child].win_loss;
        bool known = edge.weight > 0;
        uint32_t from = known ? edge.child : (uint32_t)(choice->node - search->tree.nodes);
        regret = regret_term(choice, from, edge.visits + edge.waiting,
                             known ? mean : choice->side * (double)choice->node->win_loss);
        if (choice->settings->regret == REGRET_EXPLORE) return regret;
    }
    return term.value + regret + exploration_of(choice, &edge) * term.prior / (1 + term.weight);
}

static double value_of_next(const Choice *choice, int move) {
    Term term = {(double)tree_next_prior(choice->node), choice->side * choice->unvisited, 0};
    double regret = 0;
    if (choice->root && is_futile(choice, 0, 0)) return -1e40;
    widen(choice, &term);
    answer_mirror(choice, move, &term);
    if (choice->settings->regret) { /* what its parent's distribution promises */
        regret = regret_term(choice, (uint32_t)(choice->node - choice->search->tree.nodes), 1,
                             choice->side * (double)choice->node->win_loss);
        if (choice->settings->regret == REGRET_EXPLORE) return regret;
    }
    return term.value + regret + exploration_of(choice, NULL) * term.prior;
}

static void prepare(Choice *choice) {
    double most = 0;
    int visits = 0;
    choice->most_visited = -1;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *edge = &choice->edges[i];
        choice->total += (double)edge->weight + edge->waiting;
        most = fmax(most, (double)edge->weight);
        if (edge->visits <= visits) continue;
        visits = edge->visits;
        choice->most_visited = i;
    }
    const Frame *frame = &choice->search->frame;
    choice->exploration = puct_exploration(frame, choice->node, choice->total);
    choice->unvisited = puct_unvisited_value(frame, choice->node, choice->root);
    if (choice->settings->child_stdev_visits > 0 || choice->settings->puct_v > 0)
        choice->stdev = mean_stdev(choice);
    choice->gain = questionable_gain(choice);
    if (!choice->root) return;
    choice->weight_per_visit =
        choice->node->visits > 0 ? (double)choice->node->weight / choice->node->visits : 1;
    choice->visits_left = search_visits_left(choice->search, choice->node->visits);
    if (choice->visits_left >= 0)
        choice->futile_weight = (double)choice->settings->futile_visits * most;
}

/* The mirror image of the last move: whether it is among the moves with a prior. */
static bool mirror_is_legal(const Search *search, const Position *position) {
    Point last = position_last_move(position, 0).point;
    if (last == POINT_NONE || last == POINT_PASS) return false;
    return position_is_legal(position,
                             mirror_point(last, position->board.width, position->board.height)) &&
           search->mirror.player == position->mover;
}

int search_select_special(Search *search, const Position *position, uint32_t at) {
    const Node *node = &search->tree.nodes[at];
    Choice choice = {.search = search,
                     .settings = &search->settings,
                     .position = position,
                     .node = node,
                     .rng = &search->rng,
                     .root = at == 0,
                     .mirrored = search->mirror.player != COLOR_EMPTY,
                     .side = side_of(node),
                     .edges = search->tree.edges + node->edges};
    double best_value = -1e300;
    int best = -1;
    prepare(&choice);
    choice.mirror_legal = choice.mirrored && mirror_is_legal(search, position);
    for (int i = 0; i < node->child_count; i++) {
        if (choice.edges[i].prior < 0) continue;
        double value = value_of_edge(&choice, i);
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    if (!node->next) return best;
    return value_of_next(&choice, tree_next_move(node)) > best_value ? node->child_count : best;
}
