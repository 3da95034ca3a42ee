#include "eval/formats/lc0/lc0_fields.h"

#include <string.h>

/* The tables follow LeelaChessZero/lczero-common, proto/net.proto. Encodings other than LINEAR16
 * are those of later versions of lc0. */

#define LAYER(n, name_)                                                                            \
    { .number = (n), .name = (name_), .kind = LC0_LAYER }
#define MESSAGE(n, name_, fields_)                                                                 \
    { .number = (n), .name = (name_), .kind = LC0_MESSAGE, .fields = (fields_) }
#define REPEATED(n, name_, fields_)                                                                \
    { .number = (n), .name = (name_), .kind = LC0_MESSAGE, .fields = (fields_), .repeated = true }
#define PLAIN(n, name_, kind_)                                                                     \
    { .number = (n), .name = (name_), .kind = (kind_) }
#define WORD(n, name_, words_)                                                                     \
    { .number = (n), .name = (name_), .kind = LC0_WORD, .words = (words_) }

static const Lc0Field CONV[] = {LAYER(1, "weights"),
                                LAYER(2, "biases"),
                                LAYER(3, "bn_means"),
                                LAYER(4, "bn_stddivs"),
                                LAYER(5, "bn_gammas"),
                                LAYER(6, "bn_betas"),
                                {0}};
static const Lc0Field SE[] = {LAYER(1, "w1"), LAYER(2, "b1"), LAYER(3, "w2"), LAYER(4, "b2"), {0}};
static const Lc0Field RESIDUAL[] = {
    MESSAGE(1, "conv1", CONV), MESSAGE(2, "conv2", CONV), MESSAGE(3, "se", SE), {0}};
static const Lc0Field SMOLGEN[] = {LAYER(1, "compress"),  LAYER(2, "dense1_w"),
                                   LAYER(3, "dense1_b"),  LAYER(4, "ln1_gammas"),
                                   LAYER(5, "ln1_betas"), LAYER(6, "dense2_w"),
                                   LAYER(7, "dense2_b"),  LAYER(8, "ln2_gammas"),
                                   LAYER(9, "ln2_betas"), {0}};
static const Lc0Field MHA[] = {LAYER(1, "q_w"),
                               LAYER(2, "q_b"),
                               LAYER(3, "k_w"),
                               LAYER(4, "k_b"),
                               LAYER(5, "v_w"),
                               LAYER(6, "v_b"),
                               LAYER(7, "dense_w"),
                               LAYER(8, "dense_b"),
                               MESSAGE(9, "smolgen", SMOLGEN),
                               LAYER(10, "rpe_q"),
                               LAYER(11, "rpe_k"),
                               LAYER(12, "rpe_v"),
                               {0}};
static const Lc0Field FFN[] = {
    LAYER(1, "dense1_w"), LAYER(2, "dense1_b"), LAYER(3, "dense2_w"), LAYER(4, "dense2_b"), {0}};
static const Lc0Field ENCODER[] = {MESSAGE(1, "mha", MHA),
                                   LAYER(2, "ln1_gammas"),
                                   LAYER(3, "ln1_betas"),
                                   MESSAGE(4, "ffn", FFN),
                                   LAYER(5, "ln2_gammas"),
                                   LAYER(6, "ln2_betas"),
                                   {0}};
static const Lc0Field POLICY_HEAD[] = {LAYER(1, "ip_pol_w"),
                                       LAYER(2, "ip_pol_b"),
                                       LAYER(3, "ip2_pol_w"),
                                       LAYER(4, "ip2_pol_b"),
                                       LAYER(5, "ip3_pol_w"),
                                       LAYER(6, "ip3_pol_b"),
                                       LAYER(7, "ip4_pol_w"),
                                       REPEATED(8, "pol_encoder", ENCODER),
                                       PLAIN(9, "pol_headcount", LC0_WHOLE),
                                       MESSAGE(10, "policy1", CONV),
                                       MESSAGE(11, "policy", CONV),
                                       {0}};
static const Lc0Field VALUE_HEAD[] = {
    LAYER(1, "ip_val_w"),      LAYER(2, "ip_val_b"),       LAYER(3, "ip1_val_w"),
    LAYER(4, "ip1_val_b"),     LAYER(5, "ip2_val_w"),      LAYER(6, "ip2_val_b"),
    LAYER(7, "ip_val_err_w"),  LAYER(8, "ip_val_err_b"),   LAYER(9, "ip_val_cat_w"),
    LAYER(10, "ip_val_cat_b"), MESSAGE(11, "value", CONV), {0}};
static const Lc0Field POLICY_MAP[] = {
    PLAIN(1, "key", LC0_TEXT), MESSAGE(2, "value", POLICY_HEAD), {0}};
static const Lc0Field POLICY_HEADS[] = {LAYER(1, "ip_pol_w"),
                                        LAYER(2, "ip_pol_b"),
                                        MESSAGE(3, "vanilla", POLICY_HEAD),
                                        MESSAGE(4, "optimistic_st", POLICY_HEAD),
                                        MESSAGE(5, "soft", POLICY_HEAD),
                                        MESSAGE(6, "opponent", POLICY_HEAD),
                                        REPEATED(7, "policy_head_map", POLICY_MAP),
                                        {0}};
