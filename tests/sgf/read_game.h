/* read_game.h - reads a game from its SGF text. */
#pragma once
#include "sgf/sgf_game.h"
#include "test.h"

static inline SgfGame read_game(const char *text) {
    SgfGame game;
    EXPECT_OK(sgf_game_parse(text, strlen(text), NULL, &game, err));
    return game;
}
