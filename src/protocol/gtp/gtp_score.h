/* gtp_score.h - the final score of the present game. Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* Computes White's score minus Black's, rounded to a score that the komi allows. If the rules alone
 * do not give it, the net estimates it or says which stones are dead. It is 0 in a game without
 * result. */
Status gtp_final_score(Gtp *gtp, float *white_score, Error *err);
