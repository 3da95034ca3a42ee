#include "protocol/session/report_view.h"

double report_winrate_bound(const SearchSettings *settings, const MoveReport *move) {
    double range = search_settings_range(settings);
    if (range <= 0) return (double)move->winrate;
    double radius = (double)move->utility - (double)move->lcb;
    return (double)move->winrate - radius * 0.5 * settings->win_loss_factor / range;
}
