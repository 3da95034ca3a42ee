/* Settings by name, by alias and in files: bounds, nearest names, quotes, included files, and
 * writing them as text. */
#include "base/settings.h"
#include "scratch.h"

typedef struct {
    int visits;
    int64_t seed;
    double c_puct;
    bool noise;
    char folder[SETTINGS_TEXT_SIZE];
    char long_text[SETTINGS_LONG_TEXT_SIZE];
    int mode;
} Search;

typedef struct {
    int visits, games;
} Match;

static const SettingsField SEARCH_FIELDS[] = {
    FIELD_INT(Search, visits, 800, 1, 1 << 24, "evaluations a move",
              .alias = "maxVisits|visitsMax"),
    FIELD_INT64(Search, seed, 1, 0, 9e15, "of everything random"),
    FIELD_DOUBLE(Search, c_puct, 1.1, 0.1, 10, "exploration weight", .source = "Silver et al. 2017",
                 .alias = "cpuctExploration"),
    FIELD_BOOL(Search, noise, true, "Dirichlet noise at the root"),
    FIELD_TEXT(Search, folder, "runs/one", "where files go"),
    FIELD_TEXT(Search, long_text, "", "a long text"),
    FIELD_CHOICE(Search, mode, 1, "puct|gumbel|both", "kind of root"),
    {0}};

static const SettingsField MATCH_FIELDS[] = {
    FIELD_INT(Match, visits, 100, 1, 1000, "of both players"),
    FIELD_INT(Match, games, 40, 0, 100000, "in all", .former = "rounds|number"),
    {0}};

typedef struct {
    Search search;
    Match match;
    SettingsGroup groups[3];
} All;

static void set_up(All *all) {
    memset(all, 0xee, sizeof *all);
    settings_defaults(SEARCH_FIELDS, &all->search);
    settings_defaults(MATCH_FIELDS, &all->match);
    all->groups[0] = (SettingsGroup){"search", SEARCH_FIELDS, &all->search};
    all->groups[1] = (SettingsGroup){"match", MATCH_FIELDS, &all->match};
    all->groups[2] = (SettingsGroup){0};
}

static void expect_refused(Status want, const char *assignment, const char *part) {
    All all, before;
    Error err = {0};
    set_up(&all);
    before = all;
    EXPECT_STATUS(want, settings_assign(all.groups, assignment, &err));
    EXPECT_CONTAINS(err.message, part);
    EXPECT_STATUS(want, settings_assign(all.groups, assignment, NULL));
    EXPECT_TRUE(memcmp(&before.search, &all.search, sizeof all.search) == 0);
    EXPECT_TRUE(memcmp(&before.match, &all.match, sizeof all.match) == 0);
}

static void assign(All *all, const char *assignment) {
    EXPECT_OK(settings_assign(all->groups, assignment, err));
}

TEST(defaults_are_the_tables) {
    All all;
    set_up(&all);
    EXPECT_INT(800, all.search.visits);
    EXPECT_INT(1, all.search.seed);
    EXPECT_NEAR(1.1, all.search.c_puct, 1e-6);
    EXPECT_TRUE(all.search.noise);
    EXPECT_TEXT("runs/one", all.search.folder);
    EXPECT_INT(1, all.search.mode);
    EXPECT_INT(40, all.match.games);
}

TEST(former_names_work_within_their_group) {
    All all;
    set_up(&all);
    assign(&all, "match.rounds=7");
    EXPECT_INT(7, all.match.games);
    assign(&all, "number=8");
    EXPECT_INT(8, all.match.games);
    expect_refused(ERR_ARGUMENT, "search.rounds=7", "there is no setting \"search.rounds\"");
    StrBuf text = {0};
    EXPECT_OK(settings_get(all.groups, "match.rounds", &text, err));
    EXPECT_TEXT("8", strbuf_text(&text));
    strbuf_clear(&text);
}

