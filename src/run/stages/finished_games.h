/* finished_games.h - what becomes of a finished game: its rows and its text go into its worker's
 * journal, journals into files. Threading: a worker is confined. */
#pragma once
#include "run/stages/stage_selfplay.h"

MUST_USE Status finished_games_open_journal(Worker *worker, Error *err);
/* Puts the game into the journal, and the journal into files first where it is full. A game whose
 * rows cannot be is dropped with a line in the log; too many in a row are a failure. Faults go into
 * worker->error. */
MUST_USE Status finished_games_keep(Worker *worker, GameRecord *record);
MUST_USE Status finished_games_publish(SelfplayStage *stage, Error *err); /* all journals */
