#include "eval/arch/arch_settings.h"

#include <stdio.h>
#include <string.h>

#include "nn/graph/program.h"

const SettingsField ARCH_FIELDS[] = {
    FIELD_INT(ArchSettings, blocks, 4, 1, 200, "number of blocks of the trunk",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchSettings, channels, 32, 8, 4096, "number of channels of the trunk",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchSettings, pool_channels, 0, 0, 4096,
              "number of channels that a pooling block pools over the board; 0: a quarter of the "
              "channels of the trunk, but at least 8",
              .source = "Wu 2019, section 3.3"),
    FIELD_INT(ArchSettings, pool_every, 2, 0, 200,
              "every k-th block pools over the board; 0: none does",
              .source = "Wu 2019, section 3.3"),
    FIELD_INT(
        ArchSettings, inner_channels, 0, 0, 4096,
        "channels inside a block; 0: each kind of block has its own number (see block.inner)"),
    FIELD_INT(ArchSettings, policy_channels, 0, 0, 4096,
              "channels of the policy head; 0: 16 if the trunk has fewer than 64 channels, "
              "otherwise 32",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchSettings, value_channels, 0, 0, 4096,
              "channels of the value head; 0: 16 if the trunk has fewer than 64 channels, "
              "otherwise 32",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchSettings, value_hidden, 0, 0, 4096,
              "number of hidden units of the value head, and of the head for the score "
              "distribution; 0: 32, but 64 in the value head if the trunk has at least 64 "
              "channels",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchSettings, start_kernel, 3, 1, 19,
              "kernel width of the first convolution (5 in Wu 2019)",
              .source = "Wu 2019, appendix A"),
    FIELD_CHOICE(
        ArchSettings, norm, NORM_FIXUP, "batch|fixup|fixed|renorm|fixscale|fson",
        "what normalises activations; batch: batch norm; fixup: Fixup; fixed: trained gains, "
        "whose first values depend on the index of the block; renorm: batch renorm; fixscale: "
        "scales that are not trained and depend on the index of the block; fson: the scales of "
        "fixscale, trained gains, and a batch norm after the last block",
        .source = "KataGo, docs/KataGoMethods.md; Zhang et al. 2019; Ioffe 2017"),
    FIELD_CHOICE(ArchSettings, activation, ACTIVATION_RELU, "identity|relu|mish|silu|prelu|relu2",
                 "activation function; prelu learns a slope for each channel, and relu2 is the "
                 "square of relu",
                 .source = "Misra 2019 (mish); He et al. 2015 (prelu); So et al. 2021 (relu2)"),
    FIELD_BOOL(ArchSettings, score_distribution, true,
               "the net has a head for the distribution of the final score",
               .source = "Wu 2019, appendix A"),
    FIELD_BOOL(ArchSettings, go_features, true,
               "the net reads liberties, ladders, areas, the parity of komi, and whether a pass "
               "would end the phase of the game (under area scoring, the game)",
               .source = "Wu 2019, section 4 and appendix A"),
    FIELD_CHOICE(ArchSettings, policies, POLICIES_PLAIN, "plain|soft|optimistic|q_values|move",
                 "channels of the policy head; plain: the move and the opponent's reply; soft: "
                 "these and flattened policies; optimistic: also optimistic policies; q_values: "
                 "also values of moves; move: only the move",
                 .source = "KataGo, docs/KataGoMethods.md, python/katago/train/model_pytorch.py"),
    FIELD_BOOL(
        ArchSettings, auxiliary, false,
        "the net has heads that only train the trunk: later values, values in the search, boards "
        "in 8 and 32 turns, seki, scoring",
        .source = "KataGo, python/katago/train/model_pytorch.py; p3achygo", .omit_default = true),
    FIELD_BOOL(ArchSettings, td_errors, false,
               "with arch.auxiliary or the head td: a head for the squared errors of later values "
               "and scores",
               .source = "p3achygo, python/model.py", .omit_default = true),
    FIELD_DOUBLE(
        ArchSettings, norm_momentum, 0.99, 0, 0.999999,
        "decay of the running statistics of batch norm at each step (KataGo, p3achygo: 0.999)",
        .source = "Ioffe and Szegedy 2015", .omit_default = true),
    FIELD_DOUBLE(ArchSettings, norm_epsilon, 1e-4, 1e-8, 1,
                 "number added to the variance by batch norm (p3achygo, GoNN: 1e-3)",
                 .source = "Ioffe and Szegedy 2015; KataGo, python/katago/train",
                 .omit_default = true),
    FIELD_BOOL(ArchSettings, norm_gain, true,
               "batch norm has gains beside its biases (p3achygo, GoNN: false)",
               .source = "Ioffe and Szegedy 2015", .omit_default = true),
    FIELD_DOUBLE(ArchSettings, prelu_slope, 0.25, -1, 1,
                 "initial slope of prelu for inputs below 0; with -1 prelu begins as the "
                 "absolute value, with 0 as relu (GoNN), with 1 as the identity",
                 .source = "He et al. 2015; GoNN, README", .omit_default = true),
    FIELD_TEXT(
        ArchSettings, heads, "",
        "names of heads, joined by \"+\", that the net has beside its usual ones; a list with "
        "policy, value, score or ownership replaces the usual ones; in run.arch a name may also "
        "stand after a dash, as in b4c32-ladders",
        .omit_default = true),
    FIELD_TEXT(ArchSettings, block, "residual", "kind of the blocks that do not pool",
               .omit_default = true),
    FIELD_TEXT(ArchSettings, trunk, "",
               "all blocks of the trunk, such as (residual*2+pooled)*3; empty: as arch.blocks, "
               "arch.block and arch.pool_every say",
               .omit_default = true),
    FIELD_DOUBLE(ArchSettings, center_init, 0, 0, 0.99,
                 "extra initial weight in the middle of kernels; the square of this number is "
                 "the fraction of the variance that is due to the extra weight (KataGo, rvgi: "
                 "0.6; GoNN: about 0.3)",
                 .source = "KataGo, python/katago/train/model_pytorch.py; GoNN, model.py",
                 .omit_default = true),
    FIELD_CHOICE(ArchSettings, tip, TIP_AUTO, "auto|norm|rms|rms_board|none",
                 "norm after the last block; norm: the norm of arch.norm; rms: an RMS norm of "
                 "each point; rms_board: an RMS norm of the whole board; none: the heads read the "
                 "last block itself, without a norm and an activation; auto: rms_board if the "
                 "trunk has only blocks of transformers (attention, swiglu, ffn, encoder, gate, "
                 "embedding), otherwise norm",
                 .source = "KataGo, python/katago/train/model_pytorch.py (rsnh); none: "
                           "lczero-training, tfprocess.py",
                 .omit_default = true),
    FIELD_INT(ArchSettings, score_mixtures, 1, 1, 64,
              "number of distributions whose mixture is the distribution of the score; the net "
              "also computes the weights of the mixture (KataGo: 4 to 8, by the size of the net)",
              .source = "KataGo, python/katago/train/model_pytorch.py (num_scorebeliefs)",
              .omit_default = true),
    FIELD_DOUBLE(ArchSettings, score_scale_max, 0, 0, 1000,
                 "in nets with the head score_scale: the maximum of the factor that multiplies the "
                 "logits of the score distribution; 0: there is no limit (p3achygo: 10)",
                 .source = "p3achygo, python/model.py", .omit_default = true),
    FIELD_INT(ArchSettings, players, 0, 0, 1024,
              "width of a small network that reads who played (ranks, date, time limits, server), "
              "as in KataGo's nets for human play; 0: the net does not read this",
              .source = "KataGo, python/katago/train/model_pytorch.py (MetadataEncoder)",
              .omit_default = true),
    FIELD_INT(ArchSettings, ranks, 0, 0, 1024,
              "how many numbers the net learns for each rank; the numbers of the two players' "
              "ranks are added, and a matrix turns the sum into channels that are added to the "
              "output of the first convolution; 0: the net does not read ranks (GoNN: 8)",
              .source = "GoNN, model.py (use_ranks)", .omit_default = true),
    FIELD_INT(ArchSettings, policy_kernel, 1, 1, 19,
              "kernel width of the last convolution of the policy, odd (GoNN: 5)",
              .source = "GoNN, README", .omit_default = true),
    FIELD_INT(
        ArchSettings, policy_attention, 0, 0, 1024,
        "number of channels of a key; 0: the logits of the policy come from a convolution. "
        "Otherwise each point gets a key, and each policy gets a query, which is computed from "
        "the pooled board. The logit of a move is the product of its key and the query, as in "
        "attention (lczero-training: 384)",
        .source = "lczero-training, tfprocess.py (its form for Go is our own)",
        .omit_default = true),
    FIELD_INT(
        ArchSettings, policy_embedding, 0, 0, 4096,
        "with policy_attention: channels of a hidden layer (a matrix and an activation) that the "
        "keys, the queries and the pass read in place of the usual layers of the policy; 0: they "
        "read the usual layers (lczero-training: 512)",
        .source = "lczero-training, tfprocess.py (pol_emb)", .omit_default = true),
    FIELD_INT(ArchSettings, head_kernel, 1, 1, 19,
              "kernel width of the first convolutions of policy and value, odd (GoNN: 3)",
              .source = "GoNN, model.py", .omit_default = true),
    FIELD_BOOL(
        ArchSettings, head_crelu, false,
        "in the last hidden layers of policy, value and ladders, a concatenated ReLU takes the "
        "place of arch.activation; it doubles the number of channels",
        .source = "Shang et al. 2016; GoNN, README", .omit_default = true),
    FIELD_CHOICE(
        ArchSettings, pooling, POOLING_AUTO, "auto|mean_scale_max|mean_max|mean|mean_max_stdev",
        "what pooling blocks compute for each channel; mean_scale_max and auto: the mean, the "
        "mean scaled by the size of the board, and the maximum; mean_max: the mean and the "
        "maximum; mean: the mean; mean_max_stdev: the mean, the maximum and the standard "
        "deviation",
        .source = "Wu 2019, section 3.3; GoNN, model.py", .omit_default = true),
    FIELD_BOOL(
        ArchSettings, head_mean_max, false,
        "the policy pools only the mean and the maximum, and the value only the mean; neither "
        "pools means that are scaled by the size of the board",
        .source = "GoNN, model.py", .omit_default = true),
    FIELD_BOOL(ArchSettings, head_stdev, false,
               "with arch.head_mean_max: the policy pools the standard deviation too",
               .source = "GoNN, README", .omit_default = true),
    FIELD_DOUBLE(
        ArchSettings, start_center, 0, 0, 4,
        "scale of the initial weights of a 1 x 1 convolution that is trained beside the net's "
        "first convolution and merged into it for play; 0: there is none (GoNN: 0.3)",
        .source = "GoNN, model.py", .omit_default = true),
    FIELD_INT(ArchSettings, policy_pooled, 0, 0, 4096,
              "number of channels that the policy pools over the board; 0: as many as its hidden "
              "layer has (GoNN: 32, beside 48 of the hidden layer)",
              .source = "GoNN, model.py", .omit_default = true),
    FIELD_BOOL(ArchSettings, pass, true,
               "the policy also predicts the pass; a net without the pass passes only if there is "
               "no other move, and learns nothing from turns at which the players passed",
               .source = "GoNN, model.py", .omit_default = true),
    FIELD_CHOICE(
        ArchSettings, inputs, INPUTS_KATAGO, "katago|gonn26",
        "what the first layer of the net reads; katago: planes and numbers of KataGo's version 7; "
        "gonn26: GoNN's 26 planes of March 2018, which show more of liberties and ladders, but "
        "neither rules nor komi",
        .source = "Wu 2019, appendix A; GoNN, model.py", .omit_default = true),
    {0},
};