/* Older versions kept settings as floats, so their files have 0.100000001 for 0.1. */
TEST(numbers_that_were_rounded_to_float_are_restored) {
    All all;
    set_up(&all);
    assign(&all, "c_puct=0.100000001");
    EXPECT_TRUE(all.search.c_puct == 0.1);
    assign(&all, "c_puct=0.999000013");
    EXPECT_TRUE(all.search.c_puct == 0.999);
    assign(&all, "c_puct=0.99900001287460327"); /* 17 digits are meant as they are */
    EXPECT_TRUE(all.search.c_puct == (double)0.999f);
    assign(&all, "c_puct=0.10000001");
    EXPECT_TRUE(all.search.c_puct == 0.10000001);
    expect_refused(ERR_ARGUMENT, "c_puct=10.00001", "search.c_puct: 10.00001 is not within");
    expect_refused(ERR_ARGUMENT, "c_puct=0.0999999", "search.c_puct: 0.0999999 is not within");
}

/* These numbers, too, have the nine digits with which older versions wrote floats. But whole
 * numbers are never changed. */
TEST(whole_numbers_are_read_as_they_are) {
    typedef struct {
        double seconds;
    } Time;
    Time time;
    const SettingsField fields[] = {FIELD_DOUBLE(Time, seconds, 0, 0, 1e20, "time"), {0}};
    const SettingsGroup groups[] = {{"time", fields, &time}, {0}};
    EXPECT_OK(settings_set(groups, "time.seconds", "913715648", err));
    EXPECT_TRUE(time.seconds == 913715648);
    EXPECT_OK(settings_set(groups, "time.seconds", "123456792", err));
    EXPECT_TRUE(time.seconds == 123456792);
}

TEST(nine_digits_are_read_as_the_shortest_decimal_of_their_float) {
    typedef struct {
        double seconds;
    } Time;
    Time time;
    const SettingsField fields[] = {FIELD_DOUBLE(Time, seconds, 0, 0, 1e20, "time"), {0}};
    const SettingsGroup groups[] = {{"time", fields, &time}, {0}};
    EXPECT_OK(settings_set(groups, "time.seconds", "10.0000105", err));
    EXPECT_TRUE(time.seconds == 10.0000105);
    EXPECT_OK(settings_set(groups, "time.seconds", "16.0000019", err));
    EXPECT_TRUE(time.seconds == 16.000002);
    EXPECT_OK(settings_set(groups, "time.seconds", "0.100000001", err));
    EXPECT_TRUE(time.seconds == 0.1);
}

/* KataGo's settings allow this, too: there, BLACK, black, B and b are one value. */
TEST(choices_may_be_in_any_case_and_one_letter_long) {
    static const struct {
        const char *assignment;
        int mode;
    } CASES[] = {{"mode=PUCT", 0}, {"mode=Both", 2}, {"mode=g", 1}, {"mode=B", 2}};
    All all;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        set_up(&all);
        all.search.mode = -1;
        assign(&all, CASES[i].assignment);
        EXPECT_INT(CASES[i].mode, all.search.mode);
    }
    expect_refused(ERR_ARGUMENT, "search.mode=bo", "not one of");
    expect_refused(ERR_ARGUMENT, "search.mode=x", "not one of");
}

TEST(structs_are_checked_as_values_are) {
    All all;
    Error error = {0};
    set_up(&all);
    EXPECT_OK(settings_check(SEARCH_FIELDS, "search", &all.search, err));
    all.search.c_puct = (double)NAN;
    EXPECT_STATUS(ERR_ARGUMENT, settings_check(SEARCH_FIELDS, "search", &all.search, &error));
    EXPECT_CONTAINS(error.message, "search.c_puct is nan, wanted 0.1 to 10");
    all.search.c_puct = 1;
    all.search.visits = 0;
    EXPECT_STATUS(ERR_ARGUMENT, settings_check(SEARCH_FIELDS, "search", &all.search, &error));
    EXPECT_CONTAINS(error.message, "search.visits is 0, wanted 1 to 16777216");
}