static const Lc0Field VALUE_MAP[] = {
    PLAIN(1, "key", LC0_TEXT), MESSAGE(2, "value", VALUE_HEAD), {0}};
static const Lc0Field VALUE_HEADS[] = {MESSAGE(1, "winner", VALUE_HEAD),
                                       MESSAGE(2, "q", VALUE_HEAD),
                                       MESSAGE(3, "st", VALUE_HEAD),
                                       REPEATED(4, "value_head_map", VALUE_MAP),
                                       {0}};
static const Lc0Field WEIGHTS[] = {MESSAGE(1, "input", CONV),
                                   REPEATED(2, "residual", RESIDUAL),
                                   LAYER(37, "ip_emb_preproc_w"),
                                   LAYER(38, "ip_emb_preproc_b"),
                                   LAYER(25, "ip_emb_w"),
                                   LAYER(26, "ip_emb_b"),
                                   LAYER(39, "ip_emb_ln_gammas"),
                                   LAYER(40, "ip_emb_ln_betas"),
                                   LAYER(33, "ip_mult_gate"),
                                   LAYER(34, "ip_add_gate"),
                                   MESSAGE(41, "ip_emb_ffn", FFN),
                                   LAYER(42, "ip_emb_ffn_ln_gammas"),
                                   LAYER(43, "ip_emb_ffn_ln_betas"),
                                   REPEATED(27, "encoder", ENCODER),
                                   PLAIN(28, "headcount", LC0_WHOLE),
                                   REPEATED(21, "pol_encoder", ENCODER),
                                   PLAIN(24, "pol_headcount", LC0_WHOLE),
                                   MESSAGE(11, "policy1", CONV),
                                   MESSAGE(3, "policy", CONV),
                                   LAYER(4, "ip_pol_w"),
                                   LAYER(5, "ip_pol_b"),
                                   LAYER(17, "ip2_pol_w"),
                                   LAYER(18, "ip2_pol_b"),
                                   LAYER(19, "ip3_pol_w"),
                                   LAYER(20, "ip3_pol_b"),
                                   LAYER(22, "ip4_pol_w"),
                                   MESSAGE(6, "value", CONV),
                                   LAYER(29, "ip_val_w"),
                                   LAYER(30, "ip_val_b"),
                                   LAYER(7, "ip1_val_w"),
                                   LAYER(8, "ip1_val_b"),
                                   LAYER(9, "ip2_val_w"),
                                   LAYER(10, "ip2_val_b"),
                                   MESSAGE(44, "value_heads", VALUE_HEADS),
                                   MESSAGE(45, "policy_heads", POLICY_HEADS),
                                   MESSAGE(12, "moves_left", CONV),
                                   LAYER(31, "ip_mov_w"),
                                   LAYER(32, "ip_mov_b"),
                                   LAYER(13, "ip1_mov_w"),
                                   LAYER(14, "ip1_mov_b"),
                                   LAYER(15, "ip2_mov_w"),
                                   LAYER(16, "ip2_mov_b"),
                                   LAYER(35, "smolgen_w"),
                                   LAYER(36, "smolgen_b"),
                                   {0}};

static const Lc0Field TRAINING[] = {PLAIN(1, "training_steps", LC0_WHOLE),
                                    PLAIN(2, "learning_rate", LC0_FLOAT),
                                    PLAIN(3, "mse_loss", LC0_FLOAT),
                                    PLAIN(4, "policy_loss", LC0_FLOAT),
                                    PLAIN(5, "accuracy", LC0_FLOAT),
                                    PLAIN(6, "lc0_params", LC0_TEXT),
                                    {0}};

static const Lc0Word INPUTS[] = {{0, "INPUT_UNKNOWN"},
                                 {1, "INPUT_CLASSICAL_112_PLANE"},
                                 {2, "INPUT_112_WITH_CASTLING_PLANE"},
                                 {3, "INPUT_112_WITH_CANONICALIZATION"},
                                 {4, "INPUT_112_WITH_CANONICALIZATION_HECTOPLIES"},
                                 {132, "INPUT_112_WITH_CANONICALIZATION_HECTOPLIES_ARMAGEDDON"},
                                 {5, "INPUT_112_WITH_CANONICALIZATION_V2"},
                                 {133, "INPUT_112_WITH_CANONICALIZATION_V2_ARMAGEDDON"},
                                 {0, NULL}};
static const Lc0Word OUTPUTS[] = {
    {0, "OUTPUT_UNKNOWN"}, {1, "OUTPUT_CLASSICAL"}, {2, "OUTPUT_WDL"}, {0, NULL}};
static const Lc0Word NETWORKS[] = {{0, "NETWORK_UNKNOWN"},
                                   {1, "NETWORK_CLASSICAL"},
                                   {2, "NETWORK_SE"},
                                   {3, "NETWORK_CLASSICAL_WITH_HEADFORMAT"},
                                   {4, "NETWORK_SE_WITH_HEADFORMAT"},
                                   {5, "NETWORK_ONNX"},
                                   {6, "NETWORK_ATTENTIONBODY_WITH_HEADFORMAT"},
                                   {7, "NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT"},
                                   {134, "NETWORK_AB_LEGACY_WITH_MULTIHEADFORMAT"},
                                   {0, NULL}};
