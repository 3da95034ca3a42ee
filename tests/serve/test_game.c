/* A game of the page: turns, phases, dead stones, the score, and SGF. */
#include "serve/game_talk.h"

static void expect_refused(Game *game, const char *move, const char *code) {
    Fault fault = {0};
    int moves = game_moves(game);
    EXPECT_FALSE(game_play(game, move, &fault));
    EXPECT_TEXT(code, fault.code);
    EXPECT_TRUE(*fault.message);
    EXPECT_INT(moves, game_moves(game));
}

TEST(a_new_game_says_how_it_begins) {
    Game *game = game_started("japanese", 9, 0, COLOR_BLACK);
    expect_state(game, "{'width':9,'height':9,'rules':'japanese','komi':6.5,'handicap':0,"
                       "'color':'B','visits':100,'black':'You','white':'Aji net','initial':[],"
                       "'moves':[],'to_play':'B','captures':{'B':0,'W':0},'thinking':false,"
                       "'phase':'play','result':null,'dead':[],'territory':null,'points':null}");
    game_free(game);
    game = game_started("chinese", 7, 0, COLOR_WHITE);
    expect_state(game, "{'komi':9.0,'color':'W','black':'Aji net','white':'You','thinking':true}");
    game_free(game);
    game = game_started("chinese", 9, 3, COLOR_WHITE);
    expect_state(game, "{'komi':0.5,'handicap':3,'initial':['C7','G7','C3'],'to_play':'W',"
                       "'thinking':false,"
                       "'board':'....................X...X...............................X........."
                       "...............'}");
    game_free(game);
}

static void expect_no_game(GameSetup setup, const char *field) {
    Fault fault = {0};
    if (!setup.rules) setup.rules = "japanese";
    if (!setup.width) setup.width = 9;
    setup.height = 9;
    setup.person = COLOR_BLACK;
    setup.visits = 1;
    setup.engine = "net";
    EXPECT_TRUE(game_new(&setup, &fault) == NULL);
    EXPECT_TEXT("bad_field", fault.code);
    EXPECT_TEXT(field, fault.field);
}

/* The search settings of the query, as JSON. */
static char *query_text(Game *game) {
    json_t *query = game_query(game, "q");
    char *text = json_dumps(query, JSON_COMPACT | JSON_REAL_PRECISION(4));
    json_decref(query);
    return text;
}

TEST(a_level_sets_the_search_and_the_choice) {
    Game *game = game_started("chinese", 9, 0, COLOR_WHITE), *again;
    static const GameLevel WEAKEST = {true, 0, "level 1"}, STRONGEST = {true, 1, "level 9"};
    StrBuf sgf = {0};
    char *text = query_text(game);
    EXPECT_TRUE(strstr(text, "gumbel") == NULL);
    free(text);
    game_set_level(game, &WEAKEST);
    text = query_text(game);
    EXPECT_CONTAINS(text, "\"maxVisits\":16,");
    EXPECT_CONTAINS(text, "\"search.level.draw\":true,\"search.level.temperature\":100.0");
    EXPECT_CONTAINS(text, "\"search.gumbel.on\":true,\"search.gumbel.considered\":16");
    free(text);
    expect_state(game, "{'visits':100,'level':{'strength':0.0,'label':'level 1'}}");
    EXPECT_OK(game_write(game, &sgf, err));
    EXPECT_OK(game_read(sgf.text, sgf.length, &again, err));
    expect_state(again, "{'level':{'strength':0.0,'label':'level 1'}}");
    game_free(again);
    strbuf_clear(&sgf);
    EXPECT_INT(16, game_level_visits(&WEAKEST));
    EXPECT_INT(400, game_level_visits(&STRONGEST));
    EXPECT_NEAR(1, game_strength_max(400), 1e-9);
    EXPECT_NEAR(0.5, game_strength_max(80), 0.002); /* 16 * 25^0.5 */
    EXPECT_NEAR(0, game_strength_max(16), 0.02);
    EXPECT_NEAR(-1, game_strength_max(15), 1e-9);
    /* The net prefers A9, which loses 30 points. The strongest level never plays it. */
    static const char ANSWER[] =
        "{'moveInfos':[{'move':'A9','playSelectionValue':90,'edgeVisits':5,'prior':0.9,"
        "'scoreLead':-30},{'move':'C3','playSelectionValue':1,'edgeVisits':5,'prior':0.1,"
        "'scoreLead':0}],'rootInfo':{'winrate':0.5,'scoreLead':0,'visits':10,"
        "'rawScoreSelfplayStdev':12}}";
    game_set_level(game, &STRONGEST);
    free(query_text(game));
    game_set_visits(game, 50); /* full strength again, from the next search on */
    expect_state(game, "{'visits':50,'level':null}");
    engine_says(game, ANSWER);
    expect_state(game, "{'moves':[['B','C3']]}");
    person_plays(game, "G7");
    free(query_text(game));
    engine_says(game, "{'moveInfos':[{'move':'A9','playSelectionValue':9,'edgeVisits':5,"
                      "'prior':0.9,'scoreLead':-30}],'rootInfo':{'winrate':0.5,'visits':10}}");
    expect_state(game, "{'moves':[['B','C3'],['W','G7'],['B','A9']]}");
    game_free(game);
}

