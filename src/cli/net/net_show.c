/* `aji net show`: the weights of a net, and the outputs of its layers for a position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/settings.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/eval/eval_position.h"
#include "cli/net/net_commands.h"
#include "eval/formats/net_file.h"
#include "eval/view/layer_output.h"
#include "eval/view/net_parts.h"
#include "eval/view/weight_picture.h"

static const char DETAILS[] =
    "Without --layer the command prints one line for each weight tensor. With --layer it prints "
    "the weights of that layer and its output for a position. The position is that of the game "
    "after --move N and --moves; without a game, the moves begin on an empty board. L is one of\n"
    "  block3.conv1  the name of a layer in the list\n"
    "  block3        the name of a part; its output is what the next block reads\n"
    "  planes        the name of an input\n"
    "  17            the number of an op\n"
    "With --out it also draws what it prints as SVG files:\n"
    "  aji net show NET --out pictures               norms.svg and one file for each weight\n"
    "  aji net show NET --layer block3 --sgf game.sgf --move 30 --out pictures\n"
    "With --tensor it prints the numbers of one weight tensor as text. There is one line for "
    "each output and each place of the kernel. The line has the indices of the output and of the "
    "place, a colon, and one number for each input. The numbers have 9 digits, which are enough to "
    "read the 32-bit values back exactly. With --order, the channels that layers share are ordered "
    "by simulated annealing, so that channels with similar weights lie side by side in the "
    "pictures of weights. The columns \"rms from\" and \"to\" show the smallest and the largest "
    "root mean square of the weights of one output of the layer.";

enum { CHANNELS_SHOWN = 24 };

typedef struct {
    const char *path, *layer, *tensor, *folder, *profile;
    Path file;   /* after run(), `path` is its text */
    int channel; /* -1 if not given */
    bool ordered;
    int seed;
    ChannelOrder *order; /* NULL: the order of the net */
    PositionChoice choice;
    int turn; /* of the position */
    Net *net;
} Show;

static Status write_picture(const Show *show, const char *name, const StrBuf *svg, Error *err) {
    char file[96];
    Path path;
    snprintf(file, sizeof file, "%.80s.svg", name);
    for (char *c = file; *c; c++)
        if (*c == '/') *c = '_';
    Status status = directory_make(show->folder, err);
    if (!status) status = path_join(&path, show->folder, file, err);
    if (!status) status = file_write(path.text, strbuf_text(svg), svg->length, err);
    return status;
}

/* The width of the column for the names of weights, in characters. */
static int name_width(const Program *program) {
    size_t width = 6;
    for (int i = 0; i < program_parameter_count(program); i++) {
        size_t length = strlen(program_parameter(program, i)->name);
        if (length > width) width = length;
    }
    return (int)width;
}

static void print_weight(const ParameterSpec *spec, const float *values, int width) {
    char shape[64] = "";
    WeightStatistic w = weight_statistic(spec, values);
    for (int k = 0; k < spec->rank; k++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%d", k ? "x" : "",
                 spec->dims[k]);
    printf("%-*s %-15s %9zu %9.3f %9.4f %9.4f %8.3f", width, spec->name, shape, spec->count, w.norm,
           w.mean, w.deviation, w.largest);
    if (spec->rank > 1) printf(" %8.4f %8.4f", w.row_rms_min, w.row_rms_max);
    if (spec->rank > 1 && w.rows_at_zero) printf("  %d outputs at 0", w.rows_at_zero);
    printf("\n");
}

static void print_weights_head(int width) {
    printf("%-*s %-15s %9s %9s %9s %9s %8s %8s %8s\n", width, "weight", "shape", "count", "norm",
           "mean", "deviation", "largest", "rms from", "to");
}

static Status draw_weight(const Show *show, int parameter, Error *err) {
    const ParameterSpec *spec = program_parameter(net_program(show->net), parameter);
    WeightOrder order = {0};
    StrBuf svg = {0};
    if (show->order) order = channel_order_of(show->order, parameter);
    Status status =
        weight_picture_svg(spec, net_values_const(show->net, parameter), &order, &svg, err);
    if (!status) status = write_picture(show, spec->name, &svg, err);
    strbuf_clear(&svg);
    return status;
}

static Status show_all(const Show *show, Error *err) {
    const Program *program = net_program(show->net);
    Status status = OK;
    StrBuf svg = {0};
    int width = name_width(program);
    print_weights_head(width);
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        print_weight(program_parameter(program, i), net_values_const(show->net, i), width);
        if (show->folder) status = draw_weight(show, i, err);
    }
    if (show->folder && !status)
        status = weight_norms_svg(show->net, path_name(show->path), &svg, err);
    if (show->folder && !status) status = write_picture(show, "norms", &svg, err);
    strbuf_clear(&svg);
    return status;
}

