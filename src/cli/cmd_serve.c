#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system_random.h"
#include "build_info.h"
#include "cli/commands.h"
#include "cli/engine/engine_command.h"
#include "cli/engine/serve_nets.h"
#include "cli/terminal/open_page.h"
#include "cli/terminal/own_address.h"
#include "run/store/run_directory.h"

extern const char cmd_serve_summary[];
int cmd_serve(int argc, char **argv);
const char cmd_serve_summary[] =
    "serves a page to play and review in a browser, and analysis in JSON to other programs";

static const char DETAILS[] =
    "To play and review games, open the printed address in a browser. (`aji doctor` says "
    "whether this build has the page.) A program opens a WebSocket at "
    "ws://ADDRESS:PORT/ws/analysis and sends queries of KataGo's analysis engine; "
    "docs/ANALYSIS.md describes the fields. Several clients may be connected: they take turns. "
    "Only programs and pages of this machine can connect, unless --listen names an address that "
    "other machines can reach. Then clients must also know the token, which is part of the "
    "address that is printed at the start. Ctrl-C ends the server. Each NET is a file, the "
    "folder of a run, which stands for its best net, or a folder with nets. The first net is "
    "loaded at the start, and every other net when a client first uses it. Clients that name no "
    "net get the first net; the page takes the first net that is meant for the board. Without NET "
    "the nets are those of the folder nets/, or those that came with the program, and the net for "
    "the largest board is the first.\n"
    "  aji serve RUN\n"
    "  aji serve nets/9x9-b5c48.aji nets/13x13-b5c48.aji\n"
    "  aji serve NET --listen 0.0.0.0 --port 9000 --token-file token.txt\n"
    "  aji serve NET --listen 0.0.0.0 --cert cert.pem --key key.pem";

enum {
    DEFAULT_PORT = 8080,
    PORTS_TRIED = 10,
    MESSAGE_BYTES_MAX = 1 << 20,
    TOKEN_BYTES = 16,
    TOKEN_FILE_MAX = 128,
    NETS_NAMED_MAX = 256
};
static const double SILENT_SECONDS_MAX = 30, KEEP_ALIVE_SECONDS = 15;

typedef struct {
    AnalysisNets nets; /* the settings of all engines */
    ServeNets list;
    RunRoots runs;
    const char *runs_folder; /* NULL: not given */
    ResignSettings resign;   /* when the engine resigns in games */
    const char *listen, *hosts, *origins, *token_file, *games, *certificate, *key;
    Path games_folder;
    char token[TOKEN_FILE_MAX + 1]; /* empty: none is needed */
    int port;                       /* -1 if not given */
    int clients_max, nets_max, visits_max;
    bool read_only; /* shows runs only */
    bool opens;     /* opens the page in a browser */
} Serve;

static const KatagoOption KATAGO_OPTIONS[] = {{"-model", "--net"},
                                              {"-human-model", "--human-net"},
                                              {"-config", KATAGO_CONFIG},
                                              {"-override-config", KATAGO_OVERRIDE},
                                              {0}};

static Status read_token(Serve *serve, Error *err) {
    Arena arena = {0};
    char *text = NULL;
    size_t length = 0;
    Status status = file_read(serve->token_file, TOKEN_FILE_MAX, &arena, &text, &length, err);
    if (!status) {
        length = strcspn(text, "\r\n");
        text[length] = 0;
        if (length < TOKEN_BYTES || strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz"
                                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != length)
            status =
                fail(err, ERR_ARGUMENT, "%s: a token has at least %d letters, digits, '-' and '_'",
                     serve->token_file, (int)TOKEN_BYTES);
        else
            snprintf(serve->token, sizeof serve->token, "%s", text);
    }
    arena_clear(&arena);
    return status;
}

/* If other machines can connect, clients always need a token. Otherwise they need one only if the
 * user gives one. */
static Status find_token(Serve *serve, Error *err) {
    if (serve->token_file) return read_token(serve, err);
    if (access_is_loopback(serve->listen)) return OK;
    return system_random_hex(serve->token, TOKEN_BYTES, err);
}

/* Finds the folder of games. If the user names none, it is where the XDG Base Directory
 * Specification puts the data of a user. */
static Status find_games(Serve *serve, Error *err) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    Path path;
    if (serve->games) {
        if (file_exists(serve->games) && !file_is_directory(serve->games))
            return fail(err, ERR_ARGUMENT, "--games: %s is a file, a folder is wanted",
                        serve->games);
        int length = snprintf(serve->games_folder.text, sizeof path.text, "%s", serve->games);
        return length < (int)sizeof path.text
                   ? OK
                   : fail(err, ERR_ARGUMENT, "the name of the folder of games is too long");
    }
    if (data && *data == '/') return path_join(&serve->games_folder, data, "aji/games", err);
    if (!home || !*home)
        return fail(err, ERR_ARGUMENT, "there is no home folder for games; name one by --games");
    Status status = path_join(&path, home, ".local/share", err);
    return status ? status : path_join(&serve->games_folder, path.text, "aji/games", err);
}

