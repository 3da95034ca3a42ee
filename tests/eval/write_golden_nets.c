/* Writes the tiny nets of golden_nets.h into a folder, as files that KataGo can load. KataGo
 * computed the outputs of the tiny nets in tests/golden/nn from these files.
 *     write_golden_nets FOLDER */
#include "base/file.h"
#include "eval/golden_nets.h"
#include "gzip.h"

static void write_net(const char *folder, const MadeNet *net) {
    StrBuf text = made_katago_net(*net);
    Path path;
    char name[100];
    snprintf(name, sizeof name, "%s.%s.gz", net->name, net->binary ? "bin" : "txt");
    EXPECT_OK(path_join(&path, folder, name, err));
    write_gzip(path.text, strbuf_text(&text), text.length, 9);
    strbuf_clear(&text);
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: write_golden_nets FOLDER\n");
        return 2;
    }
    for (int i = 0; i < GOLDEN_NET_COUNT; i++)
        write_net(words[1], &GOLDEN_NETS[i]);
    return 0;
}
