#include "protocol/doubling.h"

#include <math.h>

static const double STEP = 0.125, MOST = 2.75;

double doubling_cap(double per_lead, double lead, int width, int height) {
    double scale = pow(361.0 / (width * height), 0.75), start = fmax(2, 4 / scale);
    if (width < 8 || height < 8 || lead < start) return 0;
    return round(fmin(MOST, per_lead * (lead - start) * scale) / STEP) * STEP;
}

double doubling_step(double doublings, double cap, double win_loss) {
    double next = win_loss < -0.9   ? doublings + STEP
                  : win_loss > -0.5 ? doublings - STEP
                                    : doublings;
    return fmax(0, fmin(cap, next));
}