typedef struct {
    char text[512];
} Url;

/* The address of the page, if the server has this address in numbers. */
static Url page_url(const Serve *serve, const Server *server, const char *host) {
    Url url;
    bool six = strchr(host, ':') != NULL;
    snprintf(url.text, sizeof url.text, "http%s://%s%.200s%s:%d/%s%s",
             serve->certificate ? "s" : "", six ? "[" : "", host, six ? "]" : "",
             server_port(server), *serve->token ? "?token=" : "", serve->token);
    return url;
}

/* Prints the addresses of the page. With --listen 0.0.0.0 or :: the server has all addresses of
 * this machine. Then the first one that is printed is for this machine itself. */
static void print_start(const Serve *serve, const Server *server) {
    bool six = strcmp(serve->listen, "::") == 0, all = six || strcmp(serve->listen, "0.0.0.0") == 0;
    const char *here = six ? "::1" : "127.0.0.1";
    Url url = page_url(serve, server, all ? here : serve->listen);
    OwnAddress others[OWN_ADDRESSES_MAX];
    Error err = {0};
    printf("%s\n", url.text);
    int count = all ? own_addresses(six, others) : 0;
    for (int i = 0; i < count; i++)
        printf("On other machines: %s\n", page_url(serve, server, others[i].text).text);
    if (all && !count)
        printf("On other machines, write an address of this machine in place of %s.\n", here);
    if (*serve->token) printf("Anyone who knows this address can use this engine.\n");
    fflush(stdout);
    if (serve->opens && open_page(url.text, &err)) fprintf(stderr, "aji serve: %s\n", err.message);
}

static Status run(Serve *serve, Error *err) {
    Server *server;
    const AnalysisNets *nets = &serve->nets;
    const ServerSetup setup = {
        .nets = serve->list.nets,
        .net_count = serve->list.count,
        .nets_max = serve->nets_max,
        .source = serve_nets_source(nets),
        .version = BUILD_VERSION,
        .revision = BUILD_REVISION,
        .threads = analysis_nets_threads(nets),
        .visits_max = serve->visits_max,
        .read_only = serve->read_only,
        .runs = &serve->runs,
        .games = serve->games_folder.text,
        .search = &nets->setup.search,
        .resign = &serve->resign,
        .keep_alive_seconds = KEEP_ALIVE_SECONDS,
        .listener = {.address = serve->listen,
                     .port = serve->port >= 0 ? serve->port : DEFAULT_PORT,
                     .ports = serve->port >= 0 ? 1 : PORTS_TRIED,
                     .access = {.hosts = serve->hosts,
                                .origins = serve->origins,
                                .token = *serve->token ? serve->token : NULL},
                     .certificate = serve->certificate,
                     .key = serve->key,
                     .clients_max = serve->clients_max,
                     .message_bytes_max = MESSAGE_BYTES_MAX,
                     .silent_seconds_max = SILENT_SECONDS_MAX}};
    Status status = server_new(&setup, &server, err);
    if (status) return status;
    print_start(serve, server);
    status = server_run(server, err);
    server_free(server);
    return status;
}

/* Lists the net of --net and those of the words. */
static Status find_nets(Serve *serve, const char **words, int count, Error *err) {
    const char *all[NETS_NAMED_MAX + 1];
    int named = 0;
    if (serve->nets.net_path) all[named++] = serve->nets.net_path;
    for (int i = 0; i < count; i++)
        all[named++] = words[i];
    return serve_nets_find(all, named, &serve->list, err);
}

/* The runs are those in the folder of --runs. Without --runs they are the runs that were given as
 * nets, and the runs beside these. */
static Status find_runs(Serve *serve, const char **words, int count, Error *err) {
    if (serve->runs_folder) {
        if (!file_is_directory(serve->runs_folder))
            return fail(err, ERR_ARGUMENT, "there is no folder %s", serve->runs_folder);
        runs_add_root(&serve->runs, serve->runs_folder);
        return OK;
    }
    for (int i = 0; i < count; i++) {
        Path above;
        if (!file_is_directory(words[i]) || !run_directory_has_begun(words[i])) continue;
        runs_add_root(&serve->runs, words[i]);
        if (!path_join(&above, words[i], "..", NULL)) runs_add_root(&serve->runs, above.text);
    }
    return OK;
}

