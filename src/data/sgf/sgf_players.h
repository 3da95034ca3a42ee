/* sgf_players.h - finds what the file of a game says about its players, ranks, date and time
 * limits. The result is in the form from which features of nets are made
 * (eval/features/metadata.h). Threading: any thread. */
#pragma once
#include "eval/features/metadata.h"
#include "sgf/sgf_game.h"

/* Reads the ranks (BR, WR), the date (DT), the main time (TM), the overtime (OT) and the server, as
 * KataGo does (cpp/command/writetrainingdata.cpp). If there is no readable date, the date is
 * 1970-01-01. A rank that is missing or cannot be read is unknown, but on KGS players without a
 * rank are unranked. In games of GoGoD, all dan ranks are those of professionals, and kyu ranks are
 * unknown. Both players count as people. Whether the game was rated is unknown, but games of GoGoD
 * and Go4Go count as rated. */
GameMetadata sgf_players_of(const SgfGame *game);
