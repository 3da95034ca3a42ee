/* golden_nets.h - the tiny nets that KataGo evaluated for tests/golden. They cover the model
 * versions 3 to 17, all kinds of block, and the activations ReLU, Mish and SiLU. The repository
 * does not contain the nets as files, because the entry of a net in this table determines all its
 * weights (see made_katago_net.h). The program write_golden_nets writes the files for KataGo. */
#pragma once
#include "eval/made_katago_net.h"

#define WIDTHS .widths = {12, 8, 6}
#define RELU "ACTIVATION_RELU"
#define SILU "ACTIVATION_SILU"

static const MadeNet GOLDEN_NETS[] = {
    {3, "ogo", .name = "tiny-v3-relu", .seed = 3, WIDTHS, .kernel = 5},
    {4, "ogo", .name = "tiny-v4-relu", .seed = 4, WIDTHS, .kernel = 5, .binary = true},
    {5, "go", .name = "tiny-v5-relu", .seed = 5, WIDTHS, .kernel = 5},
    {6, "ogg", .name = "tiny-v6-relu", .seed = 6, WIDTHS, .kernel = 5, .binary = true},
    {7, "ogo", .name = "tiny-v7-relu", .seed = 7, WIDTHS, .kernel = 5, .binary = true},
    {8, "oog", .name = "tiny-v8-relu", .seed = 8, WIDTHS, .kernel = 5},
    {9, "ogo", .name = "tiny-v9-relu", .seed = 9, WIDTHS, .binary = true},
    {10, "gg", .name = "tiny-v10-relu", .seed = 10, WIDTHS, .binary = true},
    {11, "nm", .name = "tiny-v11-mish-nested", .seed = 11, WIDTHS, .binary = true},
    {12, "ogo", .name = "tiny-v12-mish", .seed = 12, WIDTHS, .binary = true},
    {13, "ogn", .name = "tiny-v13-silu-multipliers", .seed = 13, WIDTHS, .activation = SILU,
     .multipliers = "15 18 22 17 35 0.3 140"},
    {14, "mno", .name = "tiny-v14-mish-nested", .seed = 14, WIDTHS, .binary = true},
    {15, "ogo", .name = "tiny-v15-mish", .seed = 15, WIDTHS, .binary = true},
    {15, "om", .name = "tiny-v15-human", .seed = 115, WIDTHS, .binary = true, .metadata = true},
    {15, "og", .name = "tiny-v15-relu-passalive", .seed = 215, WIDTHS, .activation = RELU,
     .passalive = true},
    {16, "og", .name = "tiny-v16-values", .seed = 16, WIDTHS, .binary = true},
    {17, "afaf", .name = "tiny-v17-rotary", .seed = 17, WIDTHS, .binary = true, .activation = SILU,
     .rms_tip = true, .point_tip = true},
    {17, "rfrf", .name = "tiny-v17-learned", .seed = 117, WIDTHS, .binary = true,
     .activation = RELU},
    {17, "mafn", .name = "tiny-v17-mixed-values", .seed = 217, WIDTHS, .binary = true,
     .rms_tip = true, .move_values = true},
    {17, "pfo", .name = "tiny-v17-unplaced-passalive", .seed = 317, WIDTHS, .passalive = true},
    {17, "gfa", .name = "tiny-v17-human", .seed = 417, WIDTHS, .metadata = true, .rms_tip = true,
     .multipliers = "20 20 20 20 40 0.25 30"},
};
enum { GOLDEN_NET_COUNT = sizeof GOLDEN_NETS / sizeof *GOLDEN_NETS };
#undef WIDTHS
#undef RELU
#undef SILU

/* Returns NULL if there is no net of that name. */
static inline const MadeNet *golden_net(const char *name) {
    for (int i = 0; i < GOLDEN_NET_COUNT; i++) {
        if (strcmp(GOLDEN_NETS[i].name, name) == 0) return &GOLDEN_NETS[i];
    }
    return NULL;
}
