/* fuzz_sgf.c - any bytes as SGF: what is read must be written and read again as the same. */
#include <stdlib.h>
#include <string.h>

#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"
#include "sgf/sgf_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check(bool good) {
    if (!good) abort();
}

/* tree to text to tree to text: the texts agree. */
static void check_tree(const char *text, size_t count) {
    SgfTree tree, again;
    StrBuf first = {0}, second = {0};
    if (!sgf_parse(text, count, "fuzz", &tree, NULL)) {
        check(!sgf_write_tree(&tree, &first, NULL));
        SgfSource source = {.name = "again", .text = first.text, .length = first.length, .line = 1};
        for (int i = 0; i < tree.game_count; i++) {
            check(!sgf_parse_next(&source, &again, NULL) && again.game_count == 1);
            check(!sgf_write_tree(&again, &second, NULL));
            sgf_tree_clear(&again);
        }
        check(first.length == second.length && memcmp(first.text, second.text, first.length) == 0);
    }
    sgf_tree_clear(&tree);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

static void check_game(const char *text, size_t count, bool main_line) {
    SgfGame game, again;
    SgfOptions options = {.longest = !main_line};
    StrBuf first = {0}, second = {0};
    if (!sgf_game_parse(text, count, &options, &game, NULL)) {
        Position position;
        if (game.move_count < 2000 && !sgf_game_position(&game, -1, &position, NULL)) {
            check((size_t)position.move_count == game.move_count);
            position_clear(&position);
        }
        check(!sgf_game_write_line(&game, &first, NULL));
        check(!sgf_game_parse(first.text, first.length, NULL, &again, NULL));
        check(again.move_count == game.move_count && again.first_mover == game.first_mover);
        check(memcmp(again.setup, game.setup, sizeof game.setup) == 0);
        check(again.rules.komi == game.rules.komi);
        check(!sgf_game_write_line(&again, &second, NULL));
        check(strcmp(first.text, second.text) == 0);
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
