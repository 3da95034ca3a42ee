// What the moves of a line lose, and the key moves: the moves that lose most, and those that the
// user has marked.

import { MISTAKE, lossOf, scaleOf } from './analysis.js';

const KEY_MOVES_MAX = 10;
const KEY_MOVES_FEW = 3;
const SMALL = 1.2; // points; a move that loses less is good

// For each node of the line: { index, id, number, color, name, loss, best, evaluation }. `loss` is
// null if it is not known, or if the node has no move.
export function lossesOf(game, line, known) {
  return line.map((id, index) => {
    const position = game.position(id);
    const after = known(id);
    const before = index > 0 ? known(line[index - 1]) : null;
    const [color, name] = position.move || [null, ''];
    const best = before && before.moves.length ? before.moves[0].move : null;
    const loss = !before || !after || !color ? null
      : best === name ? 0 : lossOf(before, after, color);
    return { index, id, number: position.number, color, name, loss, best, evaluation: after };
  });
}

// The key moves, the worst one first. `isMarked(id)` says whether the user has marked a move, and
// `unmarked` has the ids of those that the user does not want among the key moves.
export function keyMovesOf(losses, facts, isMarked, unmarked) {
  const scale = scaleOf(facts.width, facts.height);
  const worst = losses.filter(({ loss }) => loss !== null && loss >= SMALL * scale)
    .sort((a, b) => b.loss - a.loss);
  const mistakes = worst.filter(({ loss }) => loss >= MISTAKE * scale);
  const found = (mistakes.length >= KEY_MOVES_FEW ? mistakes : worst).slice(0, KEY_MOVES_MAX)
    .filter(({ id }) => !isMarked(id) && !unmarked.has(id));
  const marked = losses.filter(({ id, color }) => color && isMarked(id));
  return [...found, ...marked].sort((a, b) => b.loss - a.loss);
}

// 100 * 0.75^(mean loss in points), as in KaTrain but without its weights.
export function accuracyOf(losses, color) {
  const own = losses.filter((move) => move.color === color && move.loss !== null);
  if (!own.length) return null;
  const mean = own.reduce((sum, { loss }) => sum + loss, 0) / own.length;
  return Math.round(100 * 0.75 ** mean);
}
