"""Reads a net of Aji from its file, and runs its program op by op in PyTorch.

A .aji file is safetensors (https://github.com/huggingface/safetensors); its note "program" lists
the ops in order. Each op names the ops that it reads by their numbers. The papers that the
functions below cite define the ops. Values have the shapes (n, h, w, c), (n, c) or (n, rows, c).
"""
import json
import struct

import numpy
import torch
import torch.nn.functional as F

TYPES = {"F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8", "U64": "<u8"}


def read_tensors(path):
    """Returns the tensors by name, each as a flat array, and the notes."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    notes = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(body[first:last], TYPES[entry["dtype"]])
    return tensors, notes


def shapes_of(op, in_channels):
    """Returns the parameters of an op: name, shape, and whether it is trained."""
    out = op["channels"]
    if op["op"] == "conv":
        if op.get("weights_of"):
            return []
        return [
            ("weight", (out, op["kernel"], op.get("kernel_w", op["kernel"]), in_channels), True)
        ]
    if op["op"] == "dense":
        return [("weight", (out, in_channels), True)]
    if op["op"] in ("scale", "rms_norm"):
        return [("gain", (out,), True)]
    if op["op"] == "bias":
        return [("bias", (out,), True)]
    if op["op"] == "constant":
        return [("values", (op["rows"], out), False)]
    if op["op"] == "batch_norm":
        return [
            (part, (out,), part in ("gamma", "beta"))
            for part in ("gamma", "beta", "mean", "variance")
        ]
    if op["op"] == "rotary":
        _, kv_heads, query_channels, _ = op["attention"]
        return [("rates", (kv_heads, query_channels // 2, 2), op["trained"])]
    return []


def over(x, vector):
    """Reshapes the vector (n, c) so that it broadcasts over x."""
    return vector.reshape(vector.shape[0], *[1] * (x.dim() - 2), vector.shape[1])


def conv(x, weight, dilation):
    """Cross-correlation, stride 1, padded with zeros."""
    pad = (weight.shape[1] // 2 * dilation, weight.shape[2] // 2 * dilation)
    y = F.conv2d(x.permute(0, 3, 1, 2), weight.permute(0, 3, 1, 2), padding=pad, dilation=dilation)
    return y.permute(0, 2, 3, 1)


def batch_norm(x, mask, op, gamma, beta, mean, variance, training):
    """Ioffe and Szegedy 2015, over the cells on the mask; running statistics of mean and
    variance."""
    if training:
        share = (
            mask[..., None] / mask.sum() if x.dim() == 4 else torch.full_like(x[:, :1], 1 / len(x))
        )
        axes = tuple(range(x.dim() - 1))
        now = (share * x).sum(axes)
        spread = (share * (x - now) ** 2).sum(axes)
        for running, measured in ((mean, now), (variance, spread)):
            running.mul_(op["momentum"]).add_(measured.detach() * (1 - op["momentum"]))
        mean, variance = now, spread
    return (x - mean) / (variance + op["epsilon"]).sqrt() * gamma + beta


def activation(x, kind):
    if kind == "mish":  # Misra 2019
        return x * torch.tanh(F.softplus(x))
    return {"identity": lambda x: x, "relu": F.relu, "silu": F.silu, "tanh": torch.tanh}[kind](x)


def global_pool(x, mask, kind):
    """Wu 2019, section 3.3, with the maximum (policy and trunk) or a second scale (value)."""
    area = mask.sum((1, 2))[:, None]
    mean = (x * mask[..., None]).sum((1, 2)) / area
    if kind == "mean":
        return mean
    wide = area.sqrt() - 14
    if kind == "mean_scale_scale":
        third = mean * (wide**2 / 100 - 0.1)
    else:
        third = x.masked_fill(mask[..., None] == 0, -torch.inf).flatten(1, 2).max(1).values
    if kind == "mean_max":
        return torch.cat([mean, third], 1)
    if kind == "mean_max_stdev":
        square = ((x - mean[:, None, None]) ** 2 * mask[..., None]).sum((1, 2)) / area
        return torch.cat([mean, third, (square + 1e-4).sqrt()], 1)
    return torch.cat([mean, mean * wide / 10, third], 1)


def rms_norm(x, mask, op, gain):
    """Zhang and Sennrich 2019. The mean is over each row, or over all cells on the mask
    together."""
    if x.dim() == 4:
        x = x * mask[..., None]
    square = (x**2).mean(-1, keepdim=True)
    if op["whole_board"]:
        square = square.sum((1, 2), keepdim=True) / mask.sum((1, 2))[:, None, None, None]
    return x / (square + op["epsilon"]).sqrt() * gain


def rotary(x, op, rates):
    """Su et al. 2021 (RoFormer), with angles column * f0 + row * f1."""
    n, height, width, channels = x.shape
    heads, kv_heads, query_channels, _ = op["attention"]
    turned = (heads + kv_heads) * query_channels
    f = torch.cat([rates.repeat_interleave(heads // kv_heads, 0), rates])
    column = torch.arange(width, dtype=x.dtype)[None, :, None, None]
    row = torch.arange(height, dtype=x.dtype)[:, None, None, None]
    angle = column * f[..., 0] + row * f[..., 1]
    a, b = x[..., :turned].reshape(n, height, width, heads + kv_heads, -1, 2).unbind(-1)
    c, s = angle.cos(), angle.sin()
    pairs = torch.stack([a * c - b * s, a * s + b * c], -1)
    return torch.cat([pairs.reshape(n, height, width, turned), x[..., turned:]], -1)


def attention(x, mask, op):
    """Vaswani et al. 2017, section 3.2; groups of queries share keys (Ainslie et al. 2023)."""
    n, height, width, _ = x.shape
    heads, kv_heads, d, e = op["attention"]
    q, k, v = x.flatten(1, 2).split([heads * d, kv_heads * d, kv_heads * e], -1)
    q = q.reshape(n, -1, heads, d)
    k = k.reshape(n, -1, kv_heads, d).repeat_interleave(heads // kv_heads, 2)
    v = v.reshape(n, -1, kv_heads, e).repeat_interleave(heads // kv_heads, 2)
    logits = torch.einsum("nihd,njhd->nhij", q, k) / d**0.5
    p = logits.masked_fill(mask.flatten(1)[:, None, None] == 0, -torch.inf).softmax(-1)
    return torch.einsum("nhij,njhe->nihe", p, v).reshape(n, height, width, -1) * mask[..., None]


class Net:
    def __init__(self, path, dtype):
        tensors, notes = read_tensors(path)
        program = json.loads(notes["program"])
        self.ops, self.outputs, self.mask = program["ops"], program["outputs"], program["mask"]
        self.dtype, self.values, self.trained = dtype, {}, []
        for op in self.ops:
            in_channels = self.ops[op["inputs"][0]]["channels"] if op["inputs"] else 0
            for part, shape, trained in shapes_of(op, in_channels):
                name = f"{op['name']}.{part}"
                value = torch.tensor(tensors[name], dtype=dtype).reshape(shape)
                self.values[name] = value.requires_grad_(trained)
                self.trained += [name] * trained

    def set(self, arrays):
        for name, value in self.values.items():
            value.data.copy_(torch.tensor(arrays[name], dtype=self.dtype).reshape(value.shape))

    def arrays(self):
        return {name: value.detach().numpy().copy().ravel() for name, value in self.values.items()}

    def run(self, inputs, training):
        """Returns the outputs by name. `inputs` are by name, too."""
        mask = inputs[self.ops[self.mask[0]]["name"]][..., self.mask[1]]
        made = []
        for op in self.ops:
            x = [made[i] for i in op["inputs"]]
            if op.get(
                "weights_of"
            ):  # the weights of another convolution; k x 1 and 1 x k have the same order of numbers
                weight = self.values[f"{self.ops[op['weights_of']]['name']}.weight"]
                shape = (op["channels"], op["kernel"], op.get("kernel_w", op["kernel"]), -1)
                made.append(conv(x[0], weight.reshape(shape), op.get("dilation", 1)))
                continue
            parts = shapes_of(op, x[0].shape[-1] if x else 0)
            made.append(
                self.apply(
                    op,
                    x,
                    [self.values[f"{op['name']}.{p[0]}"] for p in parts],
                    inputs,
                    mask,
                    training,
                )
            )
        return {name: made[index] for name, index in self.outputs.items()}

    @staticmethod
    def apply(op, x, values, inputs, mask, training):
        rules = {
            "input": lambda: inputs[op["name"]],
            "constant": lambda: values[0].expand(len(mask), -1, -1),
            "conv": lambda: conv(x[0], values[0], op.get("dilation", 1)),
            "dense": lambda: x[0] @ values[0].T,
            "sigmoid": lambda: x[0].sigmoid(),
            "softplus": lambda: F.softplus(x[0]),
            "scale": lambda: x[0] * values[0],
            "bias": lambda: x[0] + values[0],
            "batch_norm": lambda: batch_norm(x[0], mask, op, *values, training),
            "activation": lambda: activation(x[0], op["activation"]),
            "crelu": lambda: torch.cat([F.relu(x[0]), F.relu(-x[0])], -1),
            "add": lambda: x[0] + x[1],
            "multiply": lambda: x[0] * x[1],
            "add_broadcast": lambda: x[0] + over(x[0], x[1]),
            "mul_broadcast": lambda: x[0] * over(x[0], x[1]),
            "mask": lambda: x[0] * mask[..., None],
            "global_pool": lambda: global_pool(x[0], mask, op["pool"]),
            "concat": lambda: torch.cat(x, -1),
            "slice": lambda: x[0][..., op["first"] : op["first"] + op["channels"]],
            "rms_norm": lambda: rms_norm(x[0], mask, op, values[0]),
            "rotary": lambda: rotary(x[0], op, values[0]),
            "attention": lambda: attention(x[0], mask, op),
        }
        return rules[op["op"]]()