static Status find_all_and_run(Serve *serve, const char **words, int count, Error *err) {
    enum { EXTRA_POSITIONS = 3 }; /* of each thread, see AnalysisSetup */
    serve->nets.setup.visits_max = serve->visits_max;
    serve->nets.setup.extra_positions = EXTRA_POSITIONS;
    if (!serve->certificate != !serve->key)
        return fail(err, ERR_ARGUMENT, "TLS needs both --cert and --key; %s is missing",
                    serve->key ? "--cert" : "--key");
    if (!access_is_address(serve->listen))
        return fail(err, ERR_ARGUMENT,
                    "--listen: \"%.60s\" is no address in numbers, such as 127.0.0.1 or 0.0.0.0",
                    serve->listen);
    Status status = find_token(serve, err);
    if (!status) status = find_games(serve, err);
    if (!status) status = find_nets(serve, words, count, err);
    if (!status) status = find_runs(serve, words, count, err);
    if (!status) status = run(serve, err);
    serve_nets_clear(&serve->list);
    return status;
}

enum { SERVE_OPTIONS = 15 };

static void serve_options(Serve *serve, Option options[SERVE_OPTIONS]) {
    const Option all[SERVE_OPTIONS] = {
        {"port", OPTION_INT, &serve->port, 0, 65535, "N",
         "port; 0: any free one (default: 8080, or the first free one of the next nine)"},
        {"listen", OPTION_TEXT, &serve->listen, 0, 0, "ADDRESS",
         "address to listen on, in numbers; 0.0.0.0: all addresses of this machine (default "
         "127.0.0.1)"},
        {"allow-host", OPTION_TEXT, &serve->hosts, 0, 0, "NAMES",
         "names of this machine that clients may use, separated by commas (default: localhost "
         "and addresses in numbers)"},
        {"allow-origin", OPTION_TEXT, &serve->origins, 0, 0, "SITES",
         "HOST:PORT of other sites whose pages may use the server, separated by commas"},
        {"token-file", OPTION_TEXT, &serve->token_file, 0, 0, "FILE",
         "file with the token that clients must know (default: a random one if other machines can "
         "connect, otherwise none)"},
        {"cert", OPTION_TEXT, &serve->certificate, 0, 0, "FILE",
         "certificate in PEM form, followed by those of the authorities between it and a root; "
         "with it and --key the server uses TLS (https and wss)"},
        {"key", OPTION_TEXT, &serve->key, 0, 0, "FILE",
         "private key of the certificate, in PEM form and without a passphrase"},
        {"games", OPTION_TEXT, &serve->games, 0, 0, "DIR",
         "folder of the games that are played on the page (default $XDG_DATA_HOME/aji/games or "
         "~/.local/share/aji/games)"},
        {"runs", OPTION_TEXT, &serve->runs_folder, 0, 0, "DIR",
         "a run that the page shows, or a folder of runs (default: the runs that are given as "
         "nets, and the runs beside these)"},
        {"max-clients", OPTION_INT, &serve->clients_max, 1, 10000, "N",
         "clients at a time (default 64)"},
        {"max-nets", OPTION_INT, &serve->nets_max, 1, 1000, "N",
         "nets in memory at a time; if another net is needed, it replaces the net that was used "
         "longest ago (default 4)"},
        {"max-visits", OPTION_INT, &serve->visits_max, 2, 1000000, "N",
         "the most visits of a search, whatever a client asks for; at least 2, because a search of "
         "1 visit finds no move (default: no limit)"},
        {"read-only", OPTION_FLAG, &serve->read_only, 0, 0, NULL,
         "only show runs and their games: no net is loaded, and nobody can analyse or play"},
        {"open", OPTION_FLAG, &serve->opens, 0, 0, NULL,
         "open the page in your browser, with xdg-open"},
        {0}};
    memcpy(options, all, sizeof all);
}

int cmd_serve(int argc, char **argv) {
    static Serve serve = {.listen = "127.0.0.1", .port = -1, .clients_max = 64, .nets_max = 4};
    const char *words[NETS_NAMED_MAX];
    int word_count;
    SettingsGroup groups[ANALYSIS_GROUPS + 1];
    Option options[ANALYSIS_OPTIONS + SERVE_OPTIONS];
    const CommandUsage usage = {.name = "serve",
                                .synopsis =
                                    "aji serve [NET...] [--port N] [--listen ADDRESS] [--open]",
                                .summary = cmd_serve_summary,
                                .details = DETAILS,
                                .options = options,
                                .settings = groups,
                                .max_words = NETS_NAMED_MAX};
    Error err = {0};
    analysis_nets_defaults(&serve.nets, usage.name);
    analysis_nets_groups(&serve.nets, groups);
    settings_defaults(RESIGN_FIELDS, &serve.resign);
    groups[ANALYSIS_GROUPS - 1] = (SettingsGroup){"resign", RESIGN_FIELDS, &serve.resign};
    groups[ANALYSIS_GROUPS] = (SettingsGroup){0};
    analysis_nets_options(&serve.nets, options);
    serve_options(&serve, options + ANALYSIS_OPTIONS);
    int code = engine_command_parse_many(&usage, KATAGO_OPTIONS, argc, argv, words, &word_count);
    if (code >= 0) return code;
    return command_end(usage.name, find_all_and_run(&serve, words, word_count, &err), &err);
}
