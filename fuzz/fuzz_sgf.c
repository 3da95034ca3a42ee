/* fuzz_sgf.c - reads any bytes as SGF. If they can be read, the games must not change when they are
 * written and read again. */
#include "fuzz.h"

#include "base/clock.h"
#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"
#include "sgf/sgf_write.h"

enum { PART = 500, REPLAY_SECONDS = 1 };

/* Parses the text to a tree, writes the tree, parses what was written, and writes it again. The two
 * written texts must be equal. */
static void check_tree(const char *text, size_t count) {
    SgfTree tree, again;
    StrBuf first = {0}, second = {0};
    if (!sgf_parse(text, count, "fuzz", &tree, NULL)) {
        CHECK(!sgf_write_tree(&tree, &first, NULL));
        SgfSource source = {.name = "again", .text = first.text, .length = first.length, .line = 1};
        for (int i = 0; i < tree.game_count; i++) {
            CHECK(!sgf_parse_next(&source, &again, NULL) && again.game_count == 1);
            CHECK(!sgf_write_tree(&again, &second, NULL));
            sgf_tree_clear(&again);
        }
        CHECK(first.length == second.length && memcmp(first.text, second.text, first.length) == 0);
    }
    sgf_tree_clear(&tree);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

/* Replays the moves in parts, and stops after a certain time. A game may have SGF_MOVES_LIMIT
 * moves, and each move takes longer than the move before. */
static void check_replay(const SgfGame *game) {
    const double until = clock_thread_cpu_seconds() + REPLAY_SECONDS;
    Position position;
    if (sgf_game_start(game, &position, NULL)) return;
    for (int at = 0, end; at < (int)game->move_count; at = end) {
        end = at + PART < (int)game->move_count ? at + PART : (int)game->move_count;
        Status status = sgf_game_replay(game, &position, at, end, NULL);
        CHECK(status ? position.move_count >= at && position.move_count < end
                     : position.move_count == end);
        if (status || clock_thread_cpu_seconds() > until) break;
    }
    position_clear(&position);
}

static void check_game(const char *text, size_t count, bool main_line) {
    SgfGame game, again;
    SgfOptions options = {.longest = !main_line};
    StrBuf first = {0}, second = {0};
    if (!sgf_game_parse(text, count, &options, &game, NULL)) {
        check_replay(&game);
        CHECK(!sgf_game_write_line(&game, &first, NULL));
        CHECK(!sgf_game_parse(first.text, first.length, NULL, &again, NULL));
        CHECK(again.move_count == game.move_count && again.first_mover == game.first_mover);
        CHECK(memcmp(again.setup, game.setup, sizeof game.setup) == 0);
        CHECK(again.rules.komi == game.rules.komi);
        CHECK(!sgf_game_write_line(&again, &second, NULL));
        CHECK(strcmp(first.text, second.text) == 0);
        sgf_game_clear(&again);
    }
    sgf_game_clear(&game);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const char *text = (const char *)bytes;
    check_tree(text, count);
    check_game(text, count, false);
    check_game(text, count, true);
    return 0;
}
