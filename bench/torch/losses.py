"""Makes batches of the rows in KataGo's .npz files, and computes the losses of a batch from their
definitions.

Rows: KataGo, cpp/dataio/trainingwrite.h, and python/katago/train/data_processing_pytorch.py.
Losses: Wu 2019, appendix B; KataGo, python/katago/train/metrics_pytorch.py and model_pytorch.py.
"""
import numpy
import torch
import torch.nn.functional as F

OUTPUTS = 3  # the outcomes of a game: win, loss, no result; in the targets a score follows them


def read_rows(paths):
    """Returns the columns of all files, one file after the other."""
    files = [numpy.load(path) for path in paths]
    return {
        name: numpy.concatenate([file[name] for file in files])
        for name in files[0].files
        if all(name in file.files for file in files)
    }


POINTS = {  # the optional columns with one number for each point
    "next_occupant": "nextOccupantTargetsNHW",
    "time_on_board": "timeOnBoardTargetsNHW",
    "same_chain": "sameChainTargetsNHW",
}


def batch_of(rows, numbers, dtype):
    edge = rows["valueTargetsNCHW"].shape[-1]
    area = edge * edge
    targets = rows["globalTargetsNC"][numbers]
    bits = numpy.unpackbits(rows["binaryInputNCHWPacked"][numbers], axis=2)[:, :, :area]
    planes = bits.reshape(len(numbers), -1, edge, edge).astype("f4")
    globals_ = rows["globalInputNC"][numbers].copy()
    shown = numpy.cumprod(
        targets[:, 36:41] > 0, axis=1
    )  # whether each of the last five moves is shown
    planes[:, 9:14] *= shown[:, :, None, None]
    globals_[:, :5] *= shown
    back = shown[:, :2].sum(
        1
    )  # a hidden earlier board gets the ladders of the oldest board that is shown
    for plane, most in ((16, 2), (15, 1)):
        planes[:, plane] = planes[numpy.arange(len(numbers)), 14 + numpy.minimum(back, most)]
    values = rows["valueTargetsNCHW"][numbers].astype("f4").transpose(0, 2, 3, 1)
    policy = rows["policyTargetsNCMove"][numbers].astype("f8")
    score = numpy.zeros((len(numbers), 842))
    score[:, 421 - area - 60 : 421 + area + 60] = rows["scoreDistrN"][numbers] / 100
    batch = {
        "planes": planes.transpose(0, 2, 3, 1),
        "globals": globals_,
        "policy": policy / policy.sum(2, keepdims=True),
        "targets": targets,
        "score": score,
        "ownership": values[..., 0],
        "seki": values[..., 1],
        "future": values[..., 2:4],
        "scoring": values[..., 4] / 120,
        "moves": rows["qValueTargetsNCMove"][numbers] / numpy.array([[[32000], [60], [1]]]),
    }
    spread = rows.get("searchValueDistrN", numpy.zeros((len(rows["globalTargetsNC"]), 51)))
    batch["search_values"] = spread[numbers]
    for name, column in POINTS.items():
        batch[name] = (
            rows[column][numbers] if column in rows else numpy.zeros((len(numbers), edge, edge))
        )
    batch = {name: torch.tensor(value, dtype=dtype) for name, value in batch.items()}
    batch["mask"] = batch["planes"][..., 0]
    batch["leads"] = bool((rows["globalTargetsNC"][:, 29] > 0).any())
    return batch


def huber(x, delta):
    return torch.where(x.abs() <= delta, x * x / 2, delta * delta / 2 + delta * (x.abs() - delta))


def softplus(x):
    """Softplus, but with the slope 0.05 + 0.95 sigmoid(x), so that the gradient of an output never
    vanishes (KataGo, model_pytorch.py)."""
    y = F.softplus(x)
    return y + 0.05 * (x - x.detach()) - 0.05 * (y - y.detach())


def entropy(p):
    return -(p * p.clamp(min=1e-30).log()).sum(-1)


def cross_entropy(logits, target):
    return -(target * logits.log_softmax(-1)).sum(-1)


def seki_weight(unowned):
    return 8 * 0.005 / (0.005 + unowned)


