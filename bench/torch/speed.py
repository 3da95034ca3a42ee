"""Measures how fast PyTorch trains: steps of SGD on made-up rows, on the processors of this
machine.

It measures the net of a .aji file, run op by op (net.py), and a plain tower of residual blocks as a
user of PyTorch would write it: with batch norm, ReLU, a policy head and a value head. In memory,
channels come first or last. The loss is the mean square of all outputs. This is less work than any
real loss, so the comparison favours PyTorch. bf16 is PyTorch's autocast.
"""
import argparse
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from net import Net


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2))
        self.convs = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2)
        )

    def forward(self, x):
        y = x
        for norm, conv in zip(self.norms, self.convs):
            y = conv(F.relu(norm(y)))
        return x + y


class Tower(nn.Module):
    """A plain tower: policy (n, area + 1) and value (n, 3) of planes (n, 22, h, w) and globals (n,
    19)."""

    def __init__(self, blocks, channels, edge):
        super().__init__()
        self.first = nn.Conv2d(22, channels, 5, padding=2, bias=False)
        self.globals = nn.Linear(19, channels, bias=False)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.head = nn.Conv2d(channels, 32, 1)
        self.policy = nn.Linear(32 * edge * edge, edge * edge + 1)
        self.value = nn.Linear(32, 3)

    def forward(self, planes, globals_):
        x = self.blocks(self.first(planes) + self.globals(globals_)[:, :, None, None])
        x = F.relu(self.head(x))
        return [self.policy(x.flatten(1)), self.value(x.mean((2, 3)))]


def measure(step, batch, seconds):
    """Returns samples per second: the median over steps, after two steps that are not counted."""
    times, end = [], None
    while not end or time.perf_counter() < end or len(times) < 5:
        begun = time.perf_counter()
        step()
        times.append(time.perf_counter() - begun)
        if len(times) == 2 and not end:
            times, end = [], time.perf_counter() + seconds
    return batch / statistics.median(times)


def stepper(parameters, run, bf16):
    optimiser = torch.optim.SGD(parameters, lr=1e-6, momentum=0.9)

    def step():
        optimiser.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
            loss = sum((out.float() ** 2).mean() for out in run())
        loss.backward()
        optimiser.step()

    return step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--net", required=True, help="a .aji file, such as `aji net new` makes")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=96)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--seconds", type=float, default=5)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    planes = torch.rand(args.batch, args.size, args.size, 22).round()
    planes[..., 0] = 1
    inputs = {"planes": planes, "globals": torch.rand(args.batch, 19)}
    print(
        f"PyTorch {torch.__version__}, {args.size}x{args.size}, batch {args.batch}, {args.threads} "
        "threads"
    )
    for bf16 in (False, True):
        name = "bf16" if bf16 else "f32"
        net = Net(args.net, torch.float32)
        trained = [net.values[key] for key in net.trained]
        step = stepper(trained, lambda net=net: list(net.run(inputs, True).values()), bf16)
        print(
            f"{name}, the file's net:          {measure(step, args.batch, args.seconds):7.0f} "
            "samples/s",
            flush=True,
        )
        for layout in (torch.contiguous_format, torch.channels_last):
            tower = Tower(args.blocks, args.channels, args.size).to(memory_format=layout)
            given = planes.permute(0, 3, 1, 2).contiguous(memory_format=layout)
            step = stepper(
                tower.parameters(), lambda t=tower, g=given: t(g, inputs["globals"]), bf16
            )
            kind = "channels last" if layout == torch.channels_last else "planes first"
            print(
                f"{name}, plain tower, {kind:13}: {measure(step, args.batch, args.seconds):6.0f} "
                "samples/s",
                flush=True,
            )


if __name__ == "__main__":
    main()