TEST(every_type_is_set) {
    All all;
    set_up(&all);
    assign(&all, "search.visits=16777216");
    assign(&all, " search.seed = 8999999999999999 ");
    assign(&all, "search.c_puct=2.5e0");
    assign(&all, "search.noise=Off");
    assign(&all, "search.folder=a b=c");
    assign(&all, "search.mode=both");
    EXPECT_INT(16777216, all.search.visits);
    EXPECT_INT(8999999999999999, all.search.seed);
    EXPECT_NEAR(2.5, all.search.c_puct, 0);
    EXPECT_FALSE(all.search.noise);
    EXPECT_TEXT("a b=c", all.search.folder);
    EXPECT_INT(2, all.search.mode);
}

TEST(truth_has_many_words) {
    static const char *const YES[] = {"true", "YES", "1", "on", "t", "Enabled"},
                             *const NO[] = {"false", "no", "0", "OFF", "f", "disabled"};
    All all;
    set_up(&all);
    for (int i = 0; i < 6; i++) {
        all.search.noise = false;
        EXPECT_OK(settings_set(all.groups, "search.noise", YES[i], err));
        EXPECT_TRUE(all.search.noise);
        EXPECT_OK(settings_set(all.groups, "search.noise", NO[i], err));
        EXPECT_FALSE(all.search.noise);
    }
    expect_refused(ERR_SYNTAX, "search.noise=2", "not true or false");
    expect_refused(ERR_SYNTAX, "search.noise=", "not true or false");
    expect_refused(ERR_SYNTAX, "search.noise=true or so it seems to me", "not true or false");
}

TEST(names_may_be_short_or_katagos) {
    All all;
    set_up(&all);
    assign(&all, "games=7");
    EXPECT_INT(7, all.match.games);
    assign(&all, "maxVisits=9");
    EXPECT_INT(9, all.search.visits);
    assign(&all, "visitsMax=10");
    EXPECT_INT(10, all.search.visits);
    assign(&all, "match.visits=11");
    EXPECT_INT(11, all.match.visits);
    EXPECT_INT(10, all.search.visits);
    expect_refused(ERR_ARGUMENT, "visits=1", "the name of 2 settings");
    expect_refused(ERR_ARGUMENT, "maxVisits|visitsMax=1", "no setting");
    expect_refused(ERR_ARGUMENT, "search.=1", "no setting");
}

TEST(unknown_names_get_the_nearest) {
    expect_refused(ERR_ARGUMENT, "search.visit=1",
                   "\"search.visit\" here; did you mean search.visits?");
    expect_refused(ERR_ARGUMENT, "cpuct=1", "did you mean search.c_puct?");
    expect_refused(ERR_ARGUMENT, "match.gmaes=1", "did you mean match.games?");
    expect_refused(ERR_ARGUMENT, "SEARCH.NOISE=1", "did you mean search.noise?");
    expect_refused(ERR_ARGUMENT, "zzzzzzzz=1",
                   "there is no setting \"zzzzzzzz\" here; `aji settings`");
}

TEST(values_out_of_bounds_are_refused) {
    expect_refused(ERR_ARGUMENT, "search.visits=0", "search.visits: 0 is not within 1 to 16777216");
    expect_refused(ERR_ARGUMENT, "search.visits=16777217", "not within");
    expect_refused(ERR_ARGUMENT, "search.seed=-1", "search.seed: -1 is not within");
    expect_refused(ERR_ARGUMENT, "search.c_puct=10.1", "10.1 is not within 0.1 to 10");
    expect_refused(ERR_ARGUMENT, "search.c_puct=0.09", "not within");
    expect_refused(ERR_ARGUMENT, "search.mode=mcts", "not one of puct|gumbel|both");
    expect_refused(ERR_ARGUMENT, "search.mode=", "not one of");
    expect_refused(ERR_ARGUMENT, "search.mode=puct|gumbel", "not one of");
    All all;
    set_up(&all);
    assign(&all, "search.c_puct=0.1");
    assign(&all, "search.c_puct=10");
    assign(&all, "search.visits=1");
}

