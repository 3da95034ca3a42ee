#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/options/options.h"
#include "base/thread.h"
#include "build_info.h"
#include "cli/commands.h"
#include "cli/engine/builtin_nets.h"
#include "cli/engine/program_files.h"
#include "cli/terminal/findings.h"
#include "cli/terminal/libraries.h"
#include "cli/terminal/terminal.h"
#include "eval/formats/net_file.h"
#include "nn/backends/backend.h"

extern const char cmd_doctor_summary[];
int cmd_doctor(int argc, char **argv);
const char cmd_doctor_summary[] =
    "says what this machine and this Aji can do, what is missing, and what to type";

static const char DETAILS[] =
    "The command looks at the processor, the memory, the nets, other programs that play or show "
    "games, the folders into which Aji writes, and the parts of this build. A line begins with\n"
    "  ok  what is there\n"
    "  --  what is missing, though one can do without it; the next line says what to do\n"
    "  !!  what keeps Aji from playing\n"
    "The exit code is 0 if a game can be played, otherwise 1.";

enum { TEXT_SIZE = 1400 };
static const int64_t MEMORY_BYTES_MIN = (int64_t)1 << 30, DISK_BYTES_MIN = (int64_t)1 << 30;

static double gigabytes(int64_t bytes) {
    return (double)bytes / (1 << 30);
}

/* Finds the first line of a file of /proc that begins with "NAME : " or "NAME: ", and writes the
 * rest of this line to `out`. Returns false if there is no such line. */