TEST(impossible_games_are_refused) {
    expect_no_game((GameSetup){.rules = "chess"}, "rules");
    expect_no_game((GameSetup){.width = 20}, "width");
    expect_no_game((GameSetup){.width = 1}, "width");
    expect_no_game((GameSetup){.handicap = 1}, "handicap");
    expect_no_game((GameSetup){.handicap = 10}, "handicap");
    expect_no_game((GameSetup){.width = 5, .handicap = 2}, "handicap");
    expect_no_game((GameSetup){.komi = 6.3}, "komi");
    expect_no_game((GameSetup){.komi = 1e9}, "komi");
}

TEST(moves_change_the_board) {
    Game *game = game_started("chinese", 5, 0, COLOR_BLACK);
    play_all(game, "A4 A5 E1");
    expect_state(game, "{'thinking':true,'to_play':'W'}");
    play_all(game, "C3 B5");
    expect_state(game, "{'board':'.X...X......O...........X','captures':{'B':1,'W':0},"
                       "'moves':[['B','A4'],['W','A5'],['B','E1'],['W','C3'],['B','B5']]}");
    play_all(game, "pass");
    expect_state(game, "{'phase':'play','thinking':false,'to_play':'B'}");
    game_free(game);
}

TEST(forbidden_moves_are_refused_with_a_reason) {
    Game *game = game_started("japanese", 5, 0, COLOR_BLACK);
    expect_refused(game, "F1", "off_board");
    expect_refused(game, "A6", "off_board");
    expect_refused(game, "", "off_board");
    play_all(game, "C4");
    expect_refused(game, "E5", "not_your_turn");
    play_all(game, "D4 B3 E3 C2 D2 D3 C3");
    expect_refused(game, "D4", "occupied");
    expect_refused(game, "D3", "ko");
    play_all(game, "A5 E5 D3"); /* after moves elsewhere, the ko may be retaken */
    expect_state(game, "{'captures':{'B':1,'W':1}}");
    game_free(game);

    game = game_started("japanese", 5, 0, COLOR_BLACK);
    play_all(game, "E5 A2 D5 B1");
    expect_refused(game, "A1", "suicide");
    play_all(game, "pass pass");
    expect_refused(game, "C3", "over");
    game_free(game);
}

static void expect_undo(Game *game, int moves) {
    Fault fault = {0};
    if (!game_undo(game, &fault)) fail_msg("%s", fault.message);
    EXPECT_INT(moves, game_moves(game));
    EXPECT_FALSE(game_is_waiting(game));
    expect_state(game, "{'phase':'play','result':null,'dead':[],'thinking':false}");
}

static void expect_no_undo(Game *game) {
    Fault fault = {0};
    int moves = game_moves(game);
    EXPECT_FALSE(game_undo(game, &fault));
    EXPECT_TEXT("no_move", fault.code);
    EXPECT_INT(moves, game_moves(game));
}

TEST(undo_goes_back_to_the_turn_of_the_person) {
    Game *game = game_started("chinese", 5, 0, COLOR_BLACK);
    expect_no_undo(game);
    play_all(game, "C3");
    expect_undo(game, 0); /* while the engine thinks */
    play_all(game, "C3 D3 A1 E5");
    expect_undo(game, 2);
    expect_state(game, "{'board':'............XO...........'}");
    play_all(game, "pass pass");
    expect_undo(game, 2); /* after the end */
    game_free(game);

    game = game_started("chinese", 5, 0, COLOR_WHITE);
    expect_no_undo(game);
    play_all(game, "C3");
    expect_no_undo(game);
    play_all(game, "D3 C4");
    expect_undo(game, 1);
    game_free(game);
}