TEST(texts_that_are_no_numbers_are_refused) {
    expect_refused(ERR_SYNTAX, "search.visits=many", "\"many\" is not a whole number");
    expect_refused(ERR_SYNTAX, "search.visits=1.5", "whole number");
    expect_refused(ERR_SYNTAX, "search.visits=", "whole number");
    expect_refused(ERR_ARGUMENT, "search.visits=99999999999999999999", "is not within");
    expect_refused(ERR_SYNTAX, "search.c_puct=nan", "not a number");
    expect_refused(ERR_SYNTAX, "search.c_puct=inf", "not a number");
    expect_refused(ERR_SYNTAX, "search.c_puct=1e999", "not a number");
    expect_refused(ERR_SYNTAX, "search.c_puct=1.1x", "not a number");
}

TEST(texts_that_are_no_assignments_are_refused) {
    expect_refused(ERR_SYNTAX, "search.visits", "is not key = value");
    expect_refused(ERR_SYNTAX, "", "is not key = value");
    expect_refused(ERR_SYNTAX, "=5", "no name before");
    expect_refused(ERR_SYNTAX, "search.folder=\"open", "not closed");
    expect_refused(ERR_SYNTAX, "search.folder=\"a\" b", "not closed");
    expect_refused(ERR_SYNTAX, "search.folder=\"", "not closed");
}

TEST(texts_have_a_maximum_length) {
    char line[9000];
    All all;
    set_up(&all);
    snprintf(line, sizeof line, "search.folder=%0255d", 0);
    assign(&all, line);
    EXPECT_INT(255, strlen(all.search.folder));
    snprintf(line, sizeof line, "search.folder=%0256d", 0);
    expect_refused(ERR_ARGUMENT, line, "longer than 255");
    snprintf(line, sizeof line, "search.long_text=%04095d", 0);
    assign(&all, line);
    EXPECT_INT(4095, strlen(all.search.long_text));
    snprintf(line, sizeof line, "search.long_text=%04096d", 0);
    expect_refused(ERR_ARGUMENT, line, "search.long_text: the text is longer than 4095 characters");
    snprintf(line, sizeof line, "search.folder=%08300d", 0);
    expect_refused(ERR_SYNTAX, line,
                   "the value of search.folder is too long: more than 8193 characters");
    snprintf(line, sizeof line, "%0200d=1", 0);
    expect_refused(ERR_SYNTAX, line, "no name");
    expect_refused(ERR_ARGUMENT, "search.folder=a\nb", "line breaks");
}

static void parse(All *all, const char *text) {
    EXPECT_OK(settings_parse(all->groups, text, "test.cfg", err));
}

TEST(files_have_comments_blanks_and_quotes) {
    All all;
    set_up(&all);
    parse(&all, "# all of it\n\n  search.visits = 5 # few\r\n\tgames=3\n"
                "search.folder = \" a # \\\"b\\\" \\\\ \" # not this\nsearch.noise=no");
    EXPECT_INT(5, all.search.visits);
    EXPECT_INT(3, all.match.games);
    EXPECT_TEXT(" a # \"b\" \\ ", all.search.folder);
    EXPECT_FALSE(all.search.noise);
    parse(&all, "");
    parse(&all, "\n\n#");
    parse(&all, "games=1\ngames=2");
    EXPECT_INT(2, all.match.games); /* the last value counts */
}

TEST(notes_include_no_files) {
    All all;
    Error err;
    set_up(&all);
    EXPECT_STATUS(OK, settings_parse_note(all.groups, "games=2", "the note", &err));
    EXPECT_INT(2, all.match.games);
    EXPECT_STATUS(ERR_SYNTAX,
                  settings_parse_note(all.groups, "games=1\n@include /dev/null", "the note", &err));
    EXPECT_TEXT("the note:2: @include is not allowed here", err.message);
}

