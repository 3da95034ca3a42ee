#!/usr/bin/env python3
"""Compares kinds of blocks and other parts of nets by training on fixed rows, in equal time or with
equal samples.

    bench/block_kinds.py OUT ROWS... [--validation PATH] [--aji build/release/aji]
                         [--minutes 10 | --samples N] [--seeds 1,2] [--kinds NAME,NAME...]
                         [--set KEY=VALUE]...

Each net of KINDS is trained by `aji train ROWS --arch ...` with one thread until it has used
--minutes minutes of processor time, once with each seed. Other programs may run at the same time,
because only the processor time of the training counts. All trainings have the same validation rows:
those of --validation, or a fixed part of the games in ROWS. If this script was stopped, the same
command continues with what is missing. To use two processors, start the command once with --seeds 1
and once with --seeds 2, and afterwards with both seeds, which then only makes the table.

With --samples N each net is instead trained with N samples, rounded up to whole batches, however
long this takes. Then nets that compute more for each position have an advantage. The yardstick for
it are nets of twice the size: the same net with 1.4 times as many channels, and with twice as many
blocks.

OUT/table.md has a row for each kind:

  samples          mean number of samples with which the nets of the kind were trained
  policy, value    losses of the averaged net on the validation rows, in nats, at the end of the
                   time. The number is the mean over the seeds, and half of the distance between the
                   largest and the smallest follows.
  best move        percentage of the validation rows in which the net's best move is that of the
                   search
  sum              policy plus value
  doublings        only with --samples: how much smaller the sum is than that of the first of
                   KINDS, as a fraction of what doubling the size of this net gains (the mean of
                   both ways to double it)

The table is sorted by this sum. If a training diverged or failed, the row says so.
"""
import argparse
import csv
import os
import subprocess
import sys

import metered