TEST(undo_takes_a_resignation_back) {
    Game *game = game_started("chinese", 5, 0, COLOR_BLACK);
    Fault fault = {0};
    play_all(game, "C3 D3");
    EXPECT_TRUE(game_resign(game, &fault));
    expect_state(game, "{'phase':'over','result':'W+R','thinking':false,'territory':null}");
    EXPECT_FALSE(game_resign(game, &fault));
    EXPECT_TEXT("over", fault.code);
    expect_refused(game, "A1", "over");
    expect_undo(game, 2);
    play_all(game, "A1");
    EXPECT_TRUE(game_resign(game, &fault)); /* while the engine thinks */
    EXPECT_FALSE(game_is_waiting(game));
    expect_undo(game, 2);
    game_free(game);
}

TEST(the_engine_resigns_lost_games) {
    static const char *const MOVES[] = {"A1", "A2", "A3", "A4", "B1", "B2", "B3"};
    Game *game = game_started("chinese", 9, 0, COLOR_BLACK);
    for (int i = 0; i < 2; i++) {
        person_plays(game, MOVES[i]);
        engine_plays_at(game, i ? "J2" : "J1", 0.01);
    }
    person_plays(game, MOVES[2]);
    engine_plays_at(game, "J3", 0.01);
    expect_state(game, "{'phase':'over','result':'B+R','thinking':false}");
    EXPECT_INT(5, game_moves(game));
    expect_undo(game, 4);
    for (int i = 3; i < 7; i++) { /* its resignation was taken back, so it does not resign again */
        char move[16];
        person_plays(game, MOVES[i]);
        snprintf(move, sizeof move, "J%d", i + 1);
        engine_plays_at(game, move, 0.01);
    }
    expect_state(game, "{'phase':'play'}");
    game_free(game);
}

/* Black has 15 points of area, White 10, if White's stone at A4 is dead. */
static const char DIVIDED[] = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B1 A4 pass pass";
/* The ownership is that of the player to move, Black. */
static const char OWNERSHIP[] = "{'ownership':[0.9,0.9,0.9,-0.9,-0.9, 0.9,0.9,0.9,-0.9,-0.9, "
                                "0.9,0.9,0.9,-0.9,-0.9, 0.9,0.9,0.9,-0.9,-0.9, "
                                "0.9,0.9,0.9,-0.9,-0.9]}";

TEST(dead_stones_are_proposed_marked_and_agreed) {
    Game *game = game_started("chinese", 5, 0, COLOR_BLACK);
    Fault fault = {0};
    json_t *none = json_array(), *list = json_pack("[s]", "A4"), *empty = json_pack("[s]", "A3");
    EXPECT_FALSE(game_mark_dead(game, none, &fault));
    EXPECT_TEXT("not_scoring", fault.code);
    EXPECT_FALSE(game_agree(game, &fault));
    EXPECT_FALSE(game_continue(game, &fault));
    play_all(game, DIVIDED);
    expect_state(game, "{'phase':'score','thinking':true,'dead':[],'result':null,"
                       "'points':{'B':6.0,'W':35.0},'territory':'..bwww.bww..bww..bww.bbww'}");
    EXPECT_FALSE(game_agree(game, &fault)); /* the engine has proposed nothing yet */
    EXPECT_TEXT("thinking", fault.code);
    expect_state(game, "{'phase':'score','thinking':true,'result':null}");
    game_engine_failed(game, "There is no engine.");
    EXPECT_TRUE(game_agree(game, &fault));
    expect_state(game, "{'phase':'over','result':'W+29'}");
    game_free(game);

    game = game_started("chinese", 5, 0, COLOR_BLACK);
    play_all(game, DIVIDED);
    engine_says(game, OWNERSHIP);
    expect_state(game, "{'phase':'score','thinking':false,'dead':['A4'],'result':null,"
                       "'points':{'B':15.0,'W':34.0},'territory':'bbbwwbbbwwbbbwwbbbwwbbbww'}");
    EXPECT_FALSE(game_mark_dead(game, empty, &fault));
    EXPECT_TEXT("dead", fault.field);
    expect_state(game, "{'dead':['A4']}");
    EXPECT_TRUE(game_mark_dead(game, none, &fault));
    expect_state(game, "{'dead':[],'points':{'B':6.0,'W':35.0}}");
    EXPECT_TRUE(game_mark_dead(game, list, &fault));
    EXPECT_TRUE(game_agree(game, &fault));
    expect_state(game, "{'phase':'over','dead':['A4'],'result':'W+19',"
                       "'points':{'B':15.0,'W':34.0},'territory':'bbbwwbbbwwbbbwwbbbwwbbbww'}");
    EXPECT_FALSE(game_agree(game, &fault));
    expect_undo(game, 12);
    game_free(game);
    json_decref(none);
    json_decref(list);
    json_decref(empty);
}