TEST(faults_in_files_have_their_line) {
    All all;
    Error err;
    char text[9000];
    set_up(&all);
    EXPECT_STATUS(ERR_ARGUMENT,
                  settings_parse(all.groups, "games=1\n\nsearch.visits = 0\n", "my.cfg", &err));
    EXPECT_CONTAINS(err.message, "my.cfg:3: search.visits: 0 is not within");
    EXPECT_STATUS(ERR_SYNTAX, settings_parse(all.groups, "what is this", "my.cfg", &err));
    EXPECT_CONTAINS(err.message, "my.cfg:1: ");
    snprintf(text, sizeof text, "games=1\nsearch.folder = %08500d\n", 0);
    EXPECT_STATUS(ERR_SYNTAX, settings_parse(all.groups, text, "my.cfg", &err));
    EXPECT_CONTAINS(err.message, "my.cfg:2: the line is too long");
    EXPECT_STATUS(ERR_SYNTAX, settings_parse(all.groups, "@include  # none", "my.cfg", &err));
    EXPECT_CONTAINS(err.message, "my.cfg:1: @include needs a file name");
    EXPECT_STATUS(ERR_ARGUMENT, settings_parse(all.groups, "@includes=1", "my.cfg", &err));
    EXPECT_CONTAINS(err.message, "there is no setting \"@includes\"");
}

TEST(files_include_files_beside_them) {
    Scratch scratch = scratch_new();
    All all;
    set_up(&all);
    scratch_file(&scratch, "base.cfg", "games = 8\nsearch.visits = 8\n", 28);
    Path top = scratch_file(&scratch, "top.cfg", "@include base.cfg\nsearch.visits = 9\n", 36);
    EXPECT_OK(settings_load(all.groups, top.text, err));
    EXPECT_INT(8, all.match.games);
    EXPECT_INT(9, all.search.visits);
    Error err;
    Path loop = scratch_file(&scratch, "loop.cfg", "@include loop.cfg\n", 18);
    EXPECT_STATUS(ERR_SYNTAX, settings_load(all.groups, loop.text, &err));
    Path gone = scratch_file(&scratch, "gone.cfg", "games=1\n@include nowhere.cfg\n", 29);
    EXPECT_STATUS(ERR_IO, settings_load(all.groups, gone.text, &err));
    EXPECT_CONTAINS(err.message, "gone.cfg:2: ");
    EXPECT_CONTAINS(err.message, "nowhere.cfg");
    Path bytes = scratch_file(&scratch, "net.aji", "games=1\0\1\2", 10);
    EXPECT_STATUS(ERR_SYNTAX, settings_load(all.groups, bytes.text, &err));
    EXPECT_CONTAINS(err.message, "not a text file");
    EXPECT_STATUS(ERR_IO, settings_load(all.groups, scratch.path, &err));
    scratch_remove(&scratch);
}

/* Each of three files includes the next one ten times. So 1.cfg includes 110 files, and 0.cfg
 * 1,110. */
TEST(the_number_of_included_files_is_limited) {
    All all;
    Error err = {0};
    Scratch scratch = scratch_new();
    char names[4][16];
    set_up(&all);
    for (int i = 0; i < 4; i++) {
        char text[400] = "";
        snprintf(names[i], sizeof names[i], "%d.cfg", i);
        for (int k = 0; k < 10 && i < 3; k++)
            sprintf(text + strlen(text), "@include %d.cfg\n", i + 1);
        scratch_file(&scratch, names[i], text, strlen(text));
    }
    EXPECT_STATUS(OK, settings_load(all.groups, scratch_path(&scratch, names[1]).text, &err));
    EXPECT_STATUS(ERR_SYNTAX,
                  settings_load(all.groups, scratch_path(&scratch, names[0]).text, &err));
    EXPECT_CONTAINS(err.message, "more than 1000 files are included");
    scratch_remove(&scratch);
}

