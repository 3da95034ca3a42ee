/* gtp_score.h - the final score of the present game. Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* Computes White's score minus Black's, rounded to a score that the komi allows. While play goes
 * on, the net estimates the score. After the passes that end play, the score is counted. If dead
 * stones may then be left on the board, the net says which stones are dead. In a game without
 * result the score is 0. */
Status gtp_final_score(Gtp *gtp, float *white_score, Error *err);