/* Prints the weights of op `value`, or of all ops of the part that --layer names. */
static Status show_weights(const Show *show, Value value, Error *err) {
    const Program *program = net_program(show->net);
    bool head = false;
    int width = name_width(program);
    Status status = OK;
    for (Value v = 0; v < program_op_count(program) && !status; v++) {
        const Op *op = program_op(program, v);
        bool wanted = v == value ||
                      (!op->weights_of && strcmp(net_part_of(program, v).text, show->layer) == 0);
        for (int i = 0; wanted && i < 4 && op->parameters[i] >= 0 && !status; i++) {
            if (!head) print_weights_head(width);
            head = true;
            print_weight(program_parameter(program, op->parameters[i]),
                         net_values_const(show->net, op->parameters[i]), width);
            if (show->folder) status = draw_weight(show, op->parameters[i], err);
        }
    }
    return status;
}

static int compare_deviations(const void *a, const void *b) {
    const ChannelStatistic *x = *(const ChannelStatistic *const *)a,
                           *y = *(const ChannelStatistic *const *)b;
    return x->deviation < y->deviation ? 1 : x->deviation > y->deviation ? -1 : x < y ? -1 : x > y;
}

static void print_channel(const LayerOutput *layer, const ChannelStatistic *c, int channel) {
    printf("%7d %9.4f %9.4f %9.4f %9.4f %6.1f%%", channel, c->mean, c->deviation, c->minimum,
           c->maximum, 100 * c->zero_fraction);
    if (layer->kind == KIND_SPATIAL)
        printf("  %s",
               point_text(move_at_index(c->maximum_row, layer->width, layer->height), layer->height)
                   .text);
    printf("\n");
}

/* Prints the channels whose values vary most over the board. */
static Status print_channels(const LayerOutput *layer, Error *err) {
    ChannelStatistic *all, **order = NULL;
    size_t count = (size_t)layer->channels;
    int shown = layer->channels < CHANNELS_SHOWN ? layer->channels : CHANNELS_SHOWN,
        zero_channels = 0;
    Status status = mem_new(count, sizeof *all, &all, err);
    if (!status) status = mem_new(count, sizeof *order, &order, err);
    for (int c = 0; c < layer->channels && !status; c++) {
        all[c] = layer_output_channel(layer, c);
        order[c] = &all[c];
        zero_channels += all[c].largest == 0;
    }
    if (!status) {
        qsort(order, count, sizeof *order, compare_deviations);
        printf("%7s %9s %9s %9s %9s %7s  maximum at\n", "channel", "mean", "deviation", "minimum",
               "maximum", "zeros");
        for (int i = 0; i < shown; i++)
            print_channel(layer, order[i], (int)(order[i] - all));
        if (shown < layer->channels)
            printf("(the %d of %d channels that vary most; --channel N shows any one)\n", shown,
                   layer->channels);
        if (zero_channels) printf("%d channels are 0 everywhere\n", zero_channels);
    }
    free(all);
    free(order);
    return status;
}

static Status check_channel(const LayerOutput *layer, int channel, Error *err) {
    if (channel >= layer->channels)
        return fail(err, ERR_ARGUMENT, "--channel: the layer has channels 0 to %d",
                    layer->channels - 1);
    if (layer->kind != KIND_SPATIAL)
        return fail(err, ERR_ARGUMENT, "--channel: the layer has no board but %d rows",
                    layer->rows);
    return OK;
}

static void print_board(const LayerOutput *layer, int channel) {
    printf("channel %d\n   ", channel);
    for (int x = 0; x < layer->width; x++)
        printf("%7c", *point_text(point_at(x, 0), layer->height).text);
    printf("\n");
    for (int y = 0; y < layer->height; y++) {
        printf("%2d ", layer->height - y);
        for (int x = 0; x < layer->width; x++)
            printf("%7.3f",
                   (double)layer->values[(y * layer->width + x) * layer->channels + channel]);
        printf("\n");
    }
}

static Status show_output(const Show *show, const Position *position, const LayerOutput *layer,
                          Error *err) {
    char caption[200], name[80];
    StrBuf svg = {0};
    static const char *const KINDS[] = {"on the board", "for the whole board",
                                        "for each entry of a list"};
    printf("\n%s after move %d, %s to move: %d channels %s\n", show->layer, show->turn,
           position->mover == COLOR_BLACK ? "Black" : "White", layer->channels, KINDS[layer->kind]);
    Status status = OK;
    if (show->channel < 0)
        status = print_channels(layer, err);
    else
        print_board(layer, show->channel);
    if (status || !show->folder) return status;
    snprintf(caption, sizeof caption, "%.60s, %.60s, after move %d", path_name(show->path),
             show->layer, show->turn);
    snprintf(name, sizeof name, "%.60s-output", show->layer);
    status = layer_output_svg(layer, position, caption, &svg, err);
    if (!status) status = write_picture(show, name, &svg, err);
    strbuf_clear(&svg);
    return status;
}

static Status show_layer(Show *show, Error *err) {
    Value value;
    Position position = {0};
    LayerOutput layer = {0};
    Status status = net_find_layer(show->net, show->layer, &value, err);
    if (!status) status = eval_position(&show->choice, &position, &show->turn, err);
    if (!status) status = layer_output_of(show->net, value, &position, show->profile, &layer, err);
    if (!status && show->channel >= 0) status = check_channel(&layer, show->channel, err);
    if (!status) status = show_weights(show, value, err);
    if (!status) status = show_output(show, &position, &layer, err);
    layer_output_clear(&layer);
    position_clear(&position);
    return status;
}