static bool proc_value(const char *path, const char *name, char *out, size_t size) {
    char line[512];
    size_t length = strlen(name);
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *rest = line + length;
        if (strncmp(line, name, length) != 0) continue;
        rest += strspn(rest, " \t");
        if (*rest != ':') continue;
        rest += 1 + strspn(rest + 1, " \t");
        snprintf(out, size, "%.*s", (int)strcspn(rest, "\n"), rest);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

static void check_processor(Findings *findings) {
    char text[TEXT_SIZE], name[256];
    if (!proc_value("/proc/cpuinfo", "model name", name, sizeof name))
        snprintf(name, sizeof name, "of an unknown kind");
    int cores = thread_processors();
    snprintf(text, sizeof text, "%s", name);
    findings_add(findings, FINDING_FINE, "processor", text, NULL, json_string(name));
    snprintf(text, sizeof text, "%d that this process may use", cores);
    findings_add(findings, FINDING_FINE, "cores", text, NULL, json_integer(cores));
}

static void check_memory(Findings *findings) {
    char text[TEXT_SIZE];
    int64_t total = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
            available = mem_available();
    if (available > total) available = total;
    snprintf(text, sizeof text, "%.1f GB, of which %.1f GB are free", gigabytes(total),
             gigabytes(available));
    bool little = available < MEMORY_BYTES_MIN;
    findings_add(findings, little ? FINDING_MISSING : FINDING_FINE, "memory", text,
                 little ? "Searches and learning need more: end other programs, or give search "
                          "trees less by --set search.tree_memory_mb=100."
                        : NULL,
                 json_integer((json_int_t)available));
}

static void check_instructions(Findings *findings) {
    static const char *const KERNELS[] = {
        [ISA_GENERIC] = "no AVX2: nets run, but slowly",
        [ISA_AVX2] = "fast kernels for f32 and int8",
        [ISA_AVX512] = "fast kernels for f32 and int8",
        [ISA_AVX512_VNNI] = "fast kernels for f32, the fastest for int8",
        [ISA_AVX512_BF16] = "the fastest kernels for f32, fast ones for bf16 and int8",
        [ISA_AMX] = "the fastest kernels for f32, bf16 and int8"};
    char text[TEXT_SIZE];
    BackendIsa isa = backend_isa();
    const char *limit = getenv("ONEDNN_MAX_CPU_ISA");
    if (!limit) limit = getenv("DNNL_MAX_CPU_ISA");
    snprintf(text, sizeof text, "%s: %s%s", backend_isa_name(isa), KERNELS[isa],
             limit ? " (the environment limits them)" : "");
    bool slow = isa == ISA_GENERIC;
    const char *advice = !slow   ? NULL
                         : limit ? "Type: unset ONEDNN_MAX_CPU_ISA DNNL_MAX_CPU_ISA"
                                 : "A processor of 2015 or later is several times faster.";
    findings_add(findings, slow ? FINDING_MISSING : FINDING_FINE, "instruction sets", text, advice,
                 json_string(backend_isa_name(isa)));
}

/* Returns whether the net can be used. */
static bool check_net(Findings *findings, const char *folder, const char *name, int width,
                      int height) {
    char text[TEXT_SIZE], board[32];
    Path path;
    Net *net = NULL;
    Error err = {0};
    Status status = path_join(&path, folder, name, &err);
    if (!status) status = net_file_load(path.text, &net, &err);
    snprintf(board, sizeof board, "%dx%d", width, height);
    json_t *value = json_object();
    json_object_set_new(value, "board", json_string(board));
    json_object_set_new(value, "file", json_string(path.text));
    snprintf(text, sizeof text, "%-6s %s", board, status ? err.message : path.text);
    findings_add(findings, status ? FINDING_MISSING : FINDING_FINE, "nets", text,
                 status ? "The file is damaged: copy or install it again." : NULL, value);
    net_free(net);
    return !status;
}

/* Is called if no folder has a usable net. */
static void check_builtin_nets(Findings *findings) {
    Path folder;
    Error err = {0};
    bool failed = builtin_nets_folder(&folder, &err) != OK;
    findings_add(findings, failed ? FINDING_FAULT : FINDING_MISSING, "nets",
                 failed ? err.message
                        : "no usable file was found, so aji play can play only 9x9, with the net "
                          "inside the program",
                 "Learn another board in ten minutes: aji learn --time 10m. Then play: aji play "
                 "aji-run-7. If you have nets, name their folder: export AJI_NETS=FOLDER",
                 NULL);
}

static void check_nets(Findings *findings) {
    Arena arena = {0};
    ProgramFolders folders;
    int usable = 0;
    program_folders("nets", &folders);
    for (int i = 0; i < folders.count; i++) {
        char **names;
        int count, width, height;
        if (directory_list(folders.paths[i].text, &arena, &names, &count, NULL)) count = 0;
        for (int k = 0; k < count; k++) {
            if (program_net_board(names[k], &width, &height))
                usable += check_net(findings, folders.paths[i].text, names[k], width, height);
        }
    }
    if (!usable) check_builtin_nets(findings);
    arena_clear(&arena);
}

/* Finds a program in the folders of PATH, or where Debian keeps games. */
static bool find_program(const char *name, char *out, size_t size) {
    static const char *const GAMES = "/usr/games";
    const char *path = getenv("PATH");
    for (const char *at = path; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(out, size, "%.*s/%s", (int)strcspn(at, ":"), at, name);
        if (access(out, X_OK) == 0 && !file_is_directory(out)) return true;
    }
    snprintf(out, size, "%s/%s", GAMES, name);
    return access(out, X_OK) == 0;
}

static void check_clients(Findings *findings) {
    static const struct {
        const char *name, *others; /* other programs that serve as well, separated by '|' */
        const char *purpose, *advice;
    } CLIENTS[] = {
        {"gnugo", "", "an opponent of known strength, for matches and learning runs",
         "Type: apt-get install gnugo"},
        {"katago", "", "a strong opponent, for matches",
         "Debian has no package: see https://github.com/lightvector/KataGo/releases"},
        {"gogui", "", "a board for aji gtp",
         "Debian has no package: see https://github.com/Remi-Coulom/gogui/releases"},
        {"sabaki", "", "a board for aji gtp",
         "Debian has no package: see https://github.com/SabakiHQ/Sabaki/releases"},
        {"chromium", "google-chrome|firefox|firefox-esr", "a browser for the page of aji serve",
         "Type: apt-get install chromium"},
        {"xdg-open", "", "opens the page of aji serve --open", "Type: apt-get install xdg-utils"},
    };
    for (size_t i = 0; i < sizeof CLIENTS / sizeof *CLIENTS; i++) {
        char text[TEXT_SIZE], path[512], name[64];
        const char *next = CLIENTS[i].others;
        bool found = find_program(CLIENTS[i].name, path, sizeof path);
        for (; !found && *next; next += strcspn(next, "|"), next += *next == '|') {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(next, "|"), next);
            found = find_program(name, path, sizeof path);
        }
        snprintf(text, sizeof text, "%s: %s", CLIENTS[i].purpose, found ? path : "not found");
        findings_add(findings, found ? FINDING_FINE : FINDING_MISSING, CLIENTS[i].name, text,
                     found ? NULL : CLIENTS[i].advice, found ? json_string(path) : NULL);
    }
}