def net_errors(out, b):
    """Returns four things, all without gradients: the net's predictions of the end of the game, its
    predictions of the next searches, the errors that it expects of the predictions of the next
    searches, and what these searches found. The predictions of the next searches come from the
    heads of the short horizon. In nets without these heads, they come from the heads that predict
    the end of the game."""
    raw, next_ = out["score"].detach(), b["targets"][:, 12:16]
    later = out["td"].detach() if "td" in out else None
    p = (out["value"].detach() if later is None else later[:, 6:9]).softmax(-1)
    return {
        "end": raw[:, 0] * 20,
        "value": p[:, 0] - p[:, 1],
        "score": (raw[:, 0] if later is None else later[:, 11]) * 20,
        "deviation": F.softplus(raw[:, 1]) * 20,
        "value_error": F.softplus(raw[:, 4] / 2) ** 2 * 0.25,
        "score_error": F.softplus(raw[:, 5] / 2) ** 2 * 150,
        "next_value": next_[:, 0] - next_[:, 1],
        "next_score": next_[:, 3],
    }


def optimism(out, b):
    """Weights of rows for the two optimistic policies (KataGo, docs/KataGoMethods.md)."""
    said, t = net_errors(out, b), b["targets"]
    end = (t[:, 20] - said["end"]) / (said["deviation"] ** 2 + 0.25).sqrt()
    value = (said["next_value"] - said["value"]) / (said["value_error"] + 1e-4).sqrt()
    score = (said["next_score"] - said["score"]) / (said["score_error"] + 0.25).sqrt()
    win = t[:, 0] + t[:, 2] / 2
    far = lambda z: (3 * (z - 1.5)).sigmoid()
    return (win**2 + far(end)).clamp(0, 1), (far(value) + far(score)).clamp(0, 1)


def near(x):
    """Returns whether one of the four neighbours of each point is marked."""
    x = F.pad(x.to(torch.uint8), (1, 1, 1, 1)) > 0
    return x[:, 2:, 1:-1] | x[:, :-2, 1:-1] | x[:, 1:-1, 2:] | x[:, 1:-1, :-2]


def legal_moves(b):
    """Returns whether each point is legal, as far as the features tell: it is empty, no ko rule
    forbids it, and the stone would have a liberty, capture something, or be taken off by a suicide
    that the rules allow."""
    on, own, other, atari = (b["planes"][..., i] > 0 for i in (0, 1, 2, 3))
    empty = on & ~own & ~other
    lives = near(empty | own & ~atari | other & atari)
    suicide = near(own) & (b["globals"][:, 8] > 0)[:, None, None]
    free = empty & ~(b["planes"][..., 6] > 0) & (lives | suicide)
    return on & (free | (b["globals"][:, 12] > 0)[:, None, None])


def policy_logits(out, b, settings):
    """Returns the logits of all policies, with -5000 where a move is not allowed, and whether each
    move is allowed. Channels: mover's move, reply, soft policies of these two, long-term
    optimistic, short-term optimistic."""
    raw = torch.cat([out["policy"].flatten(1, 2), out["pass"][:, None]], 1)
    on = torch.cat([b["mask"].flatten(1) > 0, torch.ones_like(b["mask"][:, 0, :1]) > 0], 1)
    legal = on.clone()
    if settings["policy_legal"]:
        legal[:, :-1] = legal_moves(b).flatten(1) | (b["policy"][:, 0, :-1] > 0)
    allowed = torch.stack([on if i in (1, 3) else legal for i in range(raw.shape[-1])], -1)
    return raw.masked_fill(~allowed, -5000), allowed


def own_target(b, settings):
    """Returns the policy target for the mover's move. Every move gives the fraction `policy_best`
    of its probability to the best move of the target."""
    own, share = b["policy"][:, 0], settings["policy_best"]
    best = (own.roll(1, -1).argmax(-1) - 1) % own.shape[
        -1
    ]  # of equally good moves the pass comes first, then the first point
    return (1 - share) * own + share * F.one_hot(best, own.shape[-1])