/* Sets *parameter to the index of the tensor that --tensor names. */
static Status find_tensor(const Show *show, int *parameter, Error *err) {
    const Program *program = net_program(show->net);
    int count = program_parameter_count(program);
    const char **names;
    Status status = mem_new((size_t)count + 1, sizeof *names, &names, err);
    if (status) return status;
    *parameter = -1;
    for (int i = 0; i < count; i++) {
        names[i] = program_parameter(program, i)->name;
        if (strcmp(names[i], show->tensor) == 0) *parameter = i;
    }
    const char *nearest = nearest_word(show->tensor, names, count);
    if (*parameter < 0)
        status = fail(err, ERR_ARGUMENT, "the net has no tensor \"%.60s\"%s%s%s", show->tensor,
                      nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    free(names);
    return status;
}

/* Prints all numbers of a tensor. A line has those of the last dimension. */
static Status print_tensor(const Show *show, Error *err) {
    int parameter;
    Status status = find_tensor(show, &parameter, err);
    if (status) return status;
    const ParameterSpec *spec = program_parameter(net_program(show->net), parameter);
    const float *values = net_values_const(show->net, parameter);
    size_t length = spec->rank ? (size_t)spec->dims[spec->rank - 1] : 1;
    printf("# %s", spec->name);
    for (int k = 0; k < spec->rank; k++)
        printf("%s%d", k ? "x" : " ", spec->dims[k]);
    printf("\n");
    for (size_t i = 0; i < spec->count; i++) {
        size_t inner = spec->count / length, line = i / length;
        for (int k = 0; i % length == 0 && k < spec->rank - 1; k++) {
            inner /= (size_t)spec->dims[k];
            printf("%zu%s", line / inner % (size_t)spec->dims[k], k < spec->rank - 2 ? " " : ":");
        }
        printf(spec->rank < 2 && i % length == 0 ? "%.9g" : " %.9g", (double)values[i]);
        if (i % length == length - 1) printf("\n");
    }
    return OK;
}

/* Orders the channels for pictures, and says what this gained. */
static Status order_channels(Show *show, Error *err) {
    if (!show->folder) return fail(err, ERR_ARGUMENT, "--order is for pictures: give --out too");
    Status status = channel_order_new(show->net, (uint64_t)show->seed, &show->order, err);
    if (status) return status;
    printf("%d groups of channels are ordered by similarity: the distances between neighbours add "
           "up to %.1f. In the order of the net they add up to %.1f.\n",
           channel_order_groups(show->order), channel_order_after(show->order),
           channel_order_before(show->order));
    return OK;
}

static Status run(Show *show, Error *err) {
    if (show->tensor && (show->layer || show->folder || show->channel >= 0))
        return fail(err, ERR_ARGUMENT,
                    "--tensor cannot be combined with --layer, --channel or --out");
    Status status = net_run_file("net show", show->path, &show->file, err);
    show->path = show->choice.net = show->file.text;
    if (!status) status = net_file_load(show->path, &show->net, err);
    if (status) return status;
    if (show->tensor) return print_tensor(show, err);
    if (show->ordered) status = order_channels(show, err);
    if (!status) status = show->layer ? show_layer(show, err) : show_all(show, err);
    if (!status && show->folder) printf("pictures are in %s\n", show->folder);
    return status;
}

int net_show_command(int argc, char **argv) {
    const char *words[1];
    int count;
    Show show = {.channel = -1, .seed = 1, .choice = eval_position_choice("net show")};
    Option options[POSITION_OPTIONS + 8] = {
        {"layer", OPTION_TEXT, &show.layer, 0, 0, "L", "layer, part or input to show"},
        {"channel", OPTION_INT, &show.channel, 0, 65535, "N",
         "channel of the layer to print as a board"},
        {"tensor", OPTION_TEXT, &show.tensor, 0, 0, "NAME",
         "print all numbers of this weight tensor, such as block0.conv1.weight"},
        {"out", OPTION_TEXT, &show.folder, 0, 0, "FOLDER", "folder to draw SVG files into"},
        {"order", OPTION_FLAG, &show.ordered, 0, 0, NULL,
         "draw weights with similar channels side by side, in the same order in all layers that "
         "share channels"},
        {"seed", OPTION_INT, &show.seed, 0, 2e9, "N", "seed of the search for --order (default 1)"},
        {"human-profile", OPTION_TEXT, &show.profile, 0, 0, "P",
         "player that a human policy imitates, such as rank_5k"},
    };
    eval_position_options(&show.choice, options + 7);
    const CommandUsage usage = {
        "net show",
        "aji net show NET [--layer L | --tensor NAME] [--out FOLDER] [--sgf GAME --move N]",
        "shows the weights of a net and the outputs of its layers for a position",
        DETAILS,
        options,
        NULL,
        1,
        1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    show.path = show.choice.net = words[0];
    Status status = run(&show, &err);
    channel_order_free(show.order);
    net_free(show.net);
    return command_end(usage.name, status, &err);
}