TEST(what_is_written_reads_back) {
    All all, again;
    StrBuf first = {0}, second = {0};
    set_up(&all);
    set_up(&again);
    all.search = (Search){.visits = 77, .seed = 8765432109876543, .c_puct = 1 / 3.0, .mode = 2};
    memset(all.search.folder, '"', SETTINGS_TEXT_SIZE - 1); /* every character is escaped */
    memcpy(all.search.folder, " \\# ", 4);
    memset(all.search.long_text, '\\', SETTINGS_LONG_TEXT_SIZE - 1);
    settings_write(all.groups, &first);
    parse(&again, strbuf_text(&first));
    settings_write(again.groups, &second);
    EXPECT_TEXT(strbuf_text(&first), strbuf_text(&second));
    EXPECT_INT(8765432109876543, again.search.seed);
    EXPECT_TRUE(again.search.c_puct == 1 / 3.0);
    EXPECT_TEXT(all.search.folder, again.search.folder);
    EXPECT_TEXT(all.search.long_text, again.search.long_text);
    EXPECT_INT(2, again.search.mode);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

TEST(single_values_can_be_read) {
    All all;
    Error err;
    StrBuf value = {0};
    set_up(&all);
    EXPECT_STATUS(OK, settings_get(all.groups, "mode", &value, &err));
    EXPECT_TEXT("gumbel", strbuf_text(&value));
    strbuf_reset(&value);
    EXPECT_STATUS(OK, settings_get(all.groups, "maxVisits", &value, &err));
    EXPECT_TEXT("800", strbuf_text(&value));
    EXPECT_STATUS(ERR_ARGUMENT, settings_get(all.groups, "search.vists", &value, &err));
    EXPECT_CONTAINS(err.message, "did you mean search.visits?");
    strbuf_reset(&value);
    EXPECT_STATUS(OK, settings_set(all.groups, "search.folder", "a \"b\" # c", &err));
    EXPECT_STATUS(OK, settings_get(all.groups, "search.folder", &value, &err));
    EXPECT_TEXT("a \"b\" # c", strbuf_text(&value)); /* as it was set */
    strbuf_clear(&value);
}

/* Compares a field of each type: first all values are equal, then all differ. */
TEST(single_fields_are_compared) {
    Search a, b;
    settings_defaults(SEARCH_FIELDS, &a);
    memset(&b, 0xff, sizeof b); /* bytes between the fields do not matter */
    settings_defaults(SEARCH_FIELDS, &b);
    for (const SettingsField *field = SEARCH_FIELDS; field->name; field++)
        EXPECT_TRUE(settings_same(field, &a, &b));
    b = (Search){.visits = 801, .seed = a.seed + ((int64_t)1 << 40), .c_puct = 1.2, .mode = 2};
    snprintf(b.folder, sizeof b.folder, "runs/two");
    snprintf(b.long_text, sizeof b.long_text, "x");
    for (const SettingsField *field = SEARCH_FIELDS; field->name; field++)
        EXPECT_FALSE(settings_same(field, &a, &b));
}

TEST(what_is_only_described_cannot_be_set) {
    Error err;
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, NULL}, {0}};
    StrBuf out = {0};
    EXPECT_STATUS(ERR_ARGUMENT, settings_set(groups, "search.visits", "5", &err));
    EXPECT_CONTAINS(err.message, "cannot be set here");
    settings_write(groups, &out);
    EXPECT_TEXT("", strbuf_text(&out));
    strbuf_clear(&out);
}

static void expect_duration(double want, const char *text) {
    double seconds = -1;
    EXPECT_OK(parse_duration(text, "--time", &seconds, err));
    EXPECT_NEAR(want, seconds, 1e-9);
}

TEST(durations_have_units) {
    static const char *const WRONG[] = {"",    "x",   "10x", "-5",    "5m-3s", "h",
                                        "1h ", "inf", "nan", "1e999", "1e308h"};
    expect_duration(90, "90");
    expect_duration(90, "90s");
    expect_duration(600, "10m");
    expect_duration(5400, "1h30m");
    expect_duration(0.25, "0.25");
    expect_duration(3661.5, "1h1m1.5s");
    expect_duration(0, "0");
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        double seconds = -1;
        Error err = {0};
        EXPECT_STATUS(ERR_SYNTAX, parse_duration(WRONG[i], "--time", &seconds, &err));
        EXPECT_CONTAINS(err.message, "--time: ");
        EXPECT_NEAR(-1, seconds, 0);
    }
}

