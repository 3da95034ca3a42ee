/* Flags, values and words of a command, and what is printed for --help and for mistakes. */
#include "base/options/options.h"
#include "scratch.h"

typedef struct {
    bool json;
    const char *net;
    int games;
    double rate, time;
    int visits; /* a setting */
    const char *words[3];
    int word_count;
    OptionsResult result;
    char printed[4000], complained[2000];
} Call;

static const SettingsField FIELDS[] = {FIELD_INT(Call, visits, 100, 1, 1000, "evaluations a move"),
                                       {0}};

/* Reads what was written to `file`, and closes it. */
static void take_text(FILE *file, char *out, size_t size) {
    rewind(file);
    size_t length = fread(out, 1, size - 1, file);
    out[length] = 0;
    fclose(file);
}

/* Parses while stdout and stderr go to files, and keeps what was printed. */
static void parse(Call *call, const Option *options, const SettingsGroup *settings, int argc,
                  char **argv) {
    const CommandUsage usage = {.name = "match",
                                .synopsis = "aji match [--games N] NAME [NAME]",
                                .summary = "plays games",
                                .details = "An example.",
                                .options = options,
                                .settings = settings,
                                .min_words = 1,
                                .max_words = 3};
    FILE *out = tmpfile(), *complaint = tmpfile();
    EXPECT_TRUE(out && complaint);
    fflush(stdout);
    fflush(stderr);
    int kept[2] = {dup(1), dup(2)};
    dup2(fileno(out), 1);
    dup2(fileno(complaint), 2);
    call->result = options_parse(&usage, argc, argv, call->words, &call->word_count);
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], i + 1);
        close(kept[i]);
    }
    take_text(out, call->printed, sizeof call->printed);
    take_text(complaint, call->complained, sizeof call->complained);
}

/* Parses the words of `line`, which are separated by blanks. */
static Call called(const char *line) {
    static char copy[1100];
    static char name[] = "match";
    char *argv[40] = {name};
    int argc = 1;
    Call call = {.net = "none", .games = 4, .rate = 0.5, .visits = 100};
    const Option options[] = {{"json", OPTION_FLAG, &call.json, 0, 0, NULL, "as JSON"},
                              {"net", OPTION_TEXT, &call.net, 0, 0, "FILE", "the net"},
                              {"games", OPTION_INT, &call.games, 1, 100, "N", "how many"},
                              {"rate", OPTION_NUMBER, &call.rate, 0, 1, "P", "fraction of games"},
                              {"time", OPTION_DURATION, &call.time, 0, 0, "T", "at most"},
                              {0}};
    const SettingsGroup settings[] = {{"search", FIELDS, &call}, {0}};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = copy; *word;) {
        size_t span = strcspn(word, " ");
        argv[argc++] = word;
        word += span + (word[span] == ' ');
        word[-1] = word[-1] == ' ' ? 0 : word[-1];
    }
    parse(&call, options, settings, argc, argv);
    return call;
}

static void expect_wrong(const char *line, const char *part) {
    Call call = called(line);
    EXPECT_INT(OPTIONS_WRONG, call.result);
    EXPECT_CONTAINS(call.complained, part);
    EXPECT_CONTAINS(call.complained, "aji match: ");
    EXPECT_CONTAINS(call.complained, "`aji match --help` shows how it is used.");
    EXPECT_TEXT("", call.printed);
}

TEST(flags_values_and_words) {
    Call call = called("one --json --net a.aji --games=7 two --rate 0.25 --time 1h30m");
    EXPECT_INT(OPTIONS_RUN, call.result);
    EXPECT_TRUE(call.json);
    EXPECT_TEXT("a.aji", call.net);
    EXPECT_INT(7, call.games);
    EXPECT_NEAR(0.25, call.rate, 0);
    EXPECT_NEAR(5400, call.time, 0);
    EXPECT_INT(2, call.word_count);
    EXPECT_TEXT("one", call.words[0]);
    EXPECT_TEXT("two", call.words[1]);
    EXPECT_TEXT("", call.complained);
    EXPECT_TEXT("", call.printed);
}

TEST(what_is_not_given_stays) {
    Call call = called("one");
    EXPECT_INT(OPTIONS_RUN, call.result);
    EXPECT_FALSE(call.json);
    EXPECT_TEXT("none", call.net);
    EXPECT_INT(4, call.games);
    EXPECT_INT(100, call.visits);
}

