/* tree_view.h - a part of the tree of a search, as plain data for people and programs. Values are
 * White's. Threading: the search may not change meanwhile. */
#pragma once
#include "search/core/search.h"

enum { TREE_VIEW_DEPTH_MAX = 100, TREE_VIEW_NODES_MAX = 200000 };

/* What to show. From the root, the moves of `line` lead to a node; the tree below this node is
 * shown. */
typedef struct {
    const Point *line;
    int line_length;
    int depth;          /* moves below that node, at most TREE_VIEW_DEPTH_MAX */
    int branches;       /* moves of each node: those with the most visits */
    int64_t min_visits; /* moves with fewer visits are left out */
} TreeViewSetup;

typedef struct {
    Point point;  /* the move that led here; POINT_NONE at the root of the search */
    Color player; /* who played it; COLOR_EMPTY at the root */
    int depth;    /* 0 for the first node */
    int64_t visits,
        edge_visits;       /* of the node, and of the move; they differ only if nodes are shared */
    float prior;           /* of the move, as in MoveReport.prior; -1 at the root */
    float weight_fraction; /* of the move in the value of its parent; -1 at the root */
    float white_win_loss, white_lead, white_utility; /* means over the visits */
    float no_result;
    float net_white_win_loss, net_white_lead; /* of this node alone: from the net or, if the game is
                                               * over, from the rules */
    bool over;                                /* the game is over here */
    int hidden_moves;                         /* moves with visits that are not shown */
    int64_t hidden_visits;                    /* of those moves */
} TreeViewNode;

/* Writes the nodes to *out, which the caller frees. Each node comes before its children, and
 * children are sorted by falling visits. If the root has no evaluation, sets *out to NULL and
 * *count to 0. After TREE_VIEW_NODES_MAX nodes, all further nodes are hidden. ERR_ARGUMENT: a move
 * of `line` has no visits, or a limit is out of range. ERR_MEMORY. */
MUST_USE Status search_view_tree(const Search *search, const TreeViewSetup *setup,
                                 TreeViewNode **out, size_t *count, Error *err);
