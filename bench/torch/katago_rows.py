#!/usr/bin/env python3
"""Gives rows of Aji, unchanged, to KataGo's own Python code: shuffle.py, the trainer's loader, a
fresh net and the losses.

    katago_rows.py --katago CHECKOUT RUN/rows

Checks three things: shuffle.py keeps every row as it is; the loader reads from each row what the
row says, except for the moves that the loader hides at random; KataGo's losses and their gradients
are finite. See README.md."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import numpy
import torch

BATCH = 16
TARGETS = (
    "policyTargetsNCMove",
    "globalTargetsNC",
    "scoreDistrN",
    "valueTargetsNCHW",
    "qValueTargetsNCMove",
)
MOVES, LADDERS = slice(9, 14), slice(15, 17)  # planes of which KataGo's loader hides some


def digests(paths):
    """Returns a sorted list with the bytes of each row of the files. In each row, the arrays stand
    in the order of their names."""
    found = []
    for path in paths:
        file = numpy.load(path)
        arrays = [file[name] for name in sorted(file.files)]
        found += [b"".join(array[n].tobytes() for array in arrays) for n in range(len(arrays[0]))]
    return sorted(found)


def shuffle(args, folder):
    """Returns the files that KataGo's shuffle.py writes."""
    out, scratch = os.path.join(folder, "shuffled"), os.path.join(folder, "scratch")
    os.makedirs(out)
    os.makedirs(scratch)
    command = [
        sys.executable,
        "shuffle.py",
        os.path.abspath(args.rows),
        "-min-rows",
        "1",
        "-keep-target-rows",
        "all",
        "-expand-window-per-row",
        "1",
        "-taper-window-exponent",
        "1",
        "-out-dir",
        out,
        "-out-tmp-dir",
        scratch,
        "-approx-rows-per-out-file",
        "70000",
        "-num-processes",
        "1",
    ]
    done = subprocess.run(
        command, cwd=os.path.join(args.katago, "python"), capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"shuffle.py failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return sorted(glob.glob(os.path.join(out, "*.npz")))


def check_planes(planes, row, edge):
    """Compares the planes of the loader with the bits of the row, except for moves that the loader
    has hidden."""
    bits = numpy.unpackbits(row["binaryInputNCHWPacked"], axis=2)[:, :, : edge * edge].reshape(
        planes.shape
    )
    plain = [i for i in range(22) if not (9 <= i < 14 or 15 <= i < 17)]
    assert (planes[:, plain] == bits[:, plain]).all(), "planes"
    assert (planes[:, MOVES] <= bits[:, MOVES]).all(), "planes of moves"
    older = bits[:, 14:17]
    for plane in range(
        15, 17
    ):  # if an earlier board is hidden, its ladders are those of a newer board
        same = (planes[:, plane, None] == older).all(axis=(2, 3)).any(axis=1)
        assert same.all(), "ladders"
    return float((planes[:, MOVES].sum((1, 2, 3)) == bits[:, MOVES].sum((1, 2, 3))).mean())


def check_loader(paths, edge, config, loader):
    """Compares batch by batch. Returns the number of rows, the fraction of them that kept all
    moves, and the last batch."""
    count, kept, last = 0, [], None
    for path in paths:
        file = numpy.load(path)
        batches = loader.read_npz_training_data(
            [path], BATCH, 1, 0, edge, "cpu", False, False, config
        )
        for number, batch in enumerate(batches):
            part = slice(BATCH * number, BATCH * (number + 1))
            row = {name: file[name][part] for name in file.files}
            kept.append(check_planes(batch["binaryInputNCHW"].numpy(), row, edge))
            globals_ = batch["globalInputNC"].numpy()
            assert (globals_[:, 5:] == row["globalInputNC"][:, 5:]).all(), "globals"
            for name in TARGETS:
                assert (batch[name].numpy() == row[name]).all(), name
            count, last = count + BATCH, batch
    return count, sum(kept) / len(kept) if kept else 0, last


def losses_of(args, batch, edge, config):
    """Computes KataGo's losses of a fresh KataGo net, forward and backward."""
    from katago.train.metrics_pytorch import Metrics
    from katago.train.model_pytorch import ExtraOutputs, Model

    net = Model(config, edge)
    net.initialize()
    net.train()
    outputs = net(batch["binaryInputNCHW"], batch["globalInputNC"], extra_outputs=ExtraOutputs([]))
    found = Metrics(1, net).metrics_dict_batchwise(
        net,
        net.postprocess_output(outputs),
        ExtraOutputs([]),
        batch,
        is_training=True,
        soft_policy_weight_scale=8,
        disable_optimistic_policy=False,
        meta_kata_only_soft_policy=False,
        value_loss_scale=0.6,
        td_value_loss_scales=[0.6, 0.6, 0.6],
        seki_loss_scale=1,
        variance_time_loss_scale=1,
        main_loss_scale=None,
        intermediate_loss_scale=None,
    )
    found["loss_sum"].backward()
    gradients = [p.grad for p in net.parameters() if p.grad is not None]
    assert gradients and all(torch.isfinite(g).all() for g in gradients), "a gradient is not finite"
    told = {
        name: float(value) / BATCH
        for name, value in found.items()
        if "loss" in name and name.endswith("_sum")
    }
    assert all(numpy.isfinite(value) for value in told.values()), told
    return told


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--katago", required=True, help="a checkout of KataGo's sources")
    parser.add_argument("--model", default="b1c6nbt", help="KataGo's name for the net")
    parser.add_argument("rows", help="folder of .npz files, all with planes of the same size")
    args = parser.parse_args()
    sys.path.insert(0, os.path.join(args.katago, "python"))
    from katago.train import data_processing_pytorch, modelconfigs

    config = dict(modelconfigs.config_of_name[args.model], version=16)
    ours = sorted(glob.glob(os.path.join(args.rows, "**", "*.npz"), recursive=True))
    if not ours:
        sys.exit(f"{args.rows}: there are no .npz files")
    edge = numpy.load(ours[0])["valueTargetsNCHW"].shape[-1]
    with tempfile.TemporaryDirectory() as folder:
        shuffled = shuffle(args, folder)
        before, after = digests(ours), digests(shuffled)
        assert before == after, f"shuffle.py changed rows: {len(before)} before, {len(after)} after"
        print(f"shuffle.py: {len(ours)} files, {len(before)} rows, all as they were")
        count, kept, batch = check_loader(shuffled, edge, config, data_processing_pytorch)
        assert count, f"fewer rows than a batch of {BATCH}"
        print(f"loader: {count} rows read as they are; {100 * kept:.1f}% of them show all moves")
        for name, value in sorted(losses_of(args, batch, edge, config).items()):
            print(f"  {name:40}{value:12.5f}")
    print("read")


if __name__ == "__main__":
    main()
