/* The tree of a search: policies, children, extraction of a subtree, memory limits, and the slabs
 * of threads. */
#include "search/tree/tree.h"
#include "test.h"

static Tree tree_of(int move_count) {
    return (Tree){.limit_bytes = 1u << 24, .move_count = move_count};
}

TEST(children_come_by_falling_prior) {
    Tree tree = tree_of(6);
    float policy[6] = {0.1f, -1, 0.4f, 0.1f, 0, 0.4f};
    EXPECT_INT(0, tree_add(&tree, COLOR_BLACK));
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, false));
    /* Of two moves with equal priors, the move with the lower index comes first. */
    const int moves[5] = {2, 5, 0, 3, 4};
    for (int i = 0; i < 5; i++) {
        EXPECT_NEAR(policy[moves[i]], tree_next_prior(&tree.nodes[0]), 1e-4);
        EXPECT_INT(i, tree_add_child(&tree, 0, COLOR_WHITE));
        const Edge *edge = &tree.edges[tree.nodes[0].edges + (uint32_t)i];
        EXPECT_INT(moves[i], edge->move);
        EXPECT_NEAR(policy[moves[i]], edge->prior, 1e-4);
        EXPECT_INT(i + 1, edge->child);
        EXPECT_INT(COLOR_WHITE, tree.nodes[edge->child].mover);
    }
    EXPECT_NEAR(1, tree.nodes[0].visited_policy, 1e-3);
    EXPECT_NEAR(-1, tree_next_prior(&tree.nodes[0]), 0);
    tree_free(&tree);
}

/* The copy of a node keeps the moves that have children, even if the copy stores no policy. */
TEST(a_copy_of_a_node_whose_moves_all_have_children) {
    Tree tree = tree_of(3), copy = tree_of(3);
    float policy[3] = {-1, 0.25f, 0.75f}, kept[3];
    tree_add(&tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    tree.nodes[0].state = NODE_EXPANDED;
    EXPECT_INT(0, tree_add_child(&tree, 0, COLOR_WHITE));
    EXPECT_INT(1, tree_add_child(&tree, 0, COLOR_WHITE));
    EXPECT_TRUE(tree_extract(&tree, 0, &copy));
    tree_get_policy(&copy, 0, kept);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(policy[i], kept[i], 1e-6);
    EXPECT_INT(-1, tree_add_child_of(&copy, 0, 1, COLOR_WHITE));
    EXPECT_TRUE(tree_set_policy(&copy, 0, policy, true));
    EXPECT_NEAR(-1, tree_next_prior(&copy.nodes[0]), 0);
    tree_free(&tree);
    tree_free(&copy);
}

/* With 362 moves, large priors are stored with a relative error of at most 2^-11. Small priors take
 * a byte, and their relative error is at most 1/32. */
TEST(small_priors_of_large_boards_take_a_byte) {
    Tree tree = tree_of(362);
    float policy[362], kept[362], last = 1;
    for (int i = 0; i < 362; i++)
        policy[i] = i % 7 == 3    ? -1
                    : i % 50 == 0 ? 0.0625f + 0.0001f * (float)i
                                  : 0.02f / (float)(1 + i * i);
    tree_add(&tree, COLOR_BLACK);
    size_t before = tree_bytes(&tree);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, false));
    EXPECT_TRUE(tree_bytes(&tree) - before <= 362 + 8 * 4 + 4);
    tree_get_policy(&tree, 0, kept);
    int legal = 0;
    for (int i = 0; i < 362; i++) {
        EXPECT_INT(policy[i] < 0, kept[i] < 0);
        if (policy[i] < 0) continue;
        legal++;
        float relative = policy[i] > 0.03f ? 1.0f / 2048 : 1.0f / 32;
        EXPECT_NEAR(policy[i], kept[i], fmaxf(relative * policy[i], 4.8e-7f));
    }
    for (int i = 0; i < legal; i++) {
        EXPECT_INT(i, tree_add_child(&tree, 0, COLOR_WHITE));
        const Edge *edge = &tree.edges[tree.nodes[0].edges + (uint32_t)i];
        EXPECT_TRUE(edge->prior <= last);
        EXPECT_NEAR(kept[edge->move], edge->prior, 0);
        last = edge->prior;
    }
    EXPECT_NEAR(-1, tree_next_prior(&tree.nodes[0]), 0);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true)); /* a root stores no prior in a byte */
    tree_get_policy(&tree, 0, kept);
    for (int i = 0; i < 362; i++)
        EXPECT_NEAR(policy[i], kept[i], fabsf(policy[i]) / 2048);
    tree_free(&tree);
}

