// What the engine tells a player who wants help: the moves that it would play (a hint), or how good
// the player's last move was.

import { useEffect, useState } from 'preact/hooks';
import { MISTAKE, evaluationOf, lossOf, queryOf, scaleOf } from './analysis.js';
import { pointOf } from './coordinates.js';

const HINT_VISITS = 400;
const JUDGE_VISITS = 100;

// The first `count` moves of a game of the server, as a game for queryOf().
export function gameOf(state, count = state.moves.length) {
  const points = state.initial.map((name) => ['B', pointOf(name, state.width, state.height)]);
  return { ...state, stones: points, player: state.initial.length ? 'W' : 'B',
    moves: state.moves.slice(0, count) };
}

// A text that names the game and the position. Two states with the same content have the same text,
// even if they are different objects.
const keyOf = (state, count) => state && JSON.stringify([state.width, state.height, state.rules,
  state.komi, state.initial, state.net, state.moves.slice(0, count)]);

const NO_HINT = { hint: null, hintProblem: '' };

// { hint, hintProblem }: the engine's evaluation of the present position while `wanted` and it is
// the player's turn, or why the engine has none.
export function useHint(connection, state, wanted) {
  const [answered, setAnswered] = useState(NO_HINT);
  const mine = state && state.phase === 'play' && state.to_play === state.color;
  useEffect(() => {
    setAnswered(NO_HINT);
    if (!wanted || !mine) return undefined;
    const query = queryOf(gameOf(state),
      { maxVisits: HINT_VISITS, reportDuringSearchEvery: 0.25, includeOwnership: true });
    return connection.analyse(state.net, query, (answer) => {
      if (answer.error) setAnswered({ hint: null, hintProblem: answer.error });
      else if (!answer.noResults) setAnswered({ hint: evaluationOf(answer), hintProblem: '' });
    });
  }, [wanted, mine, keyOf(state)]);
  return answered;
}

// How good the player's last move was, while `wanted`: { loss, kind, best, name, point }.
export function useJudgement(connection, state, wanted) {
  const [judgement, setJudgement] = useState(null);
  const last = state && state.phase === 'play'
    ? state.moves.map(([color]) => color).lastIndexOf(state.color) : -1;
  const name = last >= 0 ? state.moves[last][1] : '';
  useEffect(() => {
    setJudgement(null);
    if (!wanted || last < 0) return undefined;
    const found = {};
    const query = queryOf(gameOf(state, last + 1),
      { maxVisits: JUDGE_VISITS, analyzeTurns: [last, last + 1] });
    return connection.analyse(state.net, query, (answer) => {
      if (answer.error || answer.noResults) return;
      found[answer.turnNumber] = evaluationOf(answer);
      const [before, after] = [found[last], found[last + 1]];
      if (!before || !after) return;
      const isBest = before.moves[0].move === name;
      const loss = isBest ? 0 : lossOf(before, after, state.color);
      const scale = scaleOf(state.width, state.height);
      setJudgement({ loss, name, best: before.moves[0].move,
        point: pointOf(name, state.width, state.height),
        kind: loss < 1.2 * scale ? 'fine' : loss < MISTAKE * scale ? 'small' : 'big' });
    });
  }, [wanted, last, keyOf(state, last + 1)]);
  return judgement;
}
