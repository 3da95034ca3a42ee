/* The GTP commands of GoGui (GoGui's manual, "Analyze Commands", "Interrupting Commands"). */
#include "protocol/gtp/gtp_command.h"

/* Each line is: type of the answer / entry in GoGui's menu / command. GoGui replaces %m by the
 * color to move. */
static const char ANALYZE_COMMANDS[] = "pstring/Best Move/kata-search %m\n"
                                       "string/Final Score/final_score\n"
                                       "plist/Dead Stones/final_status_list dead\n"
                                       "string/Rules/kata-get-rules\n"
                                       "hstring/Policy/heatmap\n"
                                       "hstring/Net Without Search/kata-raw-nn 0\n"
                                       "hstring/Name of the Net/kata-get-models\n"
                                       "hstring/Clocks/kata-debug-print-tc\n"
                                       "none/Clear Search Tree/clear_cache";

static Status do_analyze_commands(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, ANALYZE_COMMANDS);
    return OK;
}

/* Does nothing. Because the engine lists the command, GoGui knows that it may send
 * GTP_INTERRUPT. */
static Status do_interrupt(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)out, (void)err;
    return OK;
}

const GtpCommand GTP_GOGUI_COMMANDS[] = {
    {"gogui-analyze_commands", do_analyze_commands, 0, GTP_ARGUMENTS_MAX, true},
    {"gogui-interrupt", do_interrupt, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};
