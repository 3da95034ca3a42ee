#!/usr/bin/env python3
"""Trains the same net on the same rows in the same order with Aji's trainer and with PyTorch, and
compares outputs, losses, gradients, steps and the losses after all steps. See README.md.

    check.py --program BUILD/trainer_steps --net NET.aji ROWS.npz... [SETTING=VALUE...]
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy
import torch

from losses import batch_of, losses, read_rows
from net import Net, read_tensors

EXACT, NEAR = (
    1e-5,
    1e-4,
)  # largest differences allowed: of outputs and losses; of gradients and steps
DECAY = {
    "sgd": 3e-5,
    "adamw": 0.01,
    "muon": 0.02,
    "nadam": 0.01,
    "rmsprop": 0.01,
}  # what optimiser.weight_decay=-1 stands for


def orthogonal(x):
    """Five Newton-Schulz steps (Jordan et al. 2024, "Muon")."""
    turned = x.shape[0] > x.shape[1]
    x = (x.T if turned else x) / x.norm().clamp(min=1e-7)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x.T if turned else x


class Muon(torch.optim.Optimizer):
    """Muon: Nesterov's momentum, made orthogonal and scaled to the length of AdamW's steps (Liu et
    al. 2025)."""

    def __init__(self, parameters, lr, momentum, weight_decay):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                velocity = self.state[p].setdefault("velocity", torch.zeros_like(p))
                velocity.mul_(group["momentum"]).add_(p.grad)
                step = (p.grad + group["momentum"] * velocity).flatten(1)
                along = orthogonal(step).reshape(p.shape) * 0.2 * max(step.shape) ** 0.5
                p.mul_(1 - group["lr"] * group["weight_decay"]).sub_(along, alpha=group["lr"])


class NAdam(torch.optim.Optimizer):
    """Nadam (Dozat 2016, algorithm 8) with Keras's momenta and decoupled decay. (In
    torch.optim.NAdam of PyTorch 1.13 the product of the momenta that corrects the mean has one
    factor too many.)"""

    def __init__(self, parameters, lr, betas, eps):
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps})
        self.steps, self.product = 0, 1

    @torch.no_grad()
    def step(self):
        (first, second), eps = self.defaults["betas"], self.defaults["eps"]
        self.steps += 1
        now, next_ = (first * (1 - 0.5 * 0.96 ** (0.004 * t)) for t in (self.steps, self.steps + 1))
        self.product *= now
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                mean, square = (
                    state.setdefault(name, torch.zeros_like(p)) for name in ("mean", "square")
                )
                mean.lerp_(p.grad, 1 - first)
                square.lerp_(p.grad**2, 1 - second)
                along = (1 - now) / (1 - self.product) * p.grad + next_ / (
                    1 - self.product * next_
                ) * mean
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(
                    along / ((square / (1 - second**self.steps)).sqrt() + eps), alpha=group["lr"]
                )


class RMSprop(torch.optim.RMSprop):
    """RMSprop of PyTorch, but with decoupled weight decay."""

    @torch.no_grad()
    def step(self):
        decays = [group["weight_decay"] for group in self.param_groups]
        for group, decay in zip(self.param_groups, decays):
            group["weight_decay"] = 0
            for p in group["params"]:
                p.mul_(1 - group["lr"] * decay)
        super().step()
        for group, decay in zip(self.param_groups, decays):
            group["weight_decay"] = decay


def rows_of(s, batch):
    """Returns the factor from the learning rate of a sample to the rate of a step of `batch`
    samples."""
    linear = s["schedule.by_rows"] == "linear" or (
        s["schedule.by_rows"] == "auto" and s["optimiser.kind"] == "sgd"
    )
    return batch if linear else 256 * (batch / 256) ** 0.5


def optimisers_of(net, s, batch):
    """Returns the optimisers. Weights decay, gains and biases do not. schedule.rate is the rate of
    a sample."""
    kind, lr = s["optimiser.kind"], s["schedule.rate"] * rows_of(s, batch)
    decay = s["optimiser.weight_decay"] if s["optimiser.weight_decay"] >= 0 else DECAY[kind]
    names = set(net.trained)
    matrices = {
        n for n in names if kind == "muon" and n.startswith("block") and net.values[n].dim() > 1
    }
    weights = {n for n in names - matrices if n.endswith(".weight")}
    pick = lambda chosen: [net.values[n] for n in sorted(chosen)]
    groups = [
        {"params": pick(weights), "weight_decay": decay},
        {"params": pick(names - matrices - weights), "weight_decay": 0},
    ]
    if kind == "sgd":
        return [
            torch.optim.SGD(
                groups, lr=lr, momentum=s["optimiser.momentum"], nesterov=s["optimiser.nesterov"]
            )
        ]
    if kind == "rmsprop":
        return [
            RMSprop(
                groups,
                lr=lr,
                alpha=s["optimiser.beta2"],
                momentum=s["optimiser.momentum"],
                eps=s["optimiser.epsilon"],
            )
        ]
    betas = (s["optimiser.beta1"], s["optimiser.beta2"])
    if kind == "nadam":
        return [NAdam(groups, lr=lr, betas=betas, eps=s["optimiser.epsilon"])]
    made = [torch.optim.AdamW(groups, lr=lr, betas=betas, eps=s["optimiser.epsilon"])]
    if matrices:
        made.append(
            Muon(
                pick(matrices), lr * s["optimiser.muon.factor"], s["optimiser.muon.momentum"], decay
            )
        )
    return made


def parse(text):
    """Settings by name."""
    found = {}
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition("="))
        words = {"true": True, "false": False}
        try:
            found[name] = words[value] if value in words else float(value)
        except ValueError:
            found[name] = value.strip('"')
    return found


def train_aji(args, order, settings):
    """Runs trainer_steps. Returns its results, and the settings with which it trained."""
    with tempfile.TemporaryDirectory() as folder:
        numbers, out = os.path.join(folder, "order"), os.path.join(folder, "out.aji")
        order.astype("<u4").tofile(numbers)
        subprocess.run(
            [args.program, args.net, numbers, out, str(order.shape[1]), *args.files, *settings],
            check=True,
        )
        tensors, notes = read_tensors(out)
    names = notes["metrics"].split()
    result = {
        "lines": [dict(zip(names, line)) for line in tensors["metrics"].reshape(-1, len(names))]
    }
    for kind in ("output", "gradient", "1", "10", str(len(order))):
        result[kind] = {
            n[len(kind) + 1 :]: v for n, v in tensors.items() if n.startswith(kind + ".")
        }
    return result, parse(notes["settings"])


def train_torch(args, rows, order, s, dtype):
    net = Net(args.net, dtype)
    objective = {
        name.partition(".")[2]: value for name, value in s.items() if name.startswith("objective.")
    }
    optimisers, result, unowned = optimisers_of(net, s, order.shape[1]), {"lines": []}, 0.005
    for step, numbers in enumerate(order, 1):
        batch = batch_of(rows, numbers, dtype)
        out = net.run(batch, training=True)
        loss, told = losses(out, batch, objective, unowned)
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        if step == 1:
            result["output"] = {name: value.detach().numpy().ravel() for name, value in out.items()}
            result["gradient"] = {
                name: net.values[name].grad.numpy().copy().ravel() for name in net.trained
            }
        for optimiser in optimisers:
            optimiser.step()
        unowned += 0.002 * (told.get("unowned", 0) - unowned)
        result["lines"].append(told)
        if step in (1, 10, len(order)):
            result[str(step)] = net.arrays()
    result["unowned"] = unowned
    return result


def measure(args, arrays, batches, s, unowned=0.005):
    """Returns the losses of a trained net as PyTorch computes them, as means over batches."""
    net = Net(args.net, batches[0]["planes"].dtype)
    net.set(arrays)
    objective = {
        name.partition(".")[2]: value for name, value in s.items() if name.startswith("objective.")
    }
    with torch.no_grad():
        lines = [losses(net.run(b, training=False), b, objective, unowned)[1] for b in batches]
    return {name: sum(line[name] for line in lines) / len(lines) for name in lines[0]}


class Table:
    """Prints lines of differences, and remembers whether one was too large."""

    good = True

    def line(self, name, first, second, most, what=""):
        bad = not first <= most
        self.good &= not bad
        print(
            f"  {name:34}{first:12.1e}{second:12.1e}{most:12.0e}  "
            f"{what}{'  TOO LARGE' if bad else ''}",
            flush=True,
        )


def largest(a, b):
    """Returns the largest difference, divided by the larger of 1 and the largest number of `b`."""
    return abs(a - b).max() / max(1, abs(b).max())


def relative(a, b):
    """Returns the length of the difference divided by the length of `b`."""
    return numpy.linalg.norm(a - b) / max(numpy.linalg.norm(b), 1e-30)


def worst(a, b, exact, start=None):
    """Returns the largest relative difference of all tensors, and the name of that tensor."""
    from_ = lambda x, n: x[n].astype("f8") - (start[n] if start else 0)
    return max((relative(from_(a, n), from_(exact, n)), n) for n in b)


def compare_one_batch(table, ours, single, exact, start, trained):
    print(
        f"\n  {'one batch':34}{'Aji':>12}{'PyTorch f32':>12}{'allowed':>12}  differences from "
        "PyTorch in f64"
    )
    for name in exact["output"]:
        if name in ours["output"]:
            table.line(
                "output " + name,
                largest(ours["output"][name], exact["output"][name]),
                largest(single["output"][name], exact["output"][name]),
                EXACT,
            )
    for name, value in exact["lines"][0].items():
        key = name if name == "loss" else "loss." + name
        if key in ours["lines"][0]:
            size = max(1, abs(value))
            table.line(
                key,
                abs(ours["lines"][0][key] - value) / size,
                abs(single["lines"][0][name] - value) / size,
                EXACT,
                f"{value:.6f}",
            )
    for name in trained:
        one, two = (relative(x["gradient"][name], exact["gradient"][name]) for x in (ours, single))
        if one > NEAR / 10 or name == worst(ours["gradient"], trained, exact["gradient"])[1]:
            table.line("gradient " + name, one, two, NEAR)
    for steps in (steps for steps in ("1", "10") if steps in exact):
        one, two = (worst(x[steps], trained, exact[steps], start) for x in (ours, single))
        # weights in f32 cannot follow short steps exactly, neither Aji's nor PyTorch's
        table.line(
            f"change by {steps} step{'s' * (steps > '1')}, worst",
            one[0],
            two[0],
            NEAR + 3 * two[0],
            one[1],
        )


def compare_steps(ours, single):
    """Prints the losses of some steps. Their differences grow, because rounding adds up from step
    to step."""
    count = len(ours["lines"]) - 1
    shown = [step for step in (1, 10, 20, 50, 100, 200, 500, 1000) if step <= count]
    print(f"\n  {'loss of step':34}" + "".join(f"{step:12}" for step in shown))
    for name, run in (("Aji", ours), ("PyTorch f32", single)):
        print(f"  {name:34}" + "".join(f"{run['lines'][step - 1]['loss']:12.5f}" for step in shown))


def compare_ends(table, found, orders):
    """Compares the difference of the means over all orders with the spread between orders."""
    first = found["at first"]
    shown = [
        n for n in ("loss", "policy", "value", "ownership", "score_mean", "lead") if n in first
    ]
    row = lambda name, values: print(f"  {name:34}" + "".join(f"{values[n]:12.5f}" for n in shown))
    print(f"\n  {'losses of other rows':34}" + "".join(f"{n:>12}" for n in shown))
    for name, line in found.items():
        row(name, line)
    ends = {
        who: {n: [found[f"{who}, order {i + 1}"][n] for i in range(orders)] for n in shown}
        for who in ("Aji", "PyTorch")
    }
    away = {n: abs(numpy.mean(ends["Aji"][n]) - numpy.mean(ends["PyTorch"][n])) for n in shown}
    spread = {n: max(numpy.ptp(ends[who][n]) for who in ends) for n in shown}
    row("between the means", away)
    row("spread of the orders", spread)
    table.good &= away["loss"] <= spread["loss"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, help="trainer_steps")
    parser.add_argument("--net", required=True)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--orders", type=int, default=3)
    parser.add_argument("words", nargs="+", help="files of rows, and settings")
    args = parser.parse_args()
    args.files = [word for word in args.words if "=" not in word]
    settings = [word for word in args.words if "=" in word]
    rows = read_rows(args.files)
    count, held = len(rows["globalTargetsNC"]), 8 * args.batch  # the last rows are not trained on
    if count < args.batch + held:
        sys.exit(f"{count} rows are too few for batches of {args.batch}")

    def order_of(seed):
        drawn = numpy.random.default_rng(seed)
        passes = -(-args.steps * args.batch // (count - held))
        numbers = numpy.concatenate([drawn.permutation(count - held) for _ in range(passes)])
        return numbers[: args.steps * args.batch].reshape(args.steps, args.batch)

    trained = Net(args.net, torch.float32).trained
    start, _ = read_tensors(args.net)
    orders, table = [order_of(seed) for seed in range(args.orders)], Table()
    ours, s = train_aji(args, orders[0], settings)
    exact = train_torch(args, rows, orders[0][:10], s, torch.float64)
    single = train_torch(args, rows, orders[0], s, torch.float32)
    print(
        f"{args.net}, {s['optimiser.kind']}, {args.steps} steps, batches of {args.batch}, "
        f"{count - held} rows"
    )
    compare_one_batch(table, ours, single, exact, start, trained)

    first = [batch_of(rows, orders[0][0], torch.float64)]
    again = measure(args, ours[str(args.steps)], first, s, single["unowned"])
    size = max(1, abs(again["loss"]))
    table.line(
        "loss after the last step, measured",
        abs(ours["lines"][-1]["loss"] - again["loss"]) / size,
        0,
        EXACT,
    )
    compare_steps(ours, single)

    numbers = numpy.arange(count - held, count).reshape(8, -1)
    batches = [batch_of(rows, part, torch.float32) for part in numbers]
    last = str(args.steps)
    ends = {"at first": start, "PyTorch, order 1": single[last]}
    ends |= {
        f"PyTorch, order {i}": train_torch(args, rows, order, s, torch.float32)[last]
        for i, order in enumerate(orders[1:], 2)
    }
    ends["Aji, order 1"] = ours[last]
    ends |= {
        f"Aji, order {i}": train_aji(args, order, settings)[0][last]
        for i, order in enumerate(orders[1:], 2)
    }
    for name, setting in (
        ("Aji, order 1, two threads", "trainer.threads=2"),
        ("Aji, order 1, bf16", "trainer.precision=bf16"),
    ):
        ends[name] = train_aji(args, orders[0], settings + [setting])[0][last]
    compare_ends(
        table,
        {name: measure(args, arrays, batches, s) for name, arrays in ends.items()},
        args.orders,
    )
    print("\nthe same" if table.good else "\nNOT the same")
    sys.exit(0 if table.good else 1)


if __name__ == "__main__":
    main()