TEST(values_may_be_empty_hold_signs_or_look_like_flags) {
    EXPECT_TEXT("", called("one --net=").net);
    EXPECT_TEXT("a=b", called("one --net=a=b").net);
    EXPECT_TEXT("--json", called("one --net --json").net);
    Call call = called("-5 - -- --json");
    EXPECT_INT(OPTIONS_RUN, call.result);
    EXPECT_FALSE(call.json);
    EXPECT_INT(3, call.word_count);
    EXPECT_TEXT("-5", call.words[0]);
    EXPECT_TEXT("-", call.words[1]);
    EXPECT_TEXT("--json", call.words[2]);
}

TEST(mistakes_are_reported) {
    expect_wrong("one --games 0", "--games: 0 is not within 1 to 100");
    expect_wrong("one --games=x", "--games: \"x\" is not a whole number");
    expect_wrong("one --rate 1.5", "--rate: 1.5 is not within 0 to 1");
    expect_wrong("one --rate nan", "--rate: \"nan\" is not a number");
    expect_wrong("one --time never", "--time: \"never\" is not a time");
    expect_wrong("one --games", "--games needs a value");
    expect_wrong("one --json=yes", "--json takes no value");
    expect_wrong("one two three four", "\"four\" is one word too many");
    expect_wrong("--json", "missing");
    expect_wrong("one -g 5", "unknown option \"-g\"; options have two dashes");
}

TEST(unknown_options_get_the_nearest) {
    expect_wrong("one --gamse 5", "unknown option \"--gamse\"; did you mean --games?");
    expect_wrong("one --confg=a/long/path/to/some/file.cfg",
                 "unknown option \"--confg\"; did you mean --config?");
    expect_wrong("one --hlep", "did you mean --help?");
    expect_wrong("one --game", "did you mean --games?"); /* a shortened name is not accepted */
    expect_wrong("one --xyzzyx", "unknown option \"--xyzzyx\"\n");
    expect_wrong("one --=5", "unknown option");
}

TEST(settings_come_by_set_and_by_file) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "my.cfg", "search.visits=7\n", 16);
    char line[1100];
    EXPECT_INT(9, called("one --set search.visits=9").visits);
    EXPECT_INT(10, called("one --set=visits=10").visits);
    snprintf(line, sizeof line, "one --set visits=9 --config %s", path.text);
    EXPECT_INT(9, called(line).visits); /* files are read first, wherever they stand */
    snprintf(line, sizeof line, "one --config=%s", path.text);
    EXPECT_INT(7, called(line).visits);
    expect_wrong("one --set visits=0", "search.visits: 0 is not within 1 to 1000");
    expect_wrong("one --set vists=5", "did you mean search.visits?");
    expect_wrong("one --set", "--set needs a value");
    expect_wrong("one --config /nowhere/my.cfg", "/nowhere/my.cfg");
    scratch_remove(&scratch);
}

TEST(help_is_made_from_the_table) {
    static const char *const LINES[] = {"--help", "-h", "one --games 5 --help",
                                        "--help --nonsense"};
    for (int i = 0; i < 4; i++) {
        Call call = called(LINES[i]);
        EXPECT_INT(OPTIONS_HELP, call.result);
        EXPECT_TEXT("", call.complained);
        EXPECT_CONTAINS(call.printed, "plays games\n");
        EXPECT_CONTAINS(call.printed, "aji match [--games N] NAME [NAME]");
        EXPECT_CONTAINS(call.printed, "--games N ");
        EXPECT_CONTAINS(call.printed, "how many");
        EXPECT_CONTAINS(call.printed, "--set KEY=VALUE");
        EXPECT_CONTAINS(call.printed, "search.*");
        EXPECT_CONTAINS(call.printed, "An example.");
    }
}

TEST(commands_without_settings_know_no_set) {
    Call call = {0};
    const Option options[] = {{0}};
    char words[4][8] = {"match", "one", "--set", "a=b"}, flag[] = "--help";
    char *argv[] = {words[0], words[1], words[2], words[3]}, *help[] = {words[0], flag};
    parse(&call, options, NULL, 4, argv);
    EXPECT_INT(OPTIONS_WRONG, call.result);
    EXPECT_CONTAINS(call.complained, "unknown option \"--set\"");
    EXPECT_TRUE(!strstr(call.complained, "mean --set"));
    parse(&call, options, NULL, 2, help);
    EXPECT_TRUE(!strstr(call.printed, "--set"));
}

TEST_MAIN(RUN(flags_values_and_words), RUN(what_is_not_given_stays),
          RUN(values_may_be_empty_hold_signs_or_look_like_flags), RUN(mistakes_are_reported),
          RUN(unknown_options_get_the_nearest), RUN(settings_come_by_set_and_by_file),
          RUN(help_is_made_from_the_table), RUN(commands_without_settings_know_no_set))