/* Whether files can be made in a folder, or in the first of its parents that exists. */
static bool is_writable(const char *folder) {
    Path path;
    if (path_join(&path, folder, "", NULL)) return false;
    while (!file_exists(path.text)) {
        char *slash = strrchr(path.text, '/');
        if (!slash || slash == path.text) break;
        *slash = 0;
    }
    return file_is_directory(path.text) && access(path.text, W_OK | X_OK) == 0;
}

static void check_folder(Findings *findings, const char *purpose, const char *folder) {
    char text[TEXT_SIZE];
    bool writable = is_writable(folder);
    snprintf(text, sizeof text, "%s: %.1000s%s", purpose, folder,
             writable ? "" : " cannot be written");
    findings_add(findings, writable ? FINDING_FINE : FINDING_MISSING, "folders", text,
                 writable ? NULL : "Change to a folder of yours, such as your home: cd", NULL);
}

static void check_folders(Findings *findings) {
    char text[TEXT_SIZE], folder[1000];
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (!getcwd(folder, sizeof folder)) snprintf(folder, sizeof folder, ".");
    check_folder(findings, "runs and games", folder);
    int64_t bytes = disk_free_bytes(folder);
    bool little = bytes >= 0 && bytes < DISK_BYTES_MIN;
    if (data && *data == '/')
        snprintf(folder, sizeof folder, "%s/aji", data);
    else
        snprintf(folder, sizeof folder, "%s/.local/share/aji", home ? home : "");
    check_folder(findings, "games of the page", folder);
    snprintf(text, sizeof text, "%.1f GB are free in the current folder", gigabytes(bytes));
    findings_add(findings, little ? FINDING_MISSING : FINDING_FINE, "disk",
                 bytes < 0 ? "it is not known how much is free" : text,
                 little ? "A learning run needs a few GB: begin it on another disk, with --run DIR."
                        : NULL,
                 json_integer((json_int_t)bytes));
}

static void check_parts(Findings *findings) {
    char text[TEXT_SIZE];
    Library library;
    for (int i = 0; library_at(i, &library); i++) {
        snprintf(text, sizeof text, "%s %s: %s", library.name, library.version, library.purpose);
        findings_add(findings, FINDING_FINE, "parts", text, NULL, json_string(library.version));
    }
    bool page = BUILD_HAS_PAGE;
    findings_add(
        findings, page ? FINDING_FINE : FINDING_MISSING, "parts",
        page ? "the page of aji serve" : "the page of aji serve is not in this build",
        page ? NULL : "Type in the source tree: ./aji serve, which builds it with nodejs and npm.",
        json_boolean(page));
}

static Status print_json(const Findings *findings, bool ready, Error *err) {
    json_t *object = json_object();
    json_object_set_new(object, "version", json_string(BUILD_VERSION));
    json_object_set_new(object, "revision", json_string(BUILD_REVISION));
    json_object_set_new(object, "can_play", json_boolean(ready));
    json_object_set(object, "findings", findings->list);
    return command_json(object, 15, err);
}

static void print_text(const Findings *findings, bool ready) {
    printf("Aji %s (%s, %s, %s)\n\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE, BUILD_COMPILER);
    findings_print(findings, terminal_colors(stdout) > 0);
    printf("\n%s\n", ready ? "A game can be played. Type: aji play"
                           : "Something is missing: see the lines that begin with !!");
}

int cmd_doctor(int argc, char **argv) {
    static void (*const CHECKS[])(Findings *) = {check_processor, check_memory,  check_instructions,
                                                 check_nets,      check_clients, check_folders,
                                                 check_parts};
    bool json = false;
    const Option options[] = {{"json", OPTION_FLAG, &json, 0, 0, NULL, "print one JSON object"},
                              {0}};
    const CommandUsage usage = {.name = "doctor",
                                .synopsis = "aji doctor [--json]",
                                .summary = cmd_doctor_summary,
                                .details = DETAILS,
                                .options = options};
    OptionsResult parsed = options_parse(&usage, argc, argv, NULL, NULL);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Findings findings;
    Error err = {0};
    Status status = OK;
    findings_init(&findings);
    for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++)
        CHECKS[i](&findings);
    bool ready = !findings_have_fault(&findings);
    if (json)
        status = print_json(&findings, ready, &err);
    else
        print_text(&findings, ready);
    findings_clear(&findings);
    return status ? command_end(usage.name, status, &err) : !ready;
}