TEST(territory_and_prisoners_are_counted) {
    Game *game = game_started("japanese", 5, 0, COLOR_BLACK);
    Fault fault = {0};
    json_t *none = json_array();
    play_all(game, DIVIDED);
    engine_says(game, OWNERSHIP);
    /* Black: nine points and a dead stone. White: five points and the komi of 24. */
    expect_state(game, "{'dead':['A4'],'points':{'B':10.0,'W':29.0},"
                       "'territory':'bbbwwbbbwwbbbwwbbbwwbbbww'}");
    EXPECT_TRUE(game_agree(game, &fault));
    expect_state(game, "{'phase':'over','result':'W+19'}");
    game_free(game);

    game = game_started("japanese", 5, 0, COLOR_BLACK);
    play_all(game, "A4 A5 B5 D1 C1 D2 C2 D3 C3 D4 C4 D5 C5 pass pass");
    EXPECT_TRUE(game_mark_dead(game, none, &fault));
    /* Black: the ten points of columns A and B minus two stones, and the prisoner taken at A5. */
    expect_state(game, "{'captures':{'B':1,'W':0},'dead':[],'points':{'B':9.0,'W':29.0}}");
    json_decref(none);
    game_free(game);
}

TEST(marks_of_the_person_are_not_overruled) {
    Game *game = game_started("chinese", 5, 0, COLOR_BLACK);
    Fault fault = {0};
    json_t *none = json_array();
    play_all(game, DIVIDED);
    EXPECT_TRUE(game_mark_dead(game, none, &fault)); /* before the engine has proposed any */
    EXPECT_FALSE(game_is_waiting(game));
    engine_says(game, OWNERSHIP);
    expect_state(game, "{'dead':[],'phase':'score'}");
    EXPECT_TRUE(game_continue(game, &fault));
    expect_state(game, "{'phase':'play','to_play':'B','thinking':false,'territory':null}");
    EXPECT_INT(12, game_moves(game));
    json_decref(none);
    game_free(game);
}

TEST(rules_that_settle_dead_stones_ask_nobody) {
    Game *game = game_started("tromp-taylor", 5, 0, COLOR_BLACK);
    Fault fault = {0};
    json_t *list = json_pack("[s]", "A4"), *none = json_array();
    play_all(game, DIVIDED);
    EXPECT_FALSE(game_is_waiting(game));
    expect_state(game, "{'phase':'score','dead':[],'points':{'B':6.0,'W':35.0}}");
    EXPECT_FALSE(game_mark_dead(game, list, &fault));
    EXPECT_TEXT("settled", fault.code);
    EXPECT_TRUE(game_mark_dead(game, none, &fault));
    EXPECT_TRUE(game_agree(game, &fault));
    expect_state(game, "{'phase':'over','result':'W+29'}");
    json_decref(list);
    json_decref(none);
    game_free(game);
}

TEST(answers_without_sense_are_reported) {
    static const char *const BAD[] = {
        "{'error':'too busy'}",
        "{'noResults':true}",
        "{'moveInfos':[],'rootInfo':{}}",
        "{'moveInfos':[{'move':'C3','playSelectionValue':1}],'rootInfo':{}}", /* occupied */
        "{'moveInfos':[{'move':'Z9','playSelectionValue':1}],'rootInfo':{}}",
        "{'moveInfos':[{'playSelectionValue':1}],'rootInfo':{}}",
        "{'moveInfos':[3],'rootInfo':{}}",
        "{'moveInfos':[{'move':'A1','playSelectionValue':1}]}"};
    Game *game = game_started("japanese", 5, 0, COLOR_BLACK);
    play_all(game, "C3");
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        engine_says(game, BAD[i]);
        if (game_is_waiting(game)) fail_msg("%s is no error", BAD[i]);
        expect_state(game, "{'thinking':false,'to_play':'W'}");
        json_t *state = game_state(game, NULL);
        EXPECT_CONTAINS(json_string_value(json_object_get(state, "error")), "engine");
        json_decref(state);
        EXPECT_TRUE(game_retry(game));
        EXPECT_FALSE(game_retry(game));
    }
    play_all(game, "A1 pass pass");
    engine_says(game, "{'ownership':[1,2,3]}");
    EXPECT_FALSE(game_is_waiting(game));
    expect_state(game, "{'phase':'score','dead':[]}");
    game_free(game);
}