TEST(a_new_policy_reaches_children_and_the_rest) {
    Tree tree = tree_of(5);
    float first[5] = {0.6f, 0.2f, 0.1f, 0.1f, -1}, second[5] = {0.1f, 0.2f, 0.3f, 0.4f, -1},
          kept[5];
    tree_add(&tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&tree, 0, first, true));
    tree_add_child(&tree, 0, COLOR_WHITE);
    tree_add_child(&tree, 0, COLOR_WHITE);
    size_t bytes = tree_bytes(&tree);
    for (int i = 0; i < 3; i++)
        EXPECT_TRUE(tree_set_policy(&tree, 0, second, true));
    EXPECT_INT(bytes, tree_bytes(&tree)); /* the new policy is stored in place of the old one */
    EXPECT_NEAR(0.1, tree.edges[tree.nodes[0].edges].prior, 1e-6);
    EXPECT_NEAR(0.3, tree.nodes[0].visited_policy, 1e-6);
    EXPECT_NEAR(0.4, tree_next_prior(&tree.nodes[0]), 1e-3);
    tree_get_policy(&tree, 0, kept);
    for (int i = 0; i < 5; i++)
        EXPECT_NEAR(second[i], kept[i], 1e-3);
    tree_free(&tree);
}

/* Makes a root with two children, the nodes 1 and 2. Node 1 has a child, node 3. */
static void grow_example(Tree *tree) {
    float policy[3] = {0.6f, 0.3f, 0.1f};
    tree_add(tree, COLOR_BLACK);
    for (uint32_t node = 0; node < 2; node++) {
        EXPECT_TRUE(tree_set_policy(tree, node, policy, false));
        tree->nodes[node].state = NODE_EXPANDED;
        EXPECT_INT(0, tree_add_child(tree, node, COLOR_WHITE));
        if (node == 0) EXPECT_INT(1, tree_add_child(tree, node, COLOR_WHITE));
    }
    tree->nodes[1].visits = 5;
    tree->nodes[3].visits = 4;
    tree->edges[tree->nodes[1].edges].visits = 4;
}

TEST(extract_keeps_a_subtree_alone) {
    Tree tree = tree_of(3), out = {0};
    float kept[3];
    grow_example(&tree);
    EXPECT_TRUE(tree_extract(&tree, 1, &out));
    EXPECT_INT(2, out.node_count);
    EXPECT_INT(5, out.nodes[0].visits);
    EXPECT_INT(1, out.nodes[0].child_count);
    EXPECT_INT(1, out.edges[out.nodes[0].edges].child);
    EXPECT_INT(4, out.nodes[1].visits);
    EXPECT_NEAR(0.3, tree_next_prior(&out.nodes[0]), 1e-3);
    tree_get_policy(&out, 0, kept);
    EXPECT_NEAR(0.6, kept[0], 1e-3);
    EXPECT_NEAR(0.1, kept[2], 1e-3);
    EXPECT_INT(1, tree_add_child(&out, 0, COLOR_BLACK)); /* the copy can grow */
    tree_free(&tree);
    tree_free(&out);
}

TEST(a_full_pool_refuses_and_stays_whole) {
    Tree tree = tree_of(3), out = {0};
    grow_example(&tree);
    size_t bytes = tree_bytes(&tree);
    tree.limit_bytes = bytes;
    EXPECT_INT(NODE_NONE, tree_add(&tree, COLOR_BLACK));
    EXPECT_TRUE(tree.full);
    EXPECT_INT(-1, tree_add_child(&tree, 0, COLOR_WHITE));
    EXPECT_INT(2, tree.nodes[0].child_count);
    float policy[3] = {0.5f, 0.5f, 0};
    EXPECT_FALSE(tree_set_policy(&tree, 3, policy, false));
    EXPECT_TRUE(tree_bytes(&tree) <= bytes);
    tree.limit_bytes = sizeof(Node);
    EXPECT_FALSE(tree_extract(&tree, 1, &out));
    tree_clear(&tree);
    EXPECT_FALSE(tree.full);
    EXPECT_INT(0, tree_bytes(&tree));
    EXPECT_INT(0, tree_add(&tree, COLOR_BLACK));
    tree_free(&tree);
    tree_free(&out);
}

/* Room for several threads: a slab has room for 8 visits that take the largest possible size, or
 * for one visit near the limit. The limit holds even if the arrays are larger. */
