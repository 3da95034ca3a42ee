#include "eval/features/model_format.h"

#include "base/settings.h"

const ModelFormat MODEL_FORMAT_DEFAULT = {14, true, false, false, 20, {20, 20, 20, 40, 0.25, 150}};

#define MULTIPLIER(field, value, help)                                                             \
    FIELD_DOUBLE(ModelFormat, field, value, 1e-30, 1e30, help,                                     \
                 .source = "KataGo, cpp/neuralnet/desc.cpp")

static const SettingsField FIELDS[] = {
    FIELD_INT(ModelFormat, version, 14, 3, 17, "version of KataGo's models",
              .source = "KataGo, cpp/neuralnet/modelversion.cpp"),
    FIELD_BOOL(ModelFormat, own_policies, true, "the policies are those of our trainer"),
    FIELD_BOOL(ModelFormat, passalive_under_suicide, false,
               "features show pass-alive areas as if suicide were legal"),
    FIELD_BOOL(ModelFormat, metadata, false, "the net is conditioned on the players"),
    MULTIPLIER(td_score, 20, "multiplier of short-term scores"),
    MULTIPLIER(score.mean, 20, "multiplier of the mean score"),
    MULTIPLIER(score.stdev, 20, "multiplier of the score's deviation"),
    MULTIPLIER(score.lead, 20, "multiplier of the lead"),
    MULTIPLIER(score.var_time, 40, "multiplier of the turns until the values settle"),
    MULTIPLIER(score.shortterm_winloss, 0.25, "multiplier of the short-term error of win - loss"),
    MULTIPLIER(score.shortterm_score, 150, "multiplier of the short-term error of the score"),
    {0},
};

Status model_format_of(const Net *net, ModelFormat *out, Error *err) {
    *out = MODEL_FORMAT_DEFAULT;
    const char *text = net_note(net, "meaning");
    const SettingsGroup groups[] = {{"meaning", FIELDS, out}, {0}};
    return text ? settings_parse_note(groups, text, "the net's model format", err) : OK;
}

Status model_format_note(Net *net, const ModelFormat *model_format, Error *err) {
    ModelFormat copy = *model_format;
    StrBuf text = {0};
    const SettingsGroup groups[] = {{"meaning", FIELDS, &copy}, {0}};
    settings_write(groups, &text);
    Status status = strbuf_status(&text, err);
    if (!status) status = net_set_note(net, "meaning", strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

int model_format_features(const ModelFormat *model_format) {
    int version = model_format->version;
    return version >= 8 ? 7 : version >= 5 ? version - 1 : 3;
}

int model_format_min_policies(const ModelFormat *model_format) {
    if (model_format->own_policies) return 2;
    return model_format->version < 12 ? 1 : model_format->version == 16 ? 4 : 2;
}

bool model_format_has_policies(const ModelFormat *model_format, int channels) {
    if (model_format->own_policies)
        return channels == 1 ||
               (channels >= 2 && channels <= POLICY_CHANNELS_MAX && channels % 2 == 0);
    if (model_format->version == 17) return channels == 2 || channels == 4;
    return channels == model_format_min_policies(model_format);
}

PolicyChannels model_format_policies(const ModelFormat *model_format, int channels) {
    static const int OF_KATAGO[] = {POLICY_OWN, POLICY_OPTIMISTIC, POLICY_Q_WINLOSS,
                                    POLICY_Q_SCORE};
    PolicyChannels out = {.count = channels};
    for (int i = 0; i < POLICY_CHANNELS_MAX; i++)
        out.at[i] = model_format->own_policies && i < channels ? i : -1;
    for (int i = 0; !model_format->own_policies && i < channels; i++)
        out.at[OF_KATAGO[i]] = i;
    return out;
}

int model_format_score_channels(const ModelFormat *model_format) {
    int version = model_format->version;
    return version >= 9 ? 6 : version == 8 ? 4 : version >= 4 ? 2 : 1;
}

Rules model_format_rules(const ModelFormat *model_format, const Rules *rules) {
    Rules known = *rules;
    if (model_format->own_policies) return known; /* our own nets are trained under all rules */
    if (known.ko == KO_SPIGHT) known.ko = KO_SITUATIONAL;
    if (model_format->version <= 6) {
        if (known.ko == KO_SIMPLE) known.ko = KO_SITUATIONAL;
        known.scoring = SCORING_AREA;
        known.tax = TAX_NONE;
        known.button = false;
    }
    if (known.scoring == SCORING_TERRITORY) known.button = false;
    return known;
}
