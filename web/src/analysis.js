// Queries for the engine, and what its answers mean. Values are Black's: a win rate of 1 and a
// positive lead are good for Black.

import { pointName, pointOf } from './coordinates.js';

const OVERRIDES = { reportAnalysisWinratesAs: 'BLACK' };

// A query of KataGo's protocol. game: { width, height, rules, komi, stones, player, moves }, where
// stones are [color, point] before the first move, and moves are [color, name].
export function queryOf(game, more = {}) {
  const { overrideSettings, ...others } = more;
  return {
    boardXSize: game.width,
    boardYSize: game.height,
    rules: game.rules,
    komi: game.komi,
    initialStones: game.stones.map(([color, point]) =>
      [color, pointName(point, game.width, game.height)]),
    ...(game.player ? { initialPlayer: game.player } : {}),
    moves: game.moves,
    overrideSettings: { ...OVERRIDES, ...overrideSettings },
    ...others,
  };
}

export const signOf = (color) => (color === 'B' ? 1 : -1);
export const other = (color) => (color === 'B' ? 'W' : 'B');

// The evaluation in an answer: the part that the page keeps.
export function evaluationOf(answer) {
  return {
    visits: answer.rootInfo.visits,
    win: answer.rootInfo.winrate,
    lead: answer.rootInfo.scoreLead,
    moves: answer.moveInfos.slice().sort((a, b) => a.order - b.order).slice(0, 12)
      .map(({ move, visits, winrate, scoreLead, prior, pv }) =>
        ({ move, visits, win: winrate, lead: scoreLead, prior, pv })),
    ownership: answer.ownership || null,
  };
}

// The factor by which BOUNDS are multiplied. It is smaller on small boards, where a point matters
// more.
export const scaleOf = (width, height) => {
  const size = Math.max(width, height);
  return size <= 9 ? 0.6 : size <= 13 ? 0.8 : 1;
};

// The losses, in points, that separate six classes of moves at the Online Go Server (OGS):
// excellent, great, good, inaccuracy, mistake and blunder.
const BOUNDS = [0.2, 0.6, 1.2, 4, 10];
// These two bounds, in points, are multiplied by scaleOf() too. A move that loses at least MISTAKE
// is a mistake. An answer in an exercise (drill.jsx) is right if it loses less than RIGHT.
export const MISTAKE = 4;
export const RIGHT = 0.6;

// The class of a loss: from 0, excellent, to 5, a blunder.
export function qualityOf(loss, scale) {
  const at = BOUNDS.findIndex((bound) => loss < bound * scale);
  return at < 0 ? BOUNDS.length : at;
}

export const SHAPES = ['●', '●', '●', '▲', '■', '◆'];

export const points = (value) => {
  const text = Math.abs(value) < 9.95 ? Math.abs(value).toFixed(1) : Math.abs(value).toFixed(0);
  return text === '0.0' ? '0' : text;
};

export const leadText = (lead) =>
  Math.abs(lead) < 0.05 ? '0' : `${lead > 0 ? 'B' : 'W'}+${points(lead)}`;

export const percent = (win) => Math.round(100 * win);

// The moves that are worth showing: the best move and those with enough visits, at most eight in
// all.
export function candidatesOf(evaluation, mover, width, height) {
  if (!evaluation || !evaluation.moves.length) return [];
  const best = evaluation.moves[0];
  const enough = Math.max(evaluation.visits < 100 ? 2 : 5, 0.01 * evaluation.visits);
  const scale = scaleOf(width, height);
  return evaluation.moves
    .filter((info, i) => i === 0 || info.visits >= enough)
    .slice(0, 8)
    .map((info, i) => {
      const loss = Math.max(0, (best.lead - info.lead) * signOf(mover));
      return { ...info, point: pointOf(info.move, width, height), loss, best: i === 0,
        quality: qualityOf(loss, scale), label: points(loss), labelKind: 'loss' };
    });
}

// The first moves of a candidate's variation as numbered stones.
export function lineOf(candidate, mover, width, height, length) {
  const stones = [];
  const seen = new Set();
  candidate.pv.slice(0, length).forEach((move, i) => {
    const point = pointOf(move, width, height);
    if (point < 0 || seen.has(point)) return;
    seen.add(point);
    stones.push({ point, color: i % 2 ? other(mover) : mover, number: i + 1 });
  });
  return stones;
}

// The points that the mover loses by a move, from the evaluations before and after it.
export const lossOf = (before, after, mover) =>
  Math.max(0, (before.lead - after.lead) * signOf(mover));

const POLICY_MAX = 8; // maximum number of moves that policyMoves() returns
const POLICY_SHARE = 0.03;

// The moves to which the net's policy gives the highest probabilities, as candidates for the board.
// Their labels are these probabilities in percent. If a net has learned little, no move has a high
// probability. Then the moves are those with at least half of the highest probability.
export function policyMoves(policy, area) {
  const shares = (policy || []).slice(0, area);
  const least = Math.min(POLICY_SHARE, Math.max(0, ...shares) / 2);
  return shares.map((share, point) => ({ share, point }))
    .filter(({ share }) => share > 0 && share >= least)
    .sort((a, b) => b.share - a.share).slice(0, POLICY_MAX)
    .map(({ share, point }, i) => ({ point, best: i === 0, label: String(percent(share)),
      labelKind: 'policy', quality: Math.min(3, i) }));
}

// What the candidates on the board say: their loss, their win rate or their visits.
export const LABELS = ['loss', 'win', 'visits'];
const briefly = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export function labelled(candidates, label, mover) {
  if (label === 'loss') return candidates;
  return candidates.map((candidate) => ({ ...candidate, labelKind: label,
    label: label === 'visits' ? briefly.format(candidate.visits)
      : String(percent(mover === 'B' ? candidate.win : 1 - candidate.win)) }));
}
