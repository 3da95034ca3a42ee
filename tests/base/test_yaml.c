/* YAML files become lists of keys with values, in the order of the file. A file that cannot be
 * written as this kind of list is refused, with the line that is at fault. */
#include "base/formats/yaml.h"
#include "base/strbuf.h"
#include "test.h"

/* Writes the entries as "LINE KEY=VALUE;" and lists as "LINE KEY=[A,B];". */
static void expect_entries(const char *text, const char *want) {
    Arena arena = {0};
    StrBuf out = {0};
    YamlEntry *entries;
    int count;
    EXPECT_OK(yaml_parse(text, strlen(text), "a.yaml", &arena, &entries, &count, err));
    for (int i = 0; i < count; i++) {
        strbuf_addf(&out, "%d %s=%s", entries[i].line, entries[i].key,
                    entries[i].is_list ? "[" : "");
        for (int k = 0; k < entries[i].count; k++)
            strbuf_addf(&out, "%s%s", k ? "," : "", entries[i].values[k]);
        strbuf_add(&out, entries[i].is_list ? "];" : ";");
    }
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
    arena_clear(&arena);
}

static void expect_refused(const char *text, const char *why) {
    Arena arena = {0};
    YamlEntry *entries;
    int count;
    Error fault = {0};
    EXPECT_STATUS(ERR_SYNTAX,
                  yaml_parse(text, strlen(text), "a.yaml", &arena, &entries, &count, &fault));
    EXPECT_CONTAINS(fault.message, why);
    arena_clear(&arena);
}

TEST(keys_are_joined_by_dots) {
    expect_entries("%YAML 1.2\n---\na: 1\nb:\n  c: 'x y' # no\n  d: {e: 2}\nf:\n...\n",
                   "3 a=1;5 b.c=x y;6 b.d.e=2;7 f=;");
    expect_entries("a: [1, 2.5,\n  three]\nb:\n  - x\n  - \"y\"\nc: []\n",
                   "1 a=[1,2.5,three];3 b=[x,y];6 c=[];");
    expect_entries("{}", "");
}

TEST(many_values_are_kept) {
    StrBuf text = {0}, want = {0};
    strbuf_add(&text, "a:\n");
    strbuf_add(&want, "1 a=[");
    for (int i = 0; i < 100; i++) {
        strbuf_addf(&text, "  - %d\n", i);
        strbuf_addf(&want, "%s%d", i ? "," : "", i);
    }
    strbuf_add(&want, "];");
    expect_entries(strbuf_text(&text), strbuf_text(&want));
    strbuf_clear(&text);
    strbuf_clear(&want);
}

TEST(other_forms_are_refused) {
    expect_refused("", "a.yaml:1: this is no list of keys with values");
    expect_refused("- a\n- b\n", "this is no list of keys with values");
    expect_refused("a: 1\nb: 2\na: 3\n", "a.yaml:3: a occurs a second time");
    expect_refused("a: &x 1\nb: *x\n", "a.yaml:2: aliases are not read");
    expect_refused("a:\n  - [1]\n", "a.yaml:2: lists may have only numbers and texts");
    expect_refused("[1]: 2\n", "a key is no text");
    expect_refused("'': 2\n", "a key is empty or too long");
    expect_refused("a: 1\n---\nb: 2\n", "a second document begins");
    expect_refused("a: 'open\n", "this is not YAML");
    expect_refused("a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}\n", "mappings are too deep");
    StrBuf text = {0};
    for (int i = 0; i < 2001; i++)
        strbuf_addf(&text, "k%d: 1\n", i);
    expect_refused(strbuf_text(&text), "a.yaml:2001: there are more than 2000 keys");
    strbuf_clear(&text);
}

TEST_MAIN(RUN(keys_are_joined_by_dots), RUN(many_values_are_kept), RUN(other_forms_are_refused))