def policy_terms(out, b, w, settings):
    """The losses of the policies.

    Like the other functions *_terms, this one yields (metric, setting, losses of the rows).
    `metric` is the name by which the trainer reports the loss. `setting` is the name of the weight
    of the loss; it may also be a pair of this name and a factor that multiplies the loss but not
    the metric. If `metric` is None, the loss is not reported. If `setting` is None, the loss is not
    part of the total loss."""
    t, own, reply = b["targets"], own_target(b, settings), b["policy"][:, 1]
    logits, allowed = policy_logits(out, b, settings)
    soft = ((b["policy"] + 1e-7) ** 0.25) * allowed[..., :2].transpose(1, 2)
    soft = soft / soft.sum(-1, keepdim=True)
    w_own, w_reply = w * t[:, 26], w * t[:, 28]
    yield "policy", "policy", w_own * cross_entropy(logits[..., 0], own)
    squares = w_own * ((logits[..., 0].softmax(-1) - own) ** 2).sum(-1)
    yield "policy_l2" if settings["policy_l2"] else None, "policy_l2", squares
    yield "policy_target_entropy", None, w_own * entropy(own)
    yield "opponent_policy", "opponent_policy", w_reply * cross_entropy(logits[..., 1], reply)
    if logits.shape[-1] >= 4:
        over = lambda channel, p: cross_entropy(logits[..., channel], p) - entropy(p)
        yield "soft_policy", "soft_policy", w_own * over(2, soft[:, 0])
        yield None, "soft_opponent_policy", w_reply * over(3, soft[:, 1])
    if logits.shape[-1] >= 6:
        by_end, by_next = optimism(out, b)
        w_own = w_own * t[:, 27]
        told = cross_entropy(logits[..., 5], own)
        yield None, "long_optimistic_policy", w_own * by_end * cross_entropy(logits[..., 4], own)
        yield None, "optimistic_policy", w_own * by_next * told
        yield "optimistic_policy", None, w_own * by_next * (told - entropy(own))


def points_factor(b, settings):
    """Returns for each row the factor that multiplies its losses in points and in turns."""
    area = b["mask"].sum((1, 2))
    return settings["score_area"] / area if settings["score_area"] else torch.ones_like(area)


def move_terms(out, b, w, points):
    """The losses of the values of moves. Channels: win - loss before tanh, score divided by 20."""
    win_loss, score, visits = b["moves"].unbind(1)
    said = torch.cat([out["policy"].flatten(1, 2), out["pass"][:, None]], 1)
    root, p = visits.sqrt(), (1 + win_loss) / 2
    share = w / (root.sum(-1) + 1)
    over = F.binary_cross_entropy_with_logits(2 * said[..., 6], p, reduction="none") - entropy(
        torch.stack([p, 1 - p], -1)
    )
    yield "q_winloss", "q_winloss", share * (root * over).sum(-1)
    yield "q_score", ("q_score", points), share * (
        visits * huber(said[..., 7] * 20 - score, 12)
    ).sum(-1)


def value_terms(out, b, w, settings):
    t, area = b["targets"], b["mask"].sum((1, 2))
    q = settings["value_q"] * (1 - t[:, 24:25])
    outcome = (1 - q) * t[:, :OUTPUTS] + q * t[:, 16 : 16 + OUTPUTS]
    p, w_value = out["value"].softmax(-1), w * (1 - t[:, 35])
    yield "value", "value", w_value * cross_entropy(out["value"], outcome)
    yield None, "value_l2", w_value * (p[:, 0] - p[:, 1] - outcome[:, 0] + outcome[:, 1]) ** 2
    yield "td_value", "td_value", w * (1 - t[:, 24]) * cross_entropy(out["value"], t[:, 8:11])
    logit = 2 * out["ownership"][..., 0]
    each = F.binary_cross_entropy_with_logits(logit, (1 + b["ownership"]) / 2, reduction="none")
    yield "ownership", "ownership", w * t[:, 27] * (each * b["mask"]).sum((1, 2)) / area