TEST(the_engine_is_asked_for_this_position) {
    Game *game = game_started("chinese", 9, 2, COLOR_WHITE);
    play_all(game, "E5");
    json_t *query = game_query(game, "17"), *wanted;
    EXPECT_OK(json_parse("[[\"B\",\"G7\"],[\"B\",\"C3\"]]", 23, &wanted, err));
    EXPECT_TRUE(json_equal(wanted, json_object_get(query, "initialStones")));
    json_decref(wanted);
    wanted = json_pack("[[s,s]]", "W", "E5");
    EXPECT_TRUE(json_equal(wanted, json_object_get(query, "moves")));
    json_decref(wanted);
    EXPECT_TEXT("17", json_string_value(json_object_get(query, "id")));
    EXPECT_TEXT("W", json_string_value(json_object_get(query, "initialPlayer")));
    EXPECT_INT(100, json_integer_value(json_object_get(query, "maxVisits")));
    EXPECT_NEAR(0.5, json_number_value(json_object_get(query, "komi")), 0);
    json_decref(query);
    game_set_visits(game, 7);
    query = game_query(game, "18");
    EXPECT_INT(7, json_integer_value(json_object_get(query, "maxVisits")));
    json_decref(query);
    game_set_visits(game, 1);
    query = game_query(game, "19"); /* the first visit finds no move */
    EXPECT_INT(2, json_integer_value(json_object_get(query, "maxVisits")));
    json_decref(query);
    game_free(game);
}

static char *written(const Game *game) {
    StrBuf text = {0};
    EXPECT_OK(game_write(game, &text, err));
    return text.text;
}

/* Writes and reads the game, which must then have the same state and text. */
static void expect_same_after_file(const Game *game) {
    Game *read;
    char *text = written(game);
    EXPECT_OK(game_read(text, strlen(text), &read, err));
    char *again = written(read);
    EXPECT_TEXT(text, again);
    json_t *want = game_state(game, NULL), *got = game_state(read, NULL);
    if (!json_equal(want, got)) fail_msg("%s is read as another game", text);
    json_decref(want);
    json_decref(got);
    game_free(read);
    free(text);
    free(again);
}

TEST(files_keep_the_state) {
    static const char *const RULES[] = {"japanese", "chinese", "tromp-taylor", "aga",
                                        "koPOSITIONALscoreAREAtaxALLsui1"};
    Fault fault = {0};
    json_t *list = json_pack("[s,s]", "A4", "C1");
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        Game *game = game_started(RULES[i], 5, 0, COLOR_BLACK);
        expect_same_after_file(game);
        play_all(game, "C1");
        game_set_visits(game, 5);
        expect_same_after_file(game);
        play_all(game, DIVIDED + 3);
        expect_same_after_file(game);
        bool settled = !game_mark_dead(game, list, &fault);
        expect_same_after_file(game);
        EXPECT_TRUE(settled || !game_is_waiting(game));
        EXPECT_TRUE(game_agree(game, &fault));
        expect_same_after_file(game);
        EXPECT_TRUE(game_undo(game, &fault));
        EXPECT_TRUE(game_resign(game, &fault));
        expect_same_after_file(game);
        game_free(game);
    }
    Game *game = game_started("japanese", 9, 4, COLOR_WHITE);
    expect_same_after_file(game);
    play_all(game, "E5 A1 A2");
    expect_same_after_file(game);
    game_free(game);
    json_decref(list);
}

#define ROOT "(;FF[4]GM[1]SZ[5]PB[You]PW[Aji net]KM[6.5]RU[Japanese]"
#define FACTS "AJIG[{\"color\":\"B\",\"visits\":5,\"rules\":\"japanese\"}]"

/* A name has room for 63 bytes. A longer name is cut. The name that is left must stay the same when
 * the game is written and read again. */