TEST(room_is_made_within_the_limit) {
    Tree tree = tree_of(82);
    TreeSlab a = {0}, b = {0}, c = {0};
    size_t visit = sizeof(Node) + 82 * sizeof(Edge) + (82 + 21) * sizeof(int32_t);
    EXPECT_FALSE(tree_has_room(&tree, &a, 2));
    EXPECT_TRUE(tree_make_room(&tree, 2));
    EXPECT_TRUE(tree_has_room(&tree, &a, 2));
    EXPECT_TRUE(tree_has_room(&tree, &b, 2));
    EXPECT_INT(8 * 82, a.edges.end);
    EXPECT_INT(8 * 82, b.edges.at);
    EXPECT_INT(16 * 82, b.edges.end);
    EXPECT_INT(16 * (82 + 21), tree.policy_count);
    EXPECT_INT(2 * 32, tree.node_count);
    a.edges.at = a.edges.end - 82; /* just enough for one visit */
    EXPECT_TRUE(tree_has_room(&tree, &a, 2));
    EXPECT_INT(16 * 82, tree.edge_count);
    a.edges.at++; /* one too few: the slab gets a new part, and keeps the rest for small lists */
    EXPECT_TRUE(tree_has_room(&tree, &a, 2));
    EXPECT_INT(16 * 82, a.edges.at);
    EXPECT_INT(24 * 82, a.edges.end);
    EXPECT_INT(7 * 82 + 1, a.edges.rest_at);
    EXPECT_INT(8 * 82, a.edges.rest_end);
    tree.edge_count = 16 * 82;
    tree_give_back(&tree, &a); /* not the last part of the pool, so nothing is given back */
    EXPECT_INT(16 * 82, tree.edge_count);
    b.edges.at += 5;
    tree_give_back(&tree, &b);
    EXPECT_INT(8 * 82 + 5, tree.edge_count);
    EXPECT_INT(32, tree.node_count);
    tree.limit_bytes = tree_bytes(&tree) + 2 * visit;
    EXPECT_TRUE(tree_has_room(&tree, &c, 2));
    EXPECT_INT(8 * 82 + 5 + 82, tree.edge_count);
    EXPECT_INT(33, tree.node_count);
    tree.limit_bytes = tree_bytes(&tree) + 2 * visit - 1;
    EXPECT_TRUE(tree_has_room(&tree, &c, 2)); /* the slab has room of its own */
    c.nodes.at++;
    EXPECT_FALSE(tree_has_room(&tree, &c, 2));
    EXPECT_FALSE(tree.full);
    EXPECT_FALSE(tree_make_room(&tree, 2));
    EXPECT_TRUE(tree.full);
    tree_free(&tree);
}

/* Threads add nodes in their own parts of the pools. Nodes that no thread has used yet lie between
 * them. */
TEST(threads_add_to_parts_of_their_own) {
    Tree tree = tree_of(3), out = {0};
    TreeSlab slabs[2] = {0};
    float policy[3] = {0.5f, 0.3f, 0.2f};
    tree_add(&tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    EXPECT_TRUE(tree_make_room(&tree, 2));
    tree.split = tree.was_split = true;
    for (int i = 0; i < 3; i++) {
        TreeSlab *slab = &slabs[i & 1];
        EXPECT_TRUE(tree_has_room(&tree, slab, 2));
        EXPECT_INT(i, tree_add_child_in(&tree, slab, 0, COLOR_WHITE));
    }
    EXPECT_INT(1, tree.edges[tree.nodes[0].edges].child); /* the first slab has nodes 1 to 32 */
    EXPECT_INT(33, tree.edges[tree.nodes[0].edges + 1].child);
    EXPECT_INT(2, tree.edges[tree.nodes[0].edges + 2].child);
    EXPECT_TRUE(tree_set_policy_in(&tree, &slabs[0], 33, policy, false));
    EXPECT_INT(0, tree_add_child_in(&tree, &slabs[0], 33, COLOR_BLACK));
    EXPECT_INT(3, tree.edges[tree.nodes[33].edges].child); /* stands before its parent */
    EXPECT_INT(0, tree.nodes[20].visits);
    tree.split = false;
    tree.nodes[33].state = NODE_EXPANDED;
    tree.nodes[0].state = NODE_EXPANDED;
    EXPECT_TRUE(tree_extract(&tree, 0, &out)); /* the copy has parents first, and no gaps */
    EXPECT_INT(5, out.node_count);
    EXPECT_FALSE(out.was_split);
    EXPECT_INT(4, out.edges[out.nodes[2].edges].child);
    tree_free(&tree);
    tree_free(&out);
}

/* A list of children never has room for more than all moves, even after it was copied with exactly
 * the room that it needed. */
TEST(lists_of_children_have_at_most_all_moves) {
    Tree tree = tree_of(3), out = {0};
    grow_example(&tree);
    EXPECT_TRUE(tree_extract(&tree, 0, &out));
    EXPECT_INT(2, out.nodes[0].child_capacity);
    EXPECT_INT(2, tree_add_child(&out, 0, COLOR_WHITE));
    EXPECT_INT(3, out.nodes[0].child_capacity);
    tree_free(&tree);
    tree_free(&out);
}

TEST_MAIN(RUN(children_come_by_falling_prior), RUN(a_copy_of_a_node_whose_moves_all_have_children),
          RUN(small_priors_of_large_boards_take_a_byte),
          RUN(a_new_policy_reaches_children_and_the_rest), RUN(extract_keeps_a_subtree_alone),
          RUN(a_full_pool_refuses_and_stays_whole), RUN(room_is_made_within_the_limit),
          RUN(threads_add_to_parts_of_their_own), RUN(lists_of_children_have_at_most_all_moves))