# Kind, architecture, and which source names it. All nets have about as many channels and blocks, so
# that the kind of block is what differs; their speeds differ, which is why the time is equal unless
# --samples is given.
KINDS = [
    ("b6c96: residual blocks, every second with pooling", "b6c96", "KataGo"),
    ("half as large", "b6c64", "yardstick"),
    ("twice as large", "b12c96", "yardstick"),
    ("1.4 times as wide", "b6c136", "yardstick"),
    ("the net of aji learn", "b5c48-nodist", "Aji"),
    ("no pooling in the trunk", "c96,trunk=residual*6", "GoNN"),
    ("mean and maximum", "b6c96,pooling=mean_max,head_mean_max=true", "GoNN"),
    (
        "mean, maximum and deviation",
        "b6c96,pooling=mean_max_stdev,head_mean_max=true,head_stdev=true",
        "GoNN",
    ),
    ("squeeze and excitation", "b6c96-squeeze", "lczero-training"),
    (
        "post-activation with squeeze",
        "c96-batch,tip=none,trunk=stem+resnet(squeeze=32)*6",
        "lczero-training",
    ),
    ("bottleneck", "c96,trunk=(bottleneck(layers=3)*2+pooled)*3", "p3achygo"),
    ("bottleneck and broadcast", "c96,trunk=(bottleneck(layers=3)*3+broadcast)*2", "p3achygo"),
    ("nested bottleneck", "c96,trunk=(nested+nested(pool=16))*4", "KataGo"),
    ("dilated convolutions", "c96,trunk=residual+pooled+(residual(dilation=2)+pooled)*2", "GoNN"),
    ("chain pooling", "c96,trunk=residual*2+pooled+chain+residual*2+pooled", "GoNN"),
    ("ladder block", "c96,trunk=residual*2+pooled+ladder+residual*2+pooled", "GoNN"),
    ("long lines", "c96,trunk=residual*2+pooled+lines+residual*2+pooled", "GoNN"),
    ("first convolution of 5 x 5 with 1 x 1", "b6c96-k5,start_center=0.3", "GoNN"),
    ("first convolution of 5 x 5", "b6c96-k5", "GoNN"),
    (
        "policy convolution of 5 x 5, concatenated ReLU",
        "b6c96,head_kernel=3,policy_kernel=5,head_crelu=true",
        "GoNN",
    ),
    ("parametric ReLU", "b6c96-prelu", "GoNN"),
    ("mish", "b6c96-mish", "KataGo"),
    ("squared ReLU", "b6c96-relu2", "lczero-training"),
    ("batch norm", "b6c96-batch", "GoNN"),
    ("batch renorm", "b6c96-renorm", "KataGo"),
    ("fixscale", "b6c96-fixscale", "KataGo"),
    ("fson", "b6c96-fson", "KataGo"),
    ("mixture of score distributions", "b6c96,score_mixtures=4", "KataGo"),
    ("policy by queries and keys", "b6c96,policy_attention=48", "lczero-training"),
    ("transformer", "c96-mish,trunk=(attention(heads=3)+swiglu)*6", "KataGo"),
    (
        "transformer, fixed rotation",
        "c96-mish,trunk=(attention(heads=3,rotary=fixed)+swiglu)*6",
        "KataGo",
    ),
    (
        "transformer, grouped heads",
        "c96-mish,trunk=(attention(heads=6,kv_heads=3)+swiglu)*6",
        "KataGo",
    ),
    ("transformer, small heads", "c96-mish,trunk=(attention(heads=6)+swiglu)*6", "lczero-training"),
    (
        "transformer, process layer",
        "c96-mish,trunk=(attention(heads=3,process=true)+swiglu)*6",
        "lczero-training",
    ),
    (
        "transformer, plain layers of squared ReLU",
        "c96-mish,trunk=(attention(heads=6,norm=layer)+ffn(activation=relu2,norm=layer))*6",
        "lczero-training",
    ),
    ("encoders", "c96-mish,start_kernel=1,trunk=embedding+encoder(heads=6)*6", "lczero-training"),
    (
        "encoders, smolgen",
        "c96-mish,start_kernel=1,trunk=embedding+encoder(heads=6,rotary=none,maps=smolgen)*6",
        "lczero-training",
    ),
    (
        "encoders, learned maps",
        "c96-mish,start_kernel=1,trunk=embedding+encoder(heads=6,rotary=none,maps=learned)*6",
        "lczero-training",
    ),
    (
        "transformer, tables",
        "c96-mish,trunk=(attention(heads=6,rotary=none,tables=qkv)+ffn)*6",
        "lczero-training",
    ),
    (
        "convolutions and attention",
        "c96-mish,tip=rms,trunk=(residual+pooled+attention(heads=3))*3",
        "KataGo",
    ),
]
DOUBLED = ["twice as large", "1.4 times as wide"]  # the first of KINDS with twice the weights
COLUMNS = ["kind", "architecture", "source", "samples", "policy", "value", "best move", "sum"]


def names_in(text):
    """Splits a list of names from KINDS, some of which contain commas themselves. Raises ValueError
    if the list has another name."""
    names = []
    while text:
        found = [k[0] for k in KINDS if text == k[0] or text.startswith(k[0] + ",")]
        if not found:
            raise ValueError("unknown kinds: " + text)
        names.append(max(found, key=len))
        text = text[len(names[-1]) + 1 :]
    return names


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--validation")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--samples", type=int, help="train with so many samples, not for a time")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--kinds", help="names from KINDS, separated by commas (default: all)")
    parser.add_argument("--set", action="append", default=[], help="a setting for all trainings")
    options = parser.parse_args()
    options.seeds = [int(word) for word in options.seeds.split(",")]
    try:
        names = names_in(options.kinds) if options.kinds else [kind[0] for kind in KINDS]
    except ValueError as error:
        parser.error(str(error))
    options.kinds = [kind for kind in KINDS if kind[0] in names]
    return options


def folder_of(options, kind, seed):
    words = "".join(letter if letter.isalnum() else " " for letter in kind[0]).split()
    return os.path.join(options.out, f"{'-'.join(words)}-s{seed}")