TEST(long_names_are_cut_at_characters) {
    static const struct {
        const char *end, *kept;
    } ENDS[] = {{"xyz", "x"},           {" xyz", ""},     {"\u00ff", ""},
                {"  \u00ff\u00ff", ""}, {"x\u20ac", "x"}, {"\U0001f600", ""}};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char letters[63], text[512], wanted[80];
        Game *game;
        memset(letters, 'n', 62);
        letters[62] = 0;
        snprintf(text, sizeof text,
                 "(;FF[4]GM[1]CA[UTF-8]SZ[5]PB[%s%s]PW[Aji]KM[6.5]RU[Japanese]" FACTS ")", letters,
                 ENDS[i].end);
        snprintf(wanted, sizeof wanted, "%s%s", letters, ENDS[i].kept);
        EXPECT_OK(game_read(text, strlen(text), &game, err));
        json_t *state = game_state(game, NULL);
        EXPECT_TEXT(wanted, json_string_value(json_object_get(state, "black")));
        json_decref(state);
        expect_same_after_file(game);
        game_free(game);
    }
}

TEST(damaged_files_are_refused) {
    static const char *const BAD[] = {"",
                                      "(",
                                      "(;)",
                                      "nonsense",
                                      ROOT ")",
                                      ROOT "AJIG[]"
                                           ")",
                                      ROOT "AJIG[{}])",
                                      ROOT "AJIG[{\"color\":\"B\"}])",
                                      ROOT "AJIG[{\"color\":\"X\",\"visits\":5}])",
                                      ROOT "AJIG[{\"color\":\"B\",\"visits\":0}])",
                                      ROOT "AJIG[{\"color\":\"B\",\"visits\":1e300}])",
                                      ROOT "AJIG[[1,2\\]])",
                                      ROOT FACTS "AW[aa])",         /* white stones */
                                      ROOT FACTS ";W[aa])",         /* White begins */
                                      ROOT FACTS ";B[aa];B[bb])",   /* Black twice */
                                      ROOT FACTS ";B[aa];W[aa])",   /* occupied */
                                      ROOT FACTS ";B[zz])",         /* off the board */
                                      ROOT FACTS ";B[];W[];B[aa])", /* after the end */
                                      ROOT FACTS "RE[B+3.5])",      /* a score without passes */
                                      ROOT FACTS ";B[aa](;W[bb])(;W[cc])",  /* not closed */
                                      "(;FF[4]GM[1]SZ[5]KM[6.5]" FACTS ")", /* no rules */
                                      "(;FF[4]GM[1]SZ[5]KM[6.5]RU[Chess]" FACTS
                                      ")", /* unknown rules */
                                      "(;FF[4]GM[1]SZ[5]KM[6.3]RU[Japanese]" FACTS "RE[B+1])",
                                      "(;FF[4]GM[1]SZ[25]KM[6.5]RU[Japanese]" FACTS ")",
                                      "(;FF[4]GM[2]SZ[5]KM[6.5]RU[Japanese]" FACTS ")"};
    Game *game;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Error err = {0};
        if (!game_read(BAD[i], strlen(BAD[i]), &game, &err)) fail_msg("\"%s\" is read", BAD[i]);
        EXPECT_TRUE(*err.message && !game);
    }
    EXPECT_OK(game_read(ROOT FACTS ")", strlen(ROOT FACTS ")"), &game, err));
    play_all(game, DIVIDED);
    engine_says(game, OWNERSHIP);
    char *text = written(game);
    game_free(game);
    for (size_t length = 0; length + 2 < strlen(text); length++) {
        if (!game_read(text, length, &game, NULL)) fail_msg("%.*s is read", (int)length, text);
    }
    free(text);
}

TEST_MAIN(RUN(a_level_sets_the_search_and_the_choice), RUN(long_names_are_cut_at_characters),
          RUN(a_new_game_says_how_it_begins), RUN(impossible_games_are_refused),
          RUN(moves_change_the_board), RUN(forbidden_moves_are_refused_with_a_reason),
          RUN(undo_goes_back_to_the_turn_of_the_person), RUN(undo_takes_a_resignation_back),
          RUN(the_engine_resigns_lost_games), RUN(dead_stones_are_proposed_marked_and_agreed),
          RUN(territory_and_prisoners_are_counted), RUN(marks_of_the_person_are_not_overruled),
          RUN(rules_that_settle_dead_stones_ask_nobody), RUN(answers_without_sense_are_reported),
          RUN(the_engine_is_asked_for_this_position), RUN(files_keep_the_state),
          RUN(damaged_files_are_refused))
