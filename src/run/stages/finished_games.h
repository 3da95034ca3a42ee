/* finished_games.h - stores finished games of self-play. The rows and the SGF of a game go into the
 * journal of its worker. Publishing a journal turns it into a row file and a game file (journal.h).
 * Threading: a worker is confined. */
#pragma once
#include "run/stages/stage_selfplay.h"

/* Opens a new journal for the worker. */
MUST_USE Status finished_games_open_journal(Worker *worker, Error *err);
/* Adds the game to the worker's journal. If the journal is full, publishes it first and opens
 * another journal. A game with impossible rows is dropped with a line in the log. If this happens
 * to many games in a row, the call fails. The message of a failure is in worker->error. */
MUST_USE Status finished_games_keep(Worker *worker, GameRecord *record);
/* Call this after each step of the worker. From time to time it syncs the worker's journal to
 * disk. */
void finished_games_sync(Worker *worker);
/* Publishes the journals of all workers. */
MUST_USE Status finished_games_publish(SelfplayStage *stage, Error *err);