TEST(whole_numbers_reach_the_ends_of_their_type) {
    long long value = 0;
    EXPECT_OK(parse_int("9223372036854775807", "n", INT64_MIN, INT64_MAX, &value, err));
    EXPECT_TRUE(value == INT64_MAX);
    EXPECT_OK(parse_int("-9223372036854775808", "n", INT64_MIN, INT64_MAX, &value, err));
    EXPECT_TRUE(value == INT64_MIN);
    Error fault;
    EXPECT_STATUS(ERR_ARGUMENT, parse_int("9223372036854775808", "n", 0, 9, &value, &fault));
    EXPECT_TEXT("n: 9223372036854775808 is not within 0 to 9", fault.message);
    EXPECT_STATUS(ERR_SYNTAX, parse_int("0x10", "n", 0, 100, &value, NULL));
    EXPECT_TRUE(value == INT64_MIN); /* unchanged */
}

TEST(whole_numbers_are_written_with_all_digits) {
    EXPECT_TEXT("1125899906842624", number_text(1125899906842624.0).text);
    EXPECT_TEXT("9000000000000000", number_text(9e15).text);
    EXPECT_TEXT("-1000000", number_text(-1e6).text);
    EXPECT_TEXT("0", number_text(-0.0).text);
    EXPECT_TEXT("1e+20", number_text(1e20).text);
    EXPECT_TEXT("0.25", number_text(0.25).text);
    EXPECT_TEXT("0.100000001", number_text((double)0.1f).text);
}

TEST(nearest_words_are_near) {
    static const char *const WORDS[] = {"selfplay", "train", "gate", "match"};
    EXPECT_TEXT("selfplay", nearest_word("self-play", WORDS, 4));
    EXPECT_TEXT("train", nearest_word("TRIAN", WORDS, 4));
    EXPECT_TEXT("gate", nearest_word("gates", WORDS, 4));
    EXPECT_TEXT("gtp", nearest_word("gpt", (const char *const[]){"gate", "gtp"}, 2));
    EXPECT_TRUE(nearest_word("xyzzyxyzzy", WORDS, 4) == NULL);
    EXPECT_TRUE(nearest_word("", WORDS, 4) == NULL);
    EXPECT_TRUE(nearest_word("gate", WORDS, 0) == NULL);
    char words[400];
    memset(words, 'a', sizeof words);
    words[sizeof words - 1] = 0;
    EXPECT_TRUE(nearest_word(words, WORDS, 4) == NULL);
}

TEST_MAIN(RUN(defaults_are_the_tables), RUN(every_type_is_set),
          RUN(former_names_work_within_their_group),
          RUN(numbers_that_were_rounded_to_float_are_restored),
          RUN(whole_numbers_are_read_as_they_are),
          RUN(nine_digits_are_read_as_the_shortest_decimal_of_their_float),
          RUN(choices_may_be_in_any_case_and_one_letter_long),
          RUN(structs_are_checked_as_values_are), RUN(truth_has_many_words),
          RUN(names_may_be_short_or_katagos), RUN(unknown_names_get_the_nearest),
          RUN(values_out_of_bounds_are_refused), RUN(texts_that_are_no_numbers_are_refused),
          RUN(texts_that_are_no_assignments_are_refused), RUN(texts_have_a_maximum_length),
          RUN(files_have_comments_blanks_and_quotes), RUN(notes_include_no_files),
          RUN(faults_in_files_have_their_line), RUN(files_include_files_beside_them),
          RUN(the_number_of_included_files_is_limited), RUN(what_is_written_reads_back),
          RUN(single_values_can_be_read), RUN(single_fields_are_compared),
          RUN(what_is_only_described_cannot_be_set), RUN(durations_have_units),
          RUN(whole_numbers_reach_the_ends_of_their_type),
          RUN(whole_numbers_are_written_with_all_digits), RUN(nearest_words_are_near))