def score_terms(out, b, w, delta, points):
    t, raw, said = b["targets"], out["score"], net_errors(out, b)
    wo, mean, deviation = w * t[:, 27], raw[:, 0] * 20, softplus(raw[:, 1]) * 20
    yield "score_mean", ("score_mean", points), wo * huber(mean - t[:, 20], delta)
    if "score_distribution" in out:
        logits = out["score_distribution"][..., 0]
        p, bins = logits.softmax(-1), torch.arange(842, dtype=logits.dtype) - 421 + 0.5
        center = (p * bins).sum(-1)
        variance = (p * bins**2).sum(-1) - center**2
        yield "score_pdf", "score_pdf", wo * cross_entropy(logits, b["score"])
        yield "score_cdf", ("score_cdf", points), wo * ((p - b["score"]).cumsum(-1) ** 2).sum(-1)
        yield "score_mean_self", ("score_mean_self", points), w * huber(mean - center, 10)
        yield "score_stdev", ("score_stdev", points), w * huber(
            deviation - (0.001 + variance).sqrt(), 10
        )
    else:  # Aji's own. A normal distribution has the deviation sqrt(pi / 2) E|x - mean|.
        yield "score_stdev", ("score_stdev", points), wo * huber(
            deviation - 1.25 * (mean - t[:, 20]).abs().detach(), 10
        )
    # Aji's own: if the rows have no leads, the head learns the score of the game
    lead, wl = (t[:, 21], w * t[:, 29]) if b["leads"] else (t[:, 20], wo)
    yield "lead", ("lead", points), wl * huber(raw[:, 2] * 20 - lead, 8)
    yield "var_time", ("var_time", points), wo * huber(
        softplus(raw[:, 3]) * 40 - (t[:, 22] + 1e-5), 50
    )
    w_next = wo * (1 - t[:, 24])  # Aji's own: rows without later searches do not count
    value_error, score_error = (
        softplus(raw[:, 4] / 2) ** 2 * 0.25,
        softplus(raw[:, 5] / 2) ** 2 * 150,
    )
    away = (said["value"] - said["next_value"]) ** 2 + 1e-8
    yield "shortterm_winloss", "shortterm_error", w_next * huber(value_error - away, 0.4)
    away = (said["score"] - said["next_score"]) ** 2 + 1e-4
    yield "shortterm_score", ("shortterm_error", 1e-5 * points**2), w_next * huber(
        score_error - away, 100
    )


def bucket_terms(logits, b, w, single=0, q=0):
    """The loss of a distribution over 51 buckets of win - loss. Its target is the distribution of
    the search's visits (p3achygo, python/loss.py). The fraction `single` of the target goes to one
    bucket instead: that of a weighted mean of the search's value (weight q) and the result of the
    game (lczero-training)."""
    t, count = b["targets"], torch.arange(51, dtype=w.dtype)
    found, result = t[:, 16] - t[:, 17], t[:, 0] - t[:, 1]
    place = ((1 + found) / 2 * 51 - 0.5).clamp(
        0, 50
    )  # Aji's own, for rows of which only the mean is known
    mean = (1 - (place[:, None] - count).abs()).clamp(min=0)
    spread = b["search_values"].sum(1, keepdim=True)
    target = torch.where(spread > 0, b["search_values"] / spread.clamp(min=1), mean)
    one = ((1 + q * found + (1 - q) * result) / 2 * 51).floor().clamp(0, 50).long()
    target = (1 - single) * target + single * F.one_hot(one, 51)
    w = w * (1 - t[:, 24]) * (1 - t[:, 35] if single and q < 1 else 1)
    return w * (cross_entropy(logits, target) - entropy(target))


