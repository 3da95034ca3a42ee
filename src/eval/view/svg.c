#include "eval/view/svg.h"

#include <string.h>

void svg_begin(int width, int height, int font_size, StrBuf *out) {
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"%d\">\n"
                "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                width, height, width, font_size, width, height);
}

void svg_title(int x, int y, const char *text, StrBuf *out) {
    strbuf_addf(out, "<text x=\"%d\" y=\"%d\" font-size=\"14\">", x, y);
    strbuf_add_xml(out, text, strlen(text));
    strbuf_add(out, "</text>\n");
}
