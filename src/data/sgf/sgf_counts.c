#include "data/sgf/sgf_counts.h"

#include <stdio.h>

int64_t sgf_counts_rows(const SgfRecord *record) {
    int64_t rows = 0;
    for (size_t i = 0; i < record->record.turn_count; i++)
        rows += record->record.turns[i].row_weight > 0;
    return rows;
}

/* Returns the index in the tables of SgfCounts at which rows of this rank are counted. */
static int rank_index(int rank) {
    return rank == SGF_RANK_NONE ? SGF_COUNTED_RANKS - 1 : rank - SGF_RANK_MIN;
}

void sgf_counts_add(SgfCounts *counts, const SgfGame *game, const SgfRecord *record,
                    bool validation) {
    const GameRecord *played = &record->record;
    int ranks[3] = {0, sgf_rank_parse(game->black_rank), sgf_rank_parse(game->white_rank)};
    int64_t rows = sgf_counts_rows(record);
    int handicap =
        record->handicap < SGF_COUNTED_HANDICAPS - 1 ? record->handicap : SGF_COUNTED_HANDICAPS - 1;
    for (size_t i = 0; i < played->turn_count; i++) {
        Color mover = played->turns[i].move.color;
        bool row = played->turns[i].row_weight > 0;
        counts->rank_rows[rank_index(ranks[mover])] += row;
        counts->opponent_rows[rank_index(ranks[color_other(mover)])] += row;
    }
    counts->kept++;
    counts->cut[record->cut]++;
    counts->rows += rows;
    if (validation) {
        counts->validation_games++;
        counts->validation_rows += rows;
    }
    counts->valued_rows += played->outcome_unknown ? 0 : rows;
    counts->scored_rows += played->score_unknown ? 0 : rows;
    counts->owned_rows += played->owner_unknown ? 0 : rows;
    SgfCount *const both[2] = {&counts->sources[sgf_server_of(game)], &counts->handicaps[handicap]};
    for (int i = 0; i < 2; i++) {
        both[i]->games++;
        both[i]->rows += rows;
    }
}

static void write_number(StrBuf *out, const char *what, int64_t number) {
    strbuf_addf(out, "%-34s %12lld\n", what, (long long)number);
}

/* Writes the number if it is not 0. */
static void write_some(StrBuf *out, const char *before, const char *what, int64_t number) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", before, what);
    if (number) write_number(out, text, number);
}

static void write_games(const SgfCounts *counts, StrBuf *out) {
    write_number(out, "games found", counts->games);
    write_number(out, "games kept", counts->kept);
    write_some(out, "  of these for validation", "", counts->validation_games);
    write_some(out, "  of these with dead stones found", "", counts->settled);
    for (int i = 1; i < SGF_CUT_REASONS; i++)
        write_some(out, "  of these cut: ", sgf_cut_name((SgfCut)i), counts->cut[i]);
    for (int i = 1; i < SGF_FATES; i++)
        write_some(out, "games dropped by ", sgf_fate_name((SgfFate)i), counts->out[i]);
    write_some(out, "duplicates", "", counts->duplicates);
    write_some(out, "games whose setup is illegal", "", counts->illegal);
    write_some(out, "files or games that are unreadable", "", counts->unreadable);
}

static void write_rows(const SgfCounts *counts, StrBuf *out) {
    write_number(out, "rows", counts->rows);
    write_some(out, "  of these for validation", "", counts->validation_rows);
    write_number(out, "  with a value target", counts->valued_rows);
    write_number(out, "  with a lead target", counts->scored_rows);
    write_number(out, "  with ownership and score", counts->owned_rows);
}

static void write_count(StrBuf *out, const char *name, SgfCount count) {
    if (count.games)
        strbuf_addf(out, "%-12s %12lld %12lld\n", name, (long long)count.games,
                    (long long)count.rows);
}

static void write_ranks(StrBuf *out, const char *whose, const int64_t rows[SGF_COUNTED_RANKS]) {
    strbuf_addf(out, "\nrank of the %-15s %10s\n", whose, "rows");
    for (int i = 0; i < SGF_COUNTED_RANKS; i++) {
        int rank = i == SGF_COUNTED_RANKS - 1 ? SGF_RANK_NONE : SGF_RANK_MIN + i;
        if (rows[i])
            strbuf_addf(out, "%-12s %25lld\n", sgf_rank_text(rank).text, (long long)rows[i]);
    }
}

void sgf_counts_write(const SgfCounts *counts, StrBuf *out) {
    write_games(counts, out);
    write_rows(counts, out);
    strbuf_add(out, "\nsource              games         rows\n");
    for (int i = 0; i < SGF_SERVERS; i++)
        write_count(out, sgf_server_name((SgfServer)i), counts->sources[i]);
    strbuf_add(out, "\nhandicap            games         rows\n");
    for (int i = 0; i < SGF_COUNTED_HANDICAPS; i++) {
        char name[16];
        snprintf(name, sizeof name, i == SGF_COUNTED_HANDICAPS - 1 ? "%d or more" : "%d", i);
        write_count(out, name, counts->handicaps[i]);
    }
    write_ranks(out, "mover", counts->rank_rows);
    write_ranks(out, "opponent", counts->opponent_rows);
}
