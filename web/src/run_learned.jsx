// What the nets of a run say of one position. A slider chooses the net, from the first to the
// newest.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { leadText, other, percent, policyMoves, queryOf } from './analysis.js';
import { Board } from './board.jsx';
import { pointName, pointOf } from './coordinates.js';
import { boardAfter, stonesOf } from './position.js';
import { T } from './texts.js';

// The answers of the nets to one position; each net is asked once.
function useAnswers(connection, run, number, position) {
  const known = useRef(new Map());
  const [, redraw] = useState(0);
  const [problem, setProblem] = useState('');
  const key = `${run}.${number} ${position.moves.join(' ')}`;
  useEffect(() => {
    if (number === undefined || known.current.has(key)) return undefined;
    const query = queryOf(position, { maxVisits: 1, includePolicy: true, includeOwnership: true });
    return connection.analyse(`${run}.${number}`, query, (answer) => {
      if (answer.error) return setProblem(answer.error);
      setProblem('');
      known.current.set(key, answer);
      redraw((count) => count + 1);
    });
  }, [key]);
  return { answer: known.current.get(key) || null, problem };
}

export function RunLearned({ connection, id, state }) {
  const { nets = [], board = [9, 9], komi } = state;
  const [width, height] = board;
  const [place, setPlace] = useState(null); // in the list of nets; null: the newest
  const [moves, setMoves] = useState([]);
  const at = place === null ? nets.length - 1 : Math.min(place, nets.length - 1);
  const net = nets[at];
  const position = useMemo(() => ({ width, height, rules: 'tromp-taylor',
    komi: Math.round(2 * (komi ?? 7.5)) / 2, stones: [], player: null, initial: [], moves }),
  [width, height, komi, moves]);
  const stones = useMemo(() => stonesOf(boardAfter(position, moves.length)), [position]);
  const { answer, problem } = useAnswers(connection, id, net ? net.number : undefined, position);
  const candidates = useMemo(
    () => (answer ? policyMoves(answer.policy, width * height) : []), [answer]);
  if (!net) return null;
  const color = moves.length ? other(moves[moves.length - 1][0]) : 'B';
  const last = moves.length ? pointOf(moves[moves.length - 1][1], width, height) : -1;
  const play = (point) =>
    stones[point] === '.' && setMoves([...moves, [color, pointName(point, width, height)]]);
  const text = answer ? T.learnedText(net.number, percent(answer.rootInfo.winrate),
    leadText(answer.rootInfo.scoreLead)) : T.learnedWait(net.number);
  return (
    <section class="card learned">
      <h2>{T.learned}</h2>
      <p class="quiet">{T.learnedHelp}</p>
      <div class="learned-board">
        <Board width={width} height={height} stones={stones} lastMove={last}
          candidates={candidates} territory={answer ? answer.ownership : null} ghost={color}
          playable onPlay={play} />
      </div>
      <label class="slider">
        <span role="status">{text}</span>
        <input type="range" min="0" max={nets.length - 1} value={at} aria-label={T.net}
          aria-valuetext={text}
          onInput={(event) => setPlace(Number(event.target.value))} />
      </label>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="buttons">
        <button disabled={!moves.length} onClick={() => setMoves(moves.slice(0, -1))}>
          {T.undo}
        </button>
        <button disabled={!moves.length} onClick={() => setMoves([])}>{T.startPosition}</button>
      </div>
    </section>
  );
}
