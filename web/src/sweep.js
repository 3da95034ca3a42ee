// A sweep analyses all positions of a line of a game, in two passes. The first pass has few visits
// for each position, so that the graph is complete soon. The second pass has more visits, and
// begins with the moves that lost most.

import { evaluationOf, lossOf, queryOf } from './analysis.js';

export const FIRST_VISITS = 16;
export const SECOND_VISITS = 200;
const PRIORITY = 10; // of the first pass; the position on the board has a higher priority

// Analyses those positions of the groups whose evaluations have too few visits. Calls onDone when
// the last evaluation has come. Returns a function that ends the pass.
function pass({ connection, net, groups, known, visits, order, more, onEvaluation, onProblem,
  onDone }) {
  const stops = [];
  let left = 0;
  const finished = (count) => {
    left -= count;
    if (left === 0) onDone();
  };
  for (const { ids, turns, query } of groups) {
    const wanted = new Map(); // by turn: nodes; a node without a move has the turn of its parent
    ids.forEach((id, i) => {
      if (known(id) && known(id).visits >= visits) return;
      wanted.set(turns[i], [...(wanted.get(turns[i]) || []), id]);
    });
    if (!wanted.size) continue;
    left += wanted.size;
    const open = new Set(wanted.keys()); // the turns without an answer
    const options = { maxVisits: visits, analyzeTurns: [...wanted.keys()],
      priorities: [...wanted.values()].map(([id]) => order(id)), ...more };
    stops.push(connection.analyse(net, queryOf(query, options), (answer) => {
      if (answer.error) {
        const failed = open.size;
        onProblem(answer.error);
        open.clear();
        finished(failed);
      } else if (!answer.isDuringSearch && open.delete(answer.turnNumber)) {
        for (const id of answer.noResults ? [] : wanted.get(answer.turnNumber))
          onEvaluation(id, evaluationOf(answer));
        finished(1);
      }
    }));
  }
  if (left === 0) onDone();
  return () => stops.forEach((stop) => stop());
}

// net: the id of the net that evaluates
// game, line: what is swept; known(id): the evaluation of a node, if there is one
// onEvaluation(id, evaluation), onProblem(text), onStage(stage): 1, 2 and at the end 0
export function sweep({ connection, net, game, line, known, onEvaluation, onProblem, onStage }) {
  const groups = game.groups(line);
  const place = new Map(line.map((id, i) => [id, i]));
  const lossBefore = (id) => {
    const before = known(id);
    const after = known(line[place.get(id) + 1]);
    return before && after ? lossOf(before, after, game.position(id).player) : 0;
  };
  let stop = () => {};
  const second = () => {
    const losses = line.map((id) => [id, lossBefore(id)]).sort((a, b) => b[1] - a[1]);
    const rank = new Map(losses.map(([id], i) => [id, i]));
    onStage(2);
    stop = pass({ connection, net, groups, known, visits: SECOND_VISITS, onEvaluation, onProblem,
      order: (id) => -rank.get(id), more: { includeOwnership: true }, onDone: () => onStage(0) });
  };
  onStage(1);
  let ended = false;
  stop = pass({ connection, net, groups, known, visits: FIRST_VISITS, onEvaluation, onProblem,
    order: () => PRIORITY, more: {}, onDone: () => !ended && Promise.resolve().then(() =>
      !ended && second()) });
  return () => {
    ended = true;
    stop();
  };
}
