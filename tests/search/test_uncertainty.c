/* Which of the net's errors determines the weights of playouts. */
#include "made_up.h"
#include "search/core/search_private.h"

static Status run(Search *search, MadeUp *evaluator, Error *error) {
    Driver *driver = NULL;
    EXPECT_OK(driver_new(&evaluator->base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 20});
    Status status = driver_run(driver, search, &(DriverRun){0}, error);
    driver_free(driver);
    return status;
}

/* The net gives the error 0.2 for its value, and no short-term errors. If the search uses the error
 * of the value, with the coefficient 0.25 and the maximum 8, an evaluation has the weight
 * 0.25 / (0.2 + 0.25 / 8). If it uses the short-term errors, an evaluation has the weight 1. */
TEST(playouts_are_weighed_by_the_error_of_the_value) {
    for (int by_value = 0; by_value < 2; by_value++) {
        MadeUp evaluator = made_up(1, point_at(1, 1));
        SearchSettings settings = win_loss_settings();
        settings.uncertainty.on = true;
        settings.uncertainty.error = by_value ? ERROR_VALUE : ERROR_SHORTTERM;
        evaluator.value_error = 0.2f;
        Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
        EXPECT_OK(run(search, &evaluator, err));
        EXPECT_INT(20, search_root_visits(search));
        for (uint32_t i = 0; i < search->tree.node_count; i++) {
            const Node *node = &search->tree.nodes[i];
            if (node->state == NODE_EXPANDED)
                EXPECT_NEAR(by_value ? 0.25 / (0.2 + 0.25 / 8) : 1, node->own_weight, 1e-5);
        }
        search_free(search);
    }
}

TEST(the_error_of_the_value_needs_its_head) {
    for (int on = 0; on < 2; on++) {
        MadeUp evaluator = made_up(1, point_at(1, 1));
        SearchSettings settings = win_loss_settings();
        Error error = {0};
        settings.uncertainty.on = on;
        settings.uncertainty.error = ERROR_VALUE;
        /* The net gives short-term errors, but the search does not use them in place of the error
         * of the value. */
        evaluator.error = 0.1f;
        Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
        EXPECT_STATUS(on ? ERR_ARGUMENT : OK, run(search, &evaluator, &error));
        if (on) EXPECT_CONTAINS(error.message, "value_error");
        search_free(search);
    }
}

TEST_MAIN(RUN(playouts_are_weighed_by_the_error_of_the_value),
          RUN(the_error_of_the_value_needs_its_head))