bool arch_reads_players(const ArchSettings *settings) {
    return settings->players || settings->ranks;
}

/* Returns whether the field has its default. */
static bool has_default(const SettingsField *field, const SettingsGroup *given,
                        const SettingsGroup *standard) {
    StrBuf value = {0}, standard_value = {0};
    bool same = !settings_get(given, field->name, &value, NULL) &&
                !settings_get(standard, field->name, &standard_value, NULL) &&
                strcmp(strbuf_text(&value), strbuf_text(&standard_value)) == 0;
    strbuf_clear(&value);
    strbuf_clear(&standard_value);
    return same;
}

void arch_note_text(const ArchSettings *settings, StrBuf *out) {
    ArchSettings given = *settings, standard;
    SettingsField fields[sizeof ARCH_FIELDS / sizeof *ARCH_FIELDS] = {{0}};
    const SettingsGroup all[] = {{"arch", ARCH_FIELDS, &given}, {0}},
                        defaults[] = {{"arch", ARCH_FIELDS, &standard}, {0}},
                        written[] = {{"arch", fields, &given}, {0}};
    size_t count = 0;
    settings_defaults(ARCH_FIELDS, &standard);
    for (const SettingsField *field = ARCH_FIELDS; field->name; field++) {
        if (!field->omit_default || !has_default(field, all, defaults)) fields[count++] = *field;
    }
    settings_write(written, out);
}

ArchText arch_text(const ArchSettings *settings) {
    ArchSettings given = *settings, standard;
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, &given}, {0}},
                        defaults[] = {{"arch", ARCH_FIELDS, &standard}, {0}};
    ArchText out;
    StrBuf words = {0}, value = {0}, standard_value = {0};
    settings_defaults(ARCH_FIELDS, &standard);
    standard.blocks = given.blocks;
    standard.channels = given.channels;
    strbuf_addf(&words, "b%dc%d", given.blocks, given.channels);
    for (const SettingsField *field = ARCH_FIELDS; field->name; field++) {
        strbuf_reset(&value);
        strbuf_reset(&standard_value);
        if (settings_get(groups, field->name, &value, NULL) ||
            settings_get(defaults, field->name, &standard_value, NULL))
            continue;
        if (strcmp(strbuf_text(&value), strbuf_text(&standard_value)) != 0)
            strbuf_addf(&words, ",%s=%s", field->name, strbuf_text(&value));
    }
    snprintf(out.text, sizeof out.text, "%s", strbuf_text(&words));
    strbuf_clear(&words);
    strbuf_clear(&value);
    strbuf_clear(&standard_value);
    return out;
}
