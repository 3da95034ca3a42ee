/* doubling.h - the playout doubling advantage that follows a handicap game, so that who began
 * behind neither gives up nor relaxes (KataGo, cpp/command/gtp.cpp). Threading: free functions. */
#pragma once

/* The most that the advantage of who began `lead` points behind may be: min(2.75, per_lead (lead -
 * start) scale) in steps of 0.125, scale = (361 / area)^(3/4), start = max(2, 4 / scale). 0 where
 * an edge is below 8. */
double doubling_cap(double per_lead, double lead, int width, int height);
/* After a move: a step up where the win - loss of who began behind is below -0.9, down above -0.5;
 * within 0 .. cap. */
double doubling_step(double doublings, double cap, double win_loss);
