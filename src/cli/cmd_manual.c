#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/options/options.h"
#include "base/options/usage_man.h"
#include "build_info.h"
#include "cli/command_table.h"

extern const char cmd_manual_summary[];
int cmd_manual(int argc, char **argv);
const char cmd_manual_summary[] = "prints a page of the manual: manual [COMMAND]";

static const char DETAILS[] =
    "The page is in roff, which `man -l` shows. It is made from the same tables as --help. "
    "Without COMMAND it is the page aji(1), which lists the commands.\n"
    "  aji manual play | man -l -\n"
    "  aji manual net new | man -l -";

static const char FILES[] =
    ".SH FILES\n"
    "Aji looks for the nets that come with the program in these folders, in this order:\n"
    ".IP 1. 4\nthe folder that\n.B AJI_NETS\nnames;\n"
    ".IP 2. 4\n.I nets\nin the current folder;\n"
    ".IP 3. 4\n.I nets\nof the source tree, if the program was not installed;\n"
    ".IP 4. 4\n.I PREFIX/share/aji/nets\nif the program is\n.IR PREFIX/bin/aji .\n"
    ".PP\n"
    "Settings files are called\n.IR configs/FILE .\nAji looks for them in the folders\n.I configs\n"
    "beside the last three of these folders.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B AJI_NETS\na folder of nets\n"
    ".TP\n.B COLUMNS\nthe width of the terminal\n"
    ".TP\n.B NO_COLOR\nif it is set, nothing is printed in color\n"
    ".TP\n.B ONEDNN_MAX_CPU_ISA\nlimits the instruction sets:\n"
    "SSE41, AVX, AVX2, AVX512_CORE, AVX512_CORE_VNNI, AVX512_CORE_BF16,\n"
    "AVX512_CORE_AMX or ALL\n"
    ".SH EXIT STATUS\n"
    "0: done. 1: failed. 2: wrong use. 130: stopped by a signal, such as Ctrl-C, before the work\n"
    "was done; but learn, selfplay, train, gate and serve then return 0.\n";

/* Prints the first line of a page, in which the name of the page is in capitals. */
static void print_title(const char *name) {
    char title[64] = "AJI";
    size_t length = strlen(title);
    for (const char *from = *name ? " " : ""; *from && length + 1 < sizeof title; length++) {
        title[length] = (char)toupper((unsigned char)*from);
        if (title[length] == ' ') title[length] = '-';
        from = length == 3 ? name : from + 1;
    }
    printf(".TH \"");
    usage_man_text(title);
    printf("\" 1 \"%s\" \"Aji %s\" \"Aji\"\n", BUILD_DATE, BUILD_VERSION);
}

/* Calls a command with the words of argv and an option, such as `aji net new --help=man`. */
static int run(const Command *command, int argc, char **argv, const char *option) {
    char *line[8], text[32];
    int count = argc < 6 ? argc : 6;
    memcpy(line, argv, (size_t)count * sizeof *line);
    snprintf(text, sizeof text, "%s", option);
    line[count] = text;
    line[count + 1] = NULL;
    return command->run(count + 1, line);
}

static int list_pages(void) {
    const Command *command;
    int code = 0;
    for (int i = 0; (command = command_table_at(i)) != NULL && !code; i++) {
        char word[64];
        snprintf(word, sizeof word, "%s", command->name);
        code = run(command, 1, (char *[]){word}, "--help=name");
    }
    return code;
}

static int print_overview(void) {
    const Command *command;
    print_title("");
    printf(".SH NAME\naji \\- learns the game of Go by playing against itself\n"
           ".SH SYNOPSIS\n.B aji\n.I COMMAND\n[options]\n"
           ".SH DESCRIPTION\n"
           "Aji learns Go by self\\-play. Play with it, review games, run experiments.\n"
           ".SH COMMANDS\n");
    for (int i = 0; (command = command_table_at(i)) != NULL; i++) {
        printf(".TP\n.BR ");
        usage_man_page_name(command->name);
        printf(" (1)\n");
        usage_man_text(command->summary);
        printf("\n");
    }
    printf("%s", FILES);
    return 0;
}

static int print_page(int argc, char **argv) {
    const Command *command = command_table_find(argv[0]);
    char name[64];
    if (!command) {
        fprintf(stderr, "aji manual: there is no command \"%.60s\"; `aji --help` lists them\n",
                argv[0]);
        return 2;
    }
    snprintf(name, sizeof name, "%.30s%s%.30s", argv[0], argc > 1 ? " " : "",
             argc > 1 ? argv[1] : "");
    print_title(name);
    int code = run(command, argc, argv, "--help=man");
    if (!code && strcmp(argv[0], "settings") == 0) code = run(command, argc, argv, "--man");
    if (!code) printf(".SH SEE ALSO\n.BR aji (1)\n");
    return code;
}

int cmd_manual(int argc, char **argv) {
    bool list = false;
    const char *words[2];
    int count = 0;
    const Option options[] = {{"list", OPTION_FLAG, &list, 0, 0, NULL,
                               "list the commands and subcommands that have a page"},
                              {0}};
    const CommandUsage usage = {.name = "manual",
                                .synopsis = "aji manual [COMMAND [SUBCOMMAND]] [--list]",
                                .summary = cmd_manual_summary,
                                .details = DETAILS,
                                .options = options,
                                .max_words = 2};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    if (list) return list_pages();
    if (!count) return print_overview();
    char text[2][32], *line[2] = {text[0], text[1]};
    for (int i = 0; i < count; i++)
        snprintf(text[i], sizeof text[i], "%s", words[i]);
    return print_page(count, line);
}