def train(options, kind, seed):
    """Trains one net for the time or with the samples. Returns None, or what went wrong."""
    folder = folder_of(options, kind, seed)
    command = [
        options.aji,
        "train",
        *options.rows,
        "--out",
        folder,
        "--arch",
        kind[1],
        "--epochs",
        "1" if options.samples else "0",
    ]
    if options.validation:
        command += ["--validation", options.validation]
    for setting in [f"supervised.seed={seed}", "supervised.threads=1", *options.set]:
        command += ["--set", setting]
    if options.samples:
        command += ["--set", f"supervised.epoch_samples={options.samples}"]
        with open(f"{folder}.log", "a", encoding="utf-8") as log:
            code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
        return f"aji train ended with code {code}: see {folder}.log" if code else None
    if metered.seconds_used(folder) > 60 * options.minutes:
        return None
    try:
        metered.run_for(folder, 60 * options.minutes, command)
        with open(
            f"{folder}.log", "a", encoding="utf-8"
        ) as log:  # trains for a second, then measures
            subprocess.run([*command, "--time", "1"], stdout=log, stderr=log, check=True)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        return str(error)
    return None


def result(folder):
    """Returns samples, policy loss, value loss and accuracy in percent of the last validation of
    the averaged net."""
    with open(os.path.join(folder, "report", "metrics.csv"), encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "validation_averaged"]
    last = rows[-1]
    return [
        float(last["samples"]),
        float(last["loss.policy"]),
        float(last["loss.value"]),
        100 * float(last["accuracy.policy"]),
    ]


def spread(numbers, digits):
    mean = sum(numbers) / len(numbers)
    half = (max(numbers) - min(numbers)) / 2
    return f"{mean:.{digits}f} ± {half:.{digits}f}" if len(numbers) > 1 else f"{mean:.{digits}f}"


def row_of(kind, results):
    samples, policy, value, accuracy = zip(*results)
    sums = [p + v for p, v in zip(policy, value)]
    cells = [
        kind[0],
        f"`{kind[1]}`",
        kind[2],
        f"{sum(samples) / len(samples):,.0f}",
        spread(policy, 3),
        spread(value, 4),
        spread(accuracy, 1) + "%",
        spread(sums, 3),
    ]
    return sum(sums) / len(sums), cells


def is_trained(options, folder):
    if not options.samples:
        return metered.seconds_used(folder) > 60 * options.minutes - 10
    try:
        return result(folder)[0] >= options.samples
    except (FileNotFoundError, IndexError):  # no validation yet
        return False


def doublings(sums):
    """Says for each kind how much of the gain of a doubling it has, as a text. `sums` has the sum
    of the losses of each kind by its name. The texts are "-" if the gain is not known, or if
    doubling gains nothing."""
    base = sums.get(KINDS[0][0])
    doubled = [sums[name] for name in DOUBLED if name in sums]
    gain = base - sum(doubled) / len(doubled) if base is not None and doubled else 0
    return {
        name: f"{(base - loss) / gain:+.2f}" if gain > 0 else "-" for name, loss in sums.items()
    }


def write_table(options, failures):
    rows, failed = [], []
    for kind in options.kinds:
        folders = [folder_of(options, kind, seed) for seed in options.seeds]
        if any(folder in failures for folder in folders):
            text = next(failures[folder] for folder in folders if folder in failures)
            failed.append([kind[0], f"`{kind[1]}`", kind[2], text, "", "", "", ""])
        elif all(is_trained(options, folder) for folder in folders):
            rows.append(row_of(kind, [result(folder) for folder in folders]))
    columns = COLUMNS
    if options.samples:
        columns = COLUMNS + ["doublings"]
        gains = doublings({cells[0]: loss for loss, cells in rows})
        rows = [(loss, [*cells, gains[cells[0]]]) for loss, cells in rows]
        failed = [[*cells, ""] for cells in failed]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for cells in [cells for _, cells in sorted(rows)] + failed:
        lines.append("| " + " | ".join(cells) + " |")
    with open(os.path.join(options.out, "table.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    options = arguments()
    os.makedirs(options.out, exist_ok=True)
    jobs = [(kind, seed) for seed in options.seeds for kind in options.kinds]
    failures = {}
    for done, (kind, seed) in enumerate(jobs, 1):
        failure = train(options, kind, seed)
        if failure:
            failures[folder_of(options, kind, seed)] = failure
        print(f"{done} of {len(jobs)}: {kind[0]}, seed {seed}: {failure or 'trained'}", flush=True)
        write_table(options, failures)
    with open(os.path.join(options.out, "table.md"), encoding="utf-8") as file:
        print(file.read())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
