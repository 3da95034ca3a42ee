// Analyses of the position on the board that do not belong to the review: the policy of the net,
// moves in a part of the board, and what would happen if the player passed.

import { useEffect, useRef, useState } from 'preact/hooks';
import { evaluationOf, other, queryOf } from './analysis.js';
import { pointName } from './coordinates.js';

const VISITS = 400;
const FIRST_REPORT_SECONDS = 0.05;
const REPORT_SECONDS = 0.25;

// The policy at each point while `on`; null: it is not known.
export function usePolicy(connection, review, on) {
  const known = useRef({ game: null, byNode: new Map() });
  const [, redraw] = useState(0);
  const { game, id } = review;
  const net = game ? review.net() : null;
  if (known.current.game !== game || known.current.net !== net)
    known.current = { game, net, byNode: new Map() };
  const { byNode } = known.current;
  useEffect(() => {
    if (!on || !game || byNode.has(id)) return undefined;
    const query = queryOf(game.query(game.position(id)),
      { maxVisits: 1, includePolicy: true, priority: 1000 });
    return connection.analyse(net, query, (answer) => {
      if (answer.policy) byNode.set(id, answer.policy);
      redraw((count) => count + 1);
    });
  }, [on, game, id, net]);
  return (on && byNode.get(id)) || null;
}

// The evaluation of the position under one or two conditions: only the points of `region` may be
// played (null: all points), and, if `tenuki` is true, the player passes first. Null: there is no
// condition, or the evaluation is not known yet.
export function useAside(connection, review, region, tenuki) {
  const [evaluation, setEvaluation] = useState(null);
  const { game, id, drilling } = review;
  const wanted = game && !drilling && (region || tenuki);
  useEffect(() => {
    setEvaluation(null);
    if (!wanted) return undefined;
    const position = game.position(id);
    const asked = game.query(position);
    if (tenuki) asked.moves = [...asked.moves, [position.player, 'pass']];
    const player = tenuki ? other(position.player) : position.player;
    const { width, height } = game.facts;
    const names = region && region.map((point) => pointName(point, width, height));
    const query = queryOf(asked, { maxVisits: VISITS, reportDuringSearchEvery: REPORT_SECONDS,
      firstReportDuringSearchAfter: FIRST_REPORT_SECONDS,
      priority: 1000, includeOwnership: true,
      ...(region ? { allowMoves: [{ player, moves: names, untilDepth: 1 }] } : {}) });
    return connection.analyse(review.net(), query, (answer) => {
      if (answer.error) review.setProblem(answer.error);
      else if (!answer.noResults) setEvaluation(evaluationOf(answer));
    });
  }, [game, id, region, tenuki, wanted]);
  return wanted ? evaluation : null;
}
