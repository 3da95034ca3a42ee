#!/usr/bin/env python3
"""Compares Aji's net files in lc0's format with lczero-training's own reader and writer.

    lczero.py --lczero FOLDER check NET.pb.gz NET.aji    compares all weights
    lczero.py --lczero FOLDER golden OUT                 makes the files of tests/golden/lc0

FOLDER is the folder `tf` of lczero-training, with the compiled net.proto in its subfolder `proto`;
README.md says how to make it. `check` reads NET.pb.gz with lczero-training's class Net and compares
each tensor with the weights of NET.aji, from which Aji wrote it. `golden` lets this class write
three small nets for chess with random weights, and computes the outputs of these nets with numpy,
by the formulas of tfprocess.py and, for the net `dense`, of lc0.
"""
import argparse
import gzip
import json
import math
import os
import sys

import numpy as np

SQUARES, PLANES = 64, 112


# ------------------------------------------------------------------ the nets for chess


def mish(x):
    return x * np.tanh(np.log1p(np.exp(x)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def layer_norm(x, gain, bias, epsilon):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * gain + bias


def position():
    """The input (planes, squares); tests/eval/test_lc0_golden.c computes the same numbers."""
    planes = np.zeros((PLANES, SQUARES))
    for p in range(PLANES):
        for s in range(SQUARES):
            planes[p, s] = (p * 31 + s * 17 + p * s) % 7 / 7
    planes[PLANES - 1] = 1
    return planes


class Weights:
    """Draws weights in the layout of TensorFlow and remembers them under their names."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.list = []

    def new(self, name, *shape, scale=None, offset=0.0):
        fan_in = int(np.prod(shape[:-1])) if len(shape) > 1 else 1
        scale = scale if scale is not None else 1 / math.sqrt(fan_in)
        values = (offset + scale * self.random.standard_normal(shape)).astype(np.float32)
        self.list.append((name, values))

    def dense(self, name, inputs, outputs, bias=True):
        self.new(name + "/kernel:0", inputs, outputs)
        if bias:
            self.new(name + "/bias:0", outputs, scale=0.3)

    def norm(self, name, channels):
        self.new(name + "/gamma:0", channels, scale=0.2, offset=1)
        self.new(name + "/beta:0", channels, scale=0.2)

    def batch_norm(self, name, channels, gamma):
        if gamma:
            self.new(name + "/gamma:0", channels, scale=0.2, offset=1)
        self.new(name + "/beta:0", channels, scale=0.2)
        self.new(name + "/moving_mean:0", channels, scale=0.2)
        values = (0.5 + self.random.random(channels)).astype(np.float32)
        self.list.append((name + "/moving_variance:0", values))


def heads(w, channels, convolutional):
    for head, width in (("value", 3), ("moves_left", 1)):
        if convolutional:
            w.new(head + "/conv2d/kernel:0", 1, 1, channels, 2)
            w.batch_norm(head + "/bn", 2, False)
        else:
            w.dense(head + "/embedding", channels, 2)
        w.dense(head + "/dense1", SQUARES * 2, 5)
        w.dense(head + "/dense2", 5, width)


def attention_weights():
    channels, heads_count, inner = 8, 2, 12
    w = Weights(1)
    w.dense("embedding", PLANES, channels)
    w.new("embedding/mult_gate/gate:0", SQUARES, channels, scale=0.2, offset=1)
    w.new("embedding/add_gate/gate:0", SQUARES, channels, scale=0.3)
    w.new("smol_weight_gen/kernel:0", 3, SQUARES * SQUARES)
    for i in range(1, 3):
        name = "encoder_%d/" % i
        for matrix in ("wq", "wk", "wv", "dense"):
            w.dense(name + "mha/" + matrix, channels, channels)
        w.dense(name + "mha/smolgen/compress", channels, 2, bias=False)
        w.dense(name + "mha/smolgen/hidden1_dense", SQUARES * 2, 4)
        w.norm(name + "mha/smolgen/hidden1_ln", 4)
        w.dense(name + "mha/smolgen/gen_from", 4, heads_count * 3)
        w.norm(name + "mha/smolgen/gen_from_ln", heads_count * 3)
        w.norm(name + "ln1", channels)
        w.dense(name + "ffn/dense1", channels, inner)
        w.dense(name + "ffn/dense2", inner, channels)
        w.norm(name + "ln2", channels)
    w.dense("policy/embedding", channels, 4)
    w.dense("policy/attention/wq", 4, 4)
    w.dense("policy/attention/wk", 4, 4)
    w.dense("policy/attention/ppo", 4, 4, bias=False)
    heads(w, channels, False)
    return w.list


def tower_weights():
    channels = 4
    w = Weights(2)
    w.new("input/conv2d/kernel:0", 3, 3, PLANES, channels)
    w.batch_norm("input/bn", channels, True)
    for i in range(1, 3):
        name = "residual_%d/" % i
        for k in (1, 2):
            w.new(name + "%d/conv2d/kernel:0" % k, 3, 3, channels, channels)
            w.batch_norm(name + "%d/bn" % k, channels, k == 2)
        w.dense(name + "se/dense1", channels, 2)
        w.dense(name + "se/dense2", 2, 2 * channels)
    w.new("policy/conv2d/kernel:0", 1, 1, channels, 2)
    w.batch_norm("policy/bn", 2, False)
    w.dense("policy/dense", SQUARES * 2, 16)  # lc0 has 1858 moves; a test needs no more than some
    heads(w, channels, True)
    return w.list


class Stored:
    """The weights as they stand in a file, in the layout of TensorFlow."""

    def __init__(self, net, weights):
        decoded = net.get_weights_v2([name for name, _ in weights])
        self.values = {}
        for name, values in weights:
            # The writer divides the weights of the 50-move counter by 99.
            flat = decoded[name].astype(np.float64)
            if values.ndim == 4:
                shape = (values.shape[3], values.shape[2], values.shape[0], values.shape[1])
                self.values[name] = flat.reshape(shape)  # (out, in, height, width)
            elif values.ndim == 2:
                self.values[name] = flat.reshape(values.shape[::-1]).transpose()
            else:
                self.values[name] = flat

    def __getitem__(self, name):
        return self.values[name + ":0"]

    def dense(self, name, x):
        bias = self.values.get(name + "/bias:0", 0)
        return x @ self[name + "/kernel"] + bias

    def norm(self, name, x, epsilon):
        return layer_norm(x, self[name + "/gamma"], self[name + "/beta"], epsilon)

    def convolution(self, name, x):
        """x: (channels, 8, 8)"""
        kernel = self[name + "/kernel"]
        reach = kernel.shape[2] // 2
        padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach)))
        out = np.zeros((kernel.shape[0], 8, 8))
        for dy in range(kernel.shape[2]):
            for dx in range(kernel.shape[3]):
                out += np.einsum(
                    "oi,ihw->ohw", kernel[:, :, dy, dx], padded[:, dy : dy + 8, dx : dx + 8]
                )
        return out

    def batch_norm(self, name, x):
        gamma = self.values.get(name + "/gamma:0", 1.0)
        scale = gamma / np.sqrt(self[name + "/moving_variance"] + 1e-5)
        shift = self[name + "/beta"] - scale * self[name + "/moving_mean"]
        return x * np.asarray(scale)[:, None, None] + shift[:, None, None]


def run_attention(w):
    heads_count, layers = 2, 2
    alpha = (2 * layers) ** 0.25
    x = mish(w.dense("embedding", position().transpose()))
    x = x * w["embedding/mult_gate/gate"] + w["embedding/add_gate/gate"]
    for i in range(1, layers + 1):
        name = "encoder_%d/" % i
        q, k, v = (w.dense(name + "mha/w" + letter, x) for letter in "qkv")
        width = q.shape[1] // heads_count
        swish = lambda t: t * sigmoid(t)
        z = (x @ w[name + "mha/smolgen/compress/kernel"]).reshape(-1)
        z = w.norm(
            name + "mha/smolgen/hidden1_ln",
            swish(w.dense(name + "mha/smolgen/hidden1_dense", z)),
            1e-3,
        )
        z = w.norm(
            name + "mha/smolgen/gen_from_ln", swish(w.dense(name + "mha/smolgen/gen_from", z)), 1e-3
        )
        maps = z.reshape(heads_count, -1) @ w["smol_weight_gen/kernel"]
        joined = np.zeros_like(q)
        for h in range(heads_count):
            part = slice(h * width, (h + 1) * width)
            logits = q[:, part] @ k[:, part].transpose() / math.sqrt(width)
            logits = logits + maps[h].reshape(SQUARES, SQUARES)
            joined[:, part] = softmax(logits) @ v[:, part]
        x = w.norm(name + "ln1", x * alpha + w.dense(name + "mha/dense", joined), 1e-6)
        f = np.maximum(w.dense(name + "ffn/dense1", x), 0) ** 2
        x = w.norm(name + "ln2", x * alpha + w.dense(name + "ffn/dense2", f), 1e-6)
    outputs = run_heads(w, mish, lambda head: mish(w.dense(head + "/embedding", x)).reshape(-1))
    t = mish(w.dense("policy/embedding", x))
    keys = w.dense("policy/attention/wk", t)
    outputs += [
        ("policy_queries", w.dense("policy/attention/wq", t)),
        ("policy_keys", keys),
        ("policy_promotions", w.dense("policy/attention/ppo", keys)),
    ]
    return [("trunk", x)] + outputs


def run_tower(w):
    relu = lambda t: np.maximum(t, 0)
    x = relu(w.batch_norm("input/bn", w.convolution("input/conv2d", position().reshape(-1, 8, 8))))
    for i in range(1, 3):
        name = "residual_%d/" % i
        y = relu(w.batch_norm(name + "1/bn", w.convolution(name + "1/conv2d", x)))
        y = w.batch_norm(name + "2/bn", w.convolution(name + "2/conv2d", y))
        z = w.dense(name + "se/dense2", relu(w.dense(name + "se/dense1", y.mean(axis=(1, 2)))))
        gain, shift = np.split(z, 2)
        x = relu(x + y * sigmoid(gain)[:, None, None] + shift[:, None, None])
    flat = lambda head: relu(
        w.batch_norm(head + "/bn", w.convolution(head + "/conv2d", x))
    ).reshape(-1)
    return (
        [("trunk", x.reshape(-1, SQUARES).transpose())]
        + run_heads(w, relu, flat)
        + [("policy", w.dense("policy/dense", flat("policy")))]
    )


def dense_net(lczero, f):
    """A net like BT3: a matrix over all squares gives further planes, and norms and a feed-forward
    layer follow the embedding. lczero-training's class Net has no names for these weights, so they
    are put into the message by hand. Returns the net and its outputs."""
    channels, heads_count, inner, extra, layers = 8, 2, 12, 1, 2
    alpha, random = (2 * layers) ** -0.25, np.random.default_rng(3)
    net = lczero.Net(
        net=f.NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT,
        input=f.INPUT_112_WITH_CANONICALIZATION_V2,
        value=f.VALUE_WDL,
        policy=f.POLICY_ATTENTION,
        moves_left=f.MOVES_LEFT_V1,
    )
    net.pb.min_version.minor = 31
    net.set_defaultactivation(f.DEFAULT_ACTIVATION_MISH)
    net.pb.format.network_format.input_embedding = f.INPUT_EMBEDDING_PE_DENSE
    net.set_headcount(heads_count)
    weights = net.pb.weights

    def put(layer, values):
        """Puts the values into the file, and returns them as they stand there."""
        values = np.asarray(values, np.float32)
        net.fill_layer_v2(layer, values)
        return net.denorm_layer_v2(layer).astype(np.float64).reshape(values.shape)

    def new(layer, *shape, offset=0.0, scale=None):
        scale = scale if scale is not None else 1 / math.sqrt(shape[-1])
        return put(layer, offset + scale * random.standard_normal(shape))

    def dense(w, b, inputs, outputs):
        matrix, bias = new(w, outputs, inputs), new(b, outputs, scale=0.3)
        return lambda x: x @ matrix.transpose() + bias

    def norm(gammas, betas):
        gain, bias = new(gammas, channels, offset=1, scale=0.2), new(betas, channels, scale=0.2)
        return lambda x: layer_norm(x, gain, bias, 1e-3)

    def feed_forward(message):
        up = dense(message.dense1_w, message.dense1_b, channels, inner)
        down = dense(message.dense2_w, message.dense2_b, inner, channels)
        return lambda x: down(mish(up(x)))

    tokens = position().transpose()
    # Most weights of the matrix over all squares are 0, so that the file stays small.
    sparse = random.standard_normal((SQUARES * extra, SQUARES * 12))
    sparse = np.round(2 * sparse) / 2 * (random.random(sparse.shape) < 0.01)
    matrix = put(weights.ip_emb_preproc_w, sparse)
    bias = new(weights.ip_emb_preproc_b, SQUARES * extra, scale=0.3)
    planes = (matrix @ tokens[:, :12].reshape(-1) + bias).reshape(SQUARES, extra)
    x = mish(
        dense(weights.ip_emb_w, weights.ip_emb_b, PLANES + extra, channels)(
            np.hstack([tokens, planes])
        )
    )
    x = norm(weights.ip_emb_ln_gammas, weights.ip_emb_ln_betas)(x)
    x = x * new(weights.ip_mult_gate, channels, SQUARES, offset=1, scale=0.2).transpose()
    x = x + new(weights.ip_add_gate, channels, SQUARES, scale=0.3).transpose()
    f_out = feed_forward(weights.ip_emb_ffn)(x)
    x = norm(weights.ip_emb_ffn_ln_gammas, weights.ip_emb_ffn_ln_betas)(x + alpha * f_out)
    for _ in range(layers):
        encoder = weights.encoder.add()
        mha = encoder.mha
        q = dense(mha.q_w, mha.q_b, channels, channels)(x)
        k = dense(mha.k_w, mha.k_b, channels, channels)(x)
        v = dense(mha.v_w, mha.v_b, channels, channels)(x)
        width, joined = channels // heads_count, np.zeros((SQUARES, channels))
        for h in range(heads_count):
            part = slice(h * width, (h + 1) * width)
            joined[:, part] = (
                softmax(q[:, part] @ k[:, part].transpose() / math.sqrt(width)) @ v[:, part]
            )
        attended = dense(mha.dense_w, mha.dense_b, channels, channels)(joined)
        x = norm(encoder.ln1_gammas, encoder.ln1_betas)(x + alpha * attended)
        x = norm(encoder.ln2_gammas, encoder.ln2_betas)(x + alpha * feed_forward(encoder.ffn)(x))
    winner = weights.value_heads.winner
    outputs = []
    for message, kind, name, count in (
        (winner, "val", "value", 3),
        (weights, "mov", "moves_left", 1),
    ):
        layer = lambda part: dense(
            getattr(message, "ip%s_%s_w" % (part, kind)),
            getattr(message, "ip%s_%s_b" % (part, kind)),
            *sizes
        )
        sizes = (channels, 2)
        z = mish(layer("")(x)).reshape(-1)
        sizes = (SQUARES * 2, 5)
        z = mish(layer("1")(z))
        sizes = (5, count)
        outputs.append((name, layer("2")(z)))
        if kind == "val":
            outputs += [
                ("value_error", dense(message.ip_val_err_w, message.ip_val_err_b, 5, 1)(z)),
                ("value_buckets", dense(message.ip_val_cat_w, message.ip_val_cat_b, 5, 32)(z)),
            ]
    policies = weights.policy_heads
    t = mish(dense(policies.ip_pol_w, policies.ip_pol_b, channels, 4)(x))
    for name, end in (
        ("vanilla", ""),
        ("optimistic_st", "_optimistic_st"),
        ("soft", "_soft"),
        ("opponent", "_opponent"),
    ):
        head = getattr(policies, name)
        keys = dense(head.ip3_pol_w, head.ip3_pol_b, 4, 4)(t)
        outputs += [
            ("policy%s_queries" % end, dense(head.ip2_pol_w, head.ip2_pol_b, 4, 4)(t)),
            ("policy%s_keys" % end, keys),
            ("policy%s_promotions" % end, keys @ new(head.ip4_pol_w, 4, 4).transpose()),
        ]
    return net, [("added planes", planes), ("trunk", x)] + outputs


def softmax(logits):
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def run_heads(w, activation, squares):
    return [
        (head, w.dense(head + "/dense2", activation(w.dense(head + "/dense1", squares(head)))))
        for head in ("value", "moves_left")
    ]


def golden(out):
    import net as lczero
    import proto.net_pb2 as pb

    f = pb.NetworkFormat
    os.makedirs(out, exist_ok=True)
    for name, weights, run in (
        ("attention", attention_weights(), run_attention),
        ("tower", tower_weights(), run_tower),
    ):
        attention = name == "attention"
        net = lczero.Net(
            net=f.NETWORK_ATTENTIONBODY_WITH_HEADFORMAT
            if attention
            else f.NETWORK_SE_WITH_HEADFORMAT,
            input=f.INPUT_112_WITH_CANONICALIZATION_HECTOPLIES,
            value=f.VALUE_WDL,
            policy=f.POLICY_ATTENTION if attention else f.POLICY_CLASSICAL,
            moves_left=f.MOVES_LEFT_V1,
        )
        net.set_input(f.INPUT_112_WITH_CANONICALIZATION_HECTOPLIES)
        if attention:
            net.set_networkformat(f.NETWORK_ATTENTIONBODY_WITH_HEADFORMAT)
            net.set_defaultactivation(f.DEFAULT_ACTIVATION_MISH)
            net.set_ffn_activation(f.ACTIVATION_RELU_2)
            net.set_smolgen_activation(f.ACTIVATION_SWISH)
            net.pb.format.network_format.input_embedding = f.INPUT_EMBEDDING_NONE
            net.set_headcount(2)
        net.fill_net_v2([(n, v.copy()) for n, v in weights])
        write(out, name, net, [("added planes", np.zeros(0))] + run(Stored(net, weights)))
    write(out, "dense", *dense_net(lczero, f))


def write(out, name, net, outputs):
    with gzip.GzipFile(os.path.join(out, name + ".pb.gz"), "wb", 9, mtime=0) as file:
        file.write(net.pb.SerializeToString())
    with open(os.path.join(out, name + ".txt"), "w") as file:
        for output, numbers in outputs:
            file.write("%s: %d\n" % (output, numbers.size))
            file.writelines("%.7g\n" % number for number in numbers.reshape(-1))


# ------------------------------------------------------------------ the nets for Go


def read_aji(path):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        assert tensor["dtype"] == "F32", "only files with weights of 32 bits are read"
        begin, end = tensor["data_offsets"]
        tensors[name] = np.frombuffer(data[8 + length + begin : 8 + length + end], np.float32)
    return tensors


def go_pairs(net, aji):
    """Yields the name of a tensor, lczero-training's object for it, and the weights of Aji."""
    w = net.pb.weights
    channels = len(aji["block0.bias.bias"])
    rows = lambda name, count: aji[name].reshape(count, -1)
    yield "ip_emb_w", w.ip_emb_w, np.hstack(
        [rows("start.conv.weight", channels), rows("start.globals.weight", channels)]
    )
    yield "ip_emb_b", w.ip_emb_b, aji["block0.bias.bias"]
    for name, gate in (("gain", w.ip_mult_gate), ("shift", w.ip_add_gate)):
        yield name, gate, aji["block0.gate." + name].reshape(-1, channels).transpose()
    for i, encoder in enumerate(w.encoder):
        p = "block%d." % (i + 1)
        mha, ffn = encoder.mha, encoder.ffn
        layers = [
            ("q", mha.q_w, mha.q_b),
            ("k", mha.k_w, mha.k_b),
            ("v", mha.v_w, mha.v_b),
            ("out", mha.dense_w, mha.dense_b),
            ("up", ffn.dense1_w, ffn.dense1_b),
            ("down", ffn.dense2_w, ffn.dense2_b),
        ]
        if p + "compress.weight" in aji:
            s = mha.smolgen
            yield p + "compress", s.compress, aji[p + "compress.weight"]
            layers += [("generate1", s.dense1_w, s.dense1_b), ("generate2", s.dense2_w, s.dense2_b)]
        for layer, weight, bias in layers:
            yield p + layer, weight, aji[p + layer + ".weight"]
            yield p + layer + "bias", bias, aji[p + layer + "bias.bias"]
        for k, gain, bias in (
            (1, encoder.ln1_gammas, encoder.ln1_betas),
            (2, encoder.ln2_gammas, encoder.ln2_betas),
        ):
            yield p + "norm%d" % k, gain, aji[p + "norm%d.gain" % k]
            yield p + "norm%d" % k, bias, aji[p + "norm%d.bias" % k]
    for name in aji:
        if name.startswith("smolgen."):
            yield name, w.smolgen_w, aji[name]
    policies, values = w.policy_heads, w.value_heads.winner
    yield "policy.embed", policies.ip_pol_w, aji["policy.embed.weight"]
    yield "policy.embed", policies.ip_pol_b, aji["policy.embednorm.shift.bias"]
    width = len(aji["policy.queriesbias.bias"]) // 2
    for i, head in enumerate((policies.vanilla, policies.opponent)):
        part = slice(i * width, (i + 1) * width)
        yield "policy.queries", head.ip2_pol_w, rows("policy.queries.weight", 2 * width)[part]
        yield "policy.queriesbias", head.ip2_pol_b, aji["policy.queriesbias.bias"][part]
        yield "policy.keys", head.ip3_pol_w, aji["policy.keys.weight"]
        yield "policy.pass", head.ip4_pol_w, rows("policy.pass.weight", 2)[i]
    yield "value.v1", values.ip_val_w, aji["value.v1.weight"]
    yield "value.v1", values.ip_val_b, aji["value.v1norm.shift.bias"]
    yield "value.v2", values.ip1_val_w, aji["value.v2.weight"]
    yield "value.v2bias", values.ip1_val_b, aji["value.v2bias.bias"]
    order = [0, 2, 1]
    yield "value.v3", values.ip2_val_w, rows("value.v3.weight", 3)[order]
    yield "value.v3bias", values.ip2_val_b, aji["value.v3bias.bias"][order]
    if "value.movesleft.weight" in aji:
        yield "value.movesleft", w.ip2_mov_w, aji["value.movesleft.weight"]


def check(pb_path, aji_path):
    import net as lczero

    net = lczero.Net()
    net.parse_proto(pb_path)
    assert net.pb.magic == lczero.WEIGHTS_MAGIC
    aji, worst, count = read_aji(aji_path), 0.0, 0
    for name, layer, wanted in go_pairs(net, aji):
        got = net.denorm_layer_v2(layer)
        wanted = wanted.reshape(-1)
        if got.shape != wanted.shape:
            sys.exit("%s: %s numbers, wanted %s" % (name, got.shape, wanted.shape))
        step = (layer.max_val - layer.min_val) / 65535
        worst_here = float(np.abs(got - wanted).max())
        # half a step, and the rounding of f32
        if worst_here > 0.5 * step + 3e-7 * max(abs(layer.max_val), abs(layer.min_val)):
            sys.exit("%s differs by %g, a step is %g" % (name, worst_here, step))
        worst, count = max(worst, worst_here), count + wanted.size
    print(
        "%d weights are the same, up to the rounding to 16 bits; the largest difference is %.3g"
        % (count, worst)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lczero", required=True, help="the folder `tf` of lczero-training")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("check")
    one.add_argument("net")
    one.add_argument("aji")
    commands.add_parser("golden").add_argument("out")
    options = parser.parse_args()
    sys.path.insert(0, options.lczero)
    if options.command == "check":
        check(options.net, options.aji)
    else:
        golden(options.out)


if __name__ == "__main__":
    main()