def auxiliary_terms(out, b, w, unowned, points):
    """The losses of the heads that only teach the trunk. The last one is from p3achygo,
    python/loss.py."""
    t, mask = b["targets"], b["mask"]
    area, w_td = mask.sum((1, 2)), w * (1 - t[:, 24])
    on_board = lambda x: (x * mask).sum((1, 2))
    for i, setting in enumerate(("td_long", "td_middle", "td_short")):
        to = t[:, 4 + 4 * i : 8 + 4 * i]
        excess = cross_entropy(out["td"][:, 3 * i : 3 * i + 3], to[:, :OUTPUTS]) - entropy(
            to[:, :OUTPUTS]
        )
        yield "td_values", setting, w_td * excess
        yield "td_score", ("td_score", points), w_td * t[:, 27] * huber(
            out["td"][:, 9 + i] * 20 - to[:, 3], 12
        )
    away = (out["future"].tanh() - b["future"]) ** 2
    yield "future", "future", w * t[:, 33] * on_board(away[..., 0] + away[..., 1] / 4) / area.sqrt()
    square = on_board((out["scoring"][..., 0] - b["scoring"]) ** 2) / area
    yield "scoring", "scoring", w * t[:, 34] * 4 * ((square / 2 + 1).sqrt() - 1)
    sides = torch.stack([b["seki"] == 0, b["seki"] > 0, b["seki"] < 0], -1).to(w.dtype)
    neutral = (b["ownership"] == 0).to(w.dtype)
    each = cross_entropy(out["seki"][..., :3], sides)
    each = (
        each
        + F.binary_cross_entropy_with_logits(out["seki"][..., 3], neutral, reduction="none") / 2
    )
    yield "seki", ("seki", seki_weight(unowned)), w * t[:, 27] * on_board(each) / area
    yield "unowned", None, w * t[:, 27] * on_board(neutral) / area
    yield "search_values", "search_values", bucket_terms(out["search_values"], b, w)


def error_terms(out, b, w, settings, points):
    """The losses of the errors that the net expects of its predictions over the three horizons
    (p3achygo, python/model.py)."""
    t, td = b["targets"], out["td"].detach()
    w_td = w * (1 - t[:, 24]) / 3
    z = 0
    for i in range(3):
        p, to = td[:, 3 * i : 3 * i + 3].softmax(-1), t[:, 4 + 4 * i : 8 + 4 * i]
        over, over_score = to[:, 0] - to[:, 1] - p[:, 0] + p[:, 1], to[:, 3] - td[:, 9 + i] * 20
        error = 4 * out["td_errors"][:, i].sigmoid()
        yield "td_value_error", "td_value_error", w_td * huber(error - over**2, 1)
        score_error = out["td_errors"][:, 3 + i].abs()
        yield "td_score_error", ("td_score_error", points**2), w_td * t[:, 27] * huber(
            score_error - over_score**2 / 100, 1
        )
        z = z + 2**i / 7 * over / (error.detach() + 1e-6).sqrt()
    if out["pass"].shape[-1] >= 6:
        logits, own = policy_logits(out, b, settings)[0], own_target(b, settings)
        weight = w * t[:, 26] * (1 - t[:, 24]) * (3 * (z - 1)).sigmoid()
        told = cross_entropy(logits[..., 5], own)
        yield None, "horizon_optimistic_policy", weight * told
        yield "horizon_optimistic_policy", None, weight * (told - entropy(own))


def named_terms(out, b, w, settings, points):
    """The losses of heads that a net has if its description names them."""
    t, mask = b["targets"], b["mask"]
    if "moves_left" in out:  # lczero-training, tfprocess.py
        away, known = softplus(out["moves_left"][:, 0]) - t[:, 69] / 20, t[:, 69] > 0
        yield "moves_left", ("moves_left", points), w * known * huber(away, 0.5)
    if "score_scale" in out:  # Wu 2019, appendix B
        yield "score_scale", "score_scale", w * F.softplus(out["score_scale"][:, 0]) ** 2
    if "ladders" in out:  # GoNN, README
        each = F.binary_cross_entropy_with_logits(
            out["ladders"][..., 0], b["planes"][..., 14], reduction="none"
        )
        yield "ladders", "ladders", w * (each * mask).sum((1, 2)) / mask.sum((1, 2))
    if "value_buckets" in out:  # lczero-training, README
        mixed = bucket_terms(
            out["value_buckets"],
            b,
            w,
            settings["value_buckets_single"],
            settings["value_buckets_q"],
        )
        yield "value_buckets", "value_buckets", mixed
    if "later_moves" in out:  # Aji's own, after Wu 2019, section 4.2
        logits = out["later_moves"].masked_fill(mask[..., None] == 0, -5000).flatten(1, 2)
        edge = mask.shape[1]
        for i in range(4):
            at = t[:, 70 + i].long() - 1  # 19 * row + column
            cell = at.clamp(min=0) // 19 * edge + at.clamp(min=0) % 19
            known = (t[:, 70 + i] >= 1) & (t[:, 70 + i] <= 361)
            of = (
                logits[..., i]
                .log_softmax(-1)
                .gather(1, cell.clamp(max=edge * edge - 1)[:, None])[:, 0]
            )
            yield "later_moves", "later_moves", -w * known * of / 4
    if "root_variance" in out:  # Wu 2019, appendix B
        known = torch.arange(4)[None] < t[:, 78:79]
        yield "root_variance", "root_variance", w * (
            known * (F.softplus(out["root_variance"]) - t[:, 74:78]) ** 2
        ).sum(-1)
    if "value_error" in out:  # lczero-training, tfprocess.py
        q, p = settings["value_error_q"], out["value"].detach().softmax(-1)
        target = q * (t[:, 16] - t[:, 17]) + (1 - q) * (t[:, 0] - t[:, 1])
        known = (1 - t[:, 24] if q > 0 else 1) * (1 - t[:, 35] if q < 1 else 1)
        away = out["value_error"][:, 0].sigmoid() - (target - p[:, 0] + p[:, 1]) ** 2
        yield "value_error", "value_error", w * known * away**2