static const Lc0Word POLICIES[] = {{0, "POLICY_UNKNOWN"},
                                   {1, "POLICY_CLASSICAL"},
                                   {2, "POLICY_CONVOLUTION"},
                                   {3, "POLICY_ATTENTION"},
                                   {0, NULL}};
static const Lc0Word VALUES[] = {
    {0, "VALUE_UNKNOWN"}, {1, "VALUE_CLASSICAL"}, {2, "VALUE_WDL"}, {3, "VALUE_PARAM"}, {0, NULL}};
static const Lc0Word MOVES_LEFT[] = {{0, "MOVES_LEFT_NONE"}, {1, "MOVES_LEFT_V1"}, {0, NULL}};
static const Lc0Word ACTIVATIONS[] = {{0, "ACTIVATION_DEFAULT"},
                                      {1, "ACTIVATION_MISH"},
                                      {2, "ACTIVATION_RELU"},
                                      {3, "ACTIVATION_NONE"},
                                      {4, "ACTIVATION_TANH"},
                                      {5, "ACTIVATION_SIGMOID"},
                                      {6, "ACTIVATION_SELU"},
                                      {7, "ACTIVATION_SWISH"},
                                      {8, "ACTIVATION_RELU_2"},
                                      {9, "ACTIVATION_SOFTMAX"},
                                      {0, NULL}};
static const Lc0Word DEFAULTS[] = {
    {0, "DEFAULT_ACTIVATION_RELU"}, {1, "DEFAULT_ACTIVATION_MISH"}, {0, NULL}};
static const Lc0Word EMBEDDINGS[] = {{0, "INPUT_EMBEDDING_NONE"},
                                     {1, "INPUT_EMBEDDING_PE_MAP"},
                                     {2, "INPUT_EMBEDDING_PE_DENSE"},
                                     {0, NULL}};
const Lc0Word LC0_ENCODINGS[] = {{LC0_ENCODING_UNKNOWN, "UNKNOWN"}, {LC0_LINEAR16, "LINEAR16"},
                                 {LC0_FLOAT16, "FLOAT16"},          {LC0_BFLOAT16, "BFLOAT16"},
                                 {LC0_FLOAT32, "FLOAT32"},          {0, NULL}};

static const Lc0Field NETWORK_FORMAT[] = {WORD(1, "input", INPUTS),
                                          WORD(2, "output", OUTPUTS),
                                          WORD(3, "network", NETWORKS),
                                          WORD(4, "policy", POLICIES),
                                          WORD(5, "value", VALUES),
                                          WORD(6, "moves_left", MOVES_LEFT),
                                          WORD(7, "default_activation", DEFAULTS),
                                          WORD(8, "smolgen_activation", ACTIVATIONS),
                                          WORD(9, "ffn_activation", ACTIVATIONS),
                                          WORD(10, "input_embedding", EMBEDDINGS),
                                          {0}};
static const Lc0Field FORMAT[] = {
    WORD(1, "weights_encoding", LC0_ENCODINGS), MESSAGE(2, "network_format", NETWORK_FORMAT), {0}};
static const Lc0Field VERSION[] = {
    PLAIN(1, "major", LC0_WHOLE), PLAIN(2, "minor", LC0_WHOLE), PLAIN(3, "patch", LC0_WHOLE), {0}};
static const Lc0Field ONNX[] = {
    PLAIN(1, "model", LC0_BYTES),       PLAIN(2, "data_type", LC0_WHOLE),
    PLAIN(3, "input_planes", LC0_TEXT), PLAIN(4, "output_value", LC0_TEXT),
    PLAIN(5, "output_wdl", LC0_TEXT),   PLAIN(6, "output_policy", LC0_TEXT),
    PLAIN(7, "output_mlh", LC0_TEXT),   {0}};
const Lc0Field LC0_NET_FIELDS[] = {PLAIN(1, "magic", LC0_FIXED),
                                   PLAIN(2, "license", LC0_TEXT),
                                   MESSAGE(3, "min_version", VERSION),
                                   MESSAGE(4, "format", FORMAT),
                                   MESSAGE(5, "training_params", TRAINING),
                                   MESSAGE(10, "weights", WEIGHTS),
                                   MESSAGE(11, "onnx_model", ONNX),
                                   {0}};

const Lc0Field *lc0_field_of_number(const Lc0Field *fields, uint32_t number) {
    while (fields->number && fields->number != number)
        fields++;
    return fields->number ? fields : NULL;
}

const Lc0Field *lc0_field_of_name(const Lc0Field *fields, const char *name) {
    while (fields->number && strcmp(fields->name, name) != 0)
        fields++;
    return fields->number ? fields : NULL;
}

const char *lc0_word(const Lc0Word *words, uint64_t value) {
    for (; words->name; words++) {
        if (words->value == value) return words->name;
    }
    return NULL;
}
