/* gtp_line.h - a GTP engine on a thread of its own, with pipes as its input and output. */
#pragma once
#include "base/thread.h"
#include "gtp_talk.h"

#include <unistd.h>

typedef struct {
    Talk talk;
    int to[2], from[2];
    FILE *output, *answers;
    pthread_t thread;
} Line;

static inline void *line_serve(void *argument) {
    Line *line = argument;
    Error err = {0};
    if (gtp_serve(line->talk.gtp, line->to[0], line->output, &err)) abort();
    fclose(line->output);
    return NULL;
}

static inline void line_begin(Line *line, int size) {
    line->talk = talk_begin(size);
    EXPECT_TRUE(!pipe(line->to) && !pipe(line->from));
    line->output = fdopen(line->from[1], "w");
    line->answers = fdopen(line->from[0], "r");
    EXPECT_OK(thread_start(&line->thread, line_serve, line, err));
}

static inline void say(Line *line, const char *text) {
    EXPECT_INT((int)strlen(text), (int)write(line->to[1], text, strlen(text)));
}

static inline void line_end(Line *line) {
    close(line->to[1]);
    pthread_join(line->thread, NULL);
    EXPECT_INT(EOF, fgetc(line->answers));
    fclose(line->answers);
    close(line->to[0]);
    talk_end(&line->talk);
}