def point_terms(out, b, w):
    """The losses of heads that learn the optional columns of points (Aji's own, after
    lczero-training's README)."""
    mask = b["mask"]
    area = mask.sum((1, 2))
    if "next_occupant" in out:
        next_one = b["next_occupant"].long()
        told = F.cross_entropy(
            out["next_occupant"].permute(0, 3, 1, 2), (next_one - 1).clamp(min=0), reduction="none"
        )
        yield "next_occupant", "next_occupant", w * (told * (next_one > 0)).sum((1, 2)) / area
    if "time_on_board" in out:
        time = b["time_on_board"]
        f = torch.where(
            time < 32767, 1 - 2 ** (-8 * time / area[:, None, None]), torch.ones_like(time)
        )
        told = F.binary_cross_entropy_with_logits(out["time_on_board"][..., 0], f, reduction="none")
        told = told - torch.special.entr(f) - torch.special.entr(1 - f)
        yield "time_on_board", "time_on_board", w * (told * (time > 0)).sum((1, 2)) / area
    if "same_chain" in out:
        y, chain, on = out["same_chain"].flatten(1, 2), b["same_chain"].flatten(1), mask.flatten(1)
        keys, offset = y[..., :16], y[..., 16]
        logits = keys @ keys.transpose(1, 2) / 4 + offset[:, :, None] + offset[:, None]
        same = ((chain[:, :, None] == chain[:, None]) & (chain[:, None] > 1)).to(logits.dtype)
        pairs = on[:, :, None] * on[:, None] * (1 - torch.eye(on.shape[1], dtype=on.dtype))
        told = F.binary_cross_entropy_with_logits(logits, same, reduction="none") * pairs
        known = chain[:, 0] > 0  # the first cell is on the board
        yield "same_chain", "same_chain", w * known * told.sum((1, 2)) / pairs.sum((1, 2))


def losses(out, b, settings, unowned):
    """Returns the loss to minimise, a mean over rows, and all losses as the trainer reports them,
    which are means weighted by the weights of rows. `settings` has objective.*; `unowned` is the
    running mean of the fraction of points that nobody owns."""
    w = b["targets"][:, 25]
    terms = [*policy_terms(out, b, w, settings), *value_terms(out, b, w, settings)]
    points = points_factor(b, settings)
    terms += score_terms(out, b, w, settings["huber_delta"], points)
    terms += named_terms(out, b, w, settings, points)
    terms += point_terms(out, b, w)
    if "td" in out:
        terms += auxiliary_terms(out, b, w, unowned, points)
    if "td_errors" in out:
        terms += error_terms(out, b, w, settings, points)
    if out["pass"].shape[-1] >= 8:
        terms += move_terms(out, b, w, points)
    whole, told = 0, {}
    for name, setting, rows in terms:
        setting, factor = setting if isinstance(setting, tuple) else (setting, 1)
        if setting:
            whole = whole + settings[setting] * (factor * rows).sum()
        if name:
            told[name] = told.get(name, 0) + rows.detach().sum() / w.sum()
    told["loss"] = whole.detach() / w.sum()
    return whole / len(w), {name: float(value) for name, value in told.items()}
