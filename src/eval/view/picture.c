/* Draws the text boards. */
#include "eval/view/picture.h"

#include <math.h>

/* Removes blanks at the end of the line. */
static void end_line(StrBuf *out) {
    while (out->length && !out->failed && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    strbuf_add(out, "\n");
}

static void add_letters(int width, int cell, StrBuf *out) {
    strbuf_add(out, "  ");
    for (int x = 0; x < width; x++)
        strbuf_addf(out, "%*c%s", cell - 1, *point_text(point_at(x, 0), 0).text, " ");
    end_line(out);
}

static void add_policy_cell(const Position *position, float policy, Point point, StrBuf *out) {
    Color color = (Color)position->board.color[point];
    bool last = position_last_move(position, 0).point == point;
    double mille = 1000 * (double)policy;
    if (color != COLOR_EMPTY)
        strbuf_addf(out, last ? " (%c)" : "  %c ", color == COLOR_BLACK ? 'X' : 'O');
    else if (policy < 0)
        strbuf_add(out, "  - ");
    else if (mille < 0.5)
        strbuf_add(out, "  . ");
    else
        strbuf_addf(out, mille < 999.5 ? "%3.0f " : "%4.0f", mille);
}

void picture_policy(const Position *position, const Evaluation *evaluation, StrBuf *out) {
    int width = position->board.width, height = position->board.height;
    add_letters(width, 4, out);
    for (int y = 0; y < height; y++) {
        strbuf_addf(out, "%2d", height - y);
        for (int x = 0; x < width; x++)
            add_policy_cell(position, evaluation->policy[y * width + x], point_at(x, y), out);
        end_line(out);
    }
    float pass = evaluation->policy[width * height];
    if (pass < 0)
        strbuf_add(out, "pass -\n");
    else
        strbuf_addf(out, "pass %.0f\n", 1000 * (double)pass);
}

float picture_black_ownership(const Position *position, const Evaluation *evaluation, Point point) {
    int index = move_index(point, position->board.width, position->board.height);
    return value_for_black(evaluation->ownership[index], position->mover);
}

static char owner_letter(double black_probability) {
    return black_probability > 0.9    ? 'X'
           : black_probability > 0.7  ? 'x'
           : black_probability >= 0.3 ? '.'
           : black_probability >= 0.1 ? 'o'
                                      : 'O';
}

static void add_owner_cell(const Position *position, const Evaluation *evaluation, Point point,
                           bool shades, StrBuf *out) {
    Color color = (Color)position->board.color[point];
    double probability = 0.5 + 0.5 * (double)picture_black_ownership(position, evaluation, point);
    double own = color == COLOR_WHITE ? 1 - probability : probability;
    bool dead = color != COLOR_EMPTY && own < 0.3;
    char left = dead ? '[' : ' ', right = dead ? ']' : ' ';
    if (!shades) {
        strbuf_addf(out, "%c%c%c", left, owner_letter(probability), right);
        return;
    }
    /* In a terminal the colors 232 to 255 are greys, from black to white. */
    int grey = 255 - (int)lround(23 * fmin(1, fmax(0, probability)));
    strbuf_addf(out, "\033[48;5;%d;38;5;%dm", grey, grey < 244 ? 255 : 232);
    if (color == COLOR_EMPTY)
        strbuf_add(out, "   ");
    else
        strbuf_addf(out, "%c%c%c", left, color == COLOR_BLACK ? 'X' : 'O', right);
    strbuf_add(out, "\033[0m");
}

void picture_ownership(const Position *position, const Evaluation *evaluation, bool shades,
                       StrBuf *out) {
    int width = position->board.width, height = position->board.height;
    add_letters(width, 3, out);
    for (int y = 0; y < height; y++) {
        strbuf_addf(out, "%2d", height - y);
        for (int x = 0; x < width; x++)
            add_owner_cell(position, evaluation, point_at(x, y), shades, out);
        end_line(out);
    }
}
