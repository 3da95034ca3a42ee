#include "cli/eval/eval_tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"

enum { LINE_MAX = TREE_VIEW_DEPTH_MAX };

TreeChoice eval_tree_choice(void) {
    return (TreeChoice){.depth = 3, .branches = 5, .min_visits = 1};
}

void eval_tree_options(TreeChoice *choice, Option options[TREE_OPTIONS]) {
    const Option all[TREE_OPTIONS] = {
        {"tree", OPTION_FLAG, &choice->on, 0, 0, NULL, "show the tree of the search"},
        {"tree-depth", OPTION_INT, &choice->depth, 0, TREE_VIEW_DEPTH_MAX, "N",
         "number of moves in a row that --tree shows (default 3)"},
        {"tree-branches", OPTION_INT, &choice->branches, 0, 362, "N",
         "number of moves that --tree shows of each position, those with the most visits "
         "(default 5)"},
        {"tree-visits", OPTION_INT, &choice->min_visits, 0, 1e9, "N",
         "--tree leaves out moves with fewer visits (default 1)"},
        {"tree-line", OPTION_TEXT, &choice->line, 0, 0, "MOVES",
         "--tree begins after these moves, such as \"D4 C3\" (default: at the position itself)"},
    };
    memcpy(options, all, sizeof all);
}

static Status read_line(const char *text, const Position *position, Point *line, int *length,
                        Error *err) {
    *length = 0;
    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        char word[16];
        size_t letters = strcspn(at, " ,");
        snprintf(word, sizeof word, "%.*s", (int)fmin((double)letters, 15), at);
        if (*length == LINE_MAX)
            return fail(err, ERR_ARGUMENT, "--tree-line has more than %d moves", LINE_MAX);
        Status status = point_parse(word, position->board.width, position->board.height,
                                    &line[(*length)++], err);
        if (status) return fail_within(err, ERR_ARGUMENT, "--tree-line, at \"%s\"", word);
        at += letters;
    }
    return OK;
}

Status eval_tree_take(const TreeChoice *choice, const Search *search, TreeViewNode **out,
                      size_t *count, Error *err) {
    Point line[LINE_MAX];
    int length = 0;
    *out = NULL;
    *count = 0;
    if (choice->line) {
        Status status = read_line(choice->line, search_position(search), line, &length, err);
        if (status) return status;
    }
    const TreeViewSetup setup = {.line = line,
                                 .line_length = length,
                                 .depth = choice->depth,
                                 .branches = choice->branches,
                                 .min_visits = choice->min_visits};
    Status status = search_view_tree(search, &setup, out, count, err);
    return status == ERR_ARGUMENT ? fail_within(err, status, "--tree-line") : status;
}

static const char *point_name(Point point, int height, char name[8]) {
    snprintf(name, 8, "%s", point == POINT_NONE ? "-" : point_text(point, height).text);
    return name;
}

/* The win rate in percent of the side that `sign` chooses: 1 for White, -1 for Black. */
static double wins(double sign, float white_win_loss) {
    return 50 + 50 * sign * (double)white_win_loss;
}

void eval_tree_text(const TreeViewNode *nodes, size_t count, Color mover, int height, StrBuf *out) {
    double sign = mover == COLOR_WHITE ? 1 : -1;
    strbuf_addf(out, "\n%8s %7s %7s %7s %7s %7s   tree; values are %s's\n", "visits", "policy",
                "weight", "wins", "net", "lead", mover == COLOR_BLACK ? "Black" : "White");
    for (size_t i = 0; i < count; i++) {
        const TreeViewNode *node = &nodes[i];
        double lead = sign * (double)node->white_lead;
        char name[8], policy[16] = "-", weight[16] = "-";
        if (node->prior >= 0) snprintf(policy, sizeof policy, "%.1f%%", 100 * (double)node->prior);
        if (node->weight_fraction >= 0)
            snprintf(weight, sizeof weight, "%.1f%%", 100 * (double)node->weight_fraction);
        strbuf_addf(
            out, "%8lld %7s %7s %6.1f%% %6.1f%% %+7.1f   %*s%s%s", (long long)node->edge_visits,
            policy, weight, wins(sign, node->white_win_loss), wins(sign, node->net_white_win_loss),
            fabs(lead) < 0.05 ? 0 : lead, 2 * node->depth, "",
            node->player == COLOR_EMPTY   ? ""
            : node->player == COLOR_BLACK ? "B "
                                          : "W ",
            node->point == POINT_NONE ? "this position" : point_name(node->point, height, name));
        if (node->over) strbuf_add(out, ", the end of the game");
        if (node->hidden_moves)
            strbuf_addf(out, " (+%d move%s, %lld visit%s)", node->hidden_moves,
                        plural_ending(node->hidden_moves), (long long)node->hidden_visits,
                        plural_ending(node->hidden_visits));
        strbuf_add(out, "\n");
    }
}

static void set_real(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, json_real(value));
}

static json_t *json_node(const TreeViewNode *node, int height) {
    json_t *object = json_object();
    if (node->point != POINT_NONE) {
        json_object_set_new(object, "move", json_string(point_text(node->point, height).text));
        json_object_set_new(object, "player", json_string(node->player == COLOR_BLACK ? "B" : "W"));
        json_object_set_new(object, "edge_visits", json_integer(node->edge_visits));
        set_real(object, "prior", (double)node->prior);
        set_real(object, "weight", (double)node->weight_fraction);
    }
    json_object_set_new(object, "visits", json_integer(node->visits));
    set_real(object, "black_winrate", 0.5 - 0.5 * (double)node->white_win_loss);
    set_real(object, "black_lead", -(double)node->white_lead);
    set_real(object, "black_utility", -(double)node->white_utility);
    set_real(object, "no_result", (double)node->no_result);
    set_real(object, "net_black_winrate", 0.5 - 0.5 * (double)node->net_white_win_loss);
    set_real(object, "net_black_lead", -(double)node->net_white_lead);
    json_object_set_new(object, "over", json_boolean(node->over));
    json_object_set_new(object, "hidden_moves", json_integer(node->hidden_moves));
    json_object_set_new(object, "hidden_visits", json_integer(node->hidden_visits));
    json_object_set_new(object, "children", json_array());
    return object;
}

json_t *eval_tree_json(const TreeViewNode *nodes, size_t count, int height) {
    json_t *path[TREE_VIEW_DEPTH_MAX + 1] = {NULL};
    for (size_t i = 0; i < count; i++) {
        int depth = nodes[i].depth;
        path[depth] = json_node(&nodes[i], height);
        if (depth > 0)
            json_array_append_new(json_object_get(path[depth - 1], "children"), path[depth]);
    }
    return path[0];
}
