/* finished_games.h - stores finished games of self-play: the rows and the SGF of a game go into its
 * worker's journal, and journals become files. Threading: a worker is confined. */
#pragma once
#include "run/stages/stage_selfplay.h"

MUST_USE Status finished_games_open_journal(Worker *worker, Error *err);
/* Adds the game to the worker's journal; if the journal is full, publishes it first and opens
 * another one. A game with impossible rows is dropped with a line in the log, but too many such
 * games in a row are a failure. The message of a failure is in worker->error. */
MUST_USE Status finished_games_keep(Worker *worker, GameRecord *record);
/* To be called after each step of the worker: from time to time syncs its journal to disk. */
void finished_games_sync(Worker *worker);
MUST_USE Status finished_games_publish(SelfplayStage *stage, Error *err); /* all journals */
