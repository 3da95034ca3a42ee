// Practice with the mistakes of a game: at each mistake, the page asks for a better move.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { RIGHT, evaluationOf, lossOf, points, queryOf, scaleOf } from './analysis.js';
import { pointOf } from './coordinates.js';
import { T, moveName } from './texts.js';

const VISITS = 200;

// What a move loses at a node. If the move is no known candidate, the engine is asked.
function judge({ connection, review, id, name }) {
  const { game, known } = review;
  const before = known(id);
  if (!before || !before.moves.length) return Promise.reject(new Error(T.drillUnknown));
  const candidate = before.moves.find((info) => info.move === name);
  const { player } = game.position(id);
  if (before.moves[0].move === name) return Promise.resolve(0);
  if (candidate && candidate.visits >= 10)
    return Promise.resolve(lossOf(before, candidate, player));
  const query = game.query(game.position(id));
  query.moves = [...query.moves, [player, name]];
  return new Promise((resolve, reject) => {
    const options = { maxVisits: VISITS, priority: 1000 };
    connection.analyse(review.net(), queryOf(query, options), (answer) => {
      if (answer.error) reject(new Error(answer.error));
      else if (answer.noResults) reject(new Error(T.drillUnknown));
      else resolve(lossOf(before, evaluationOf(answer), player));
    });
  });
}

// The state of the practice. `asked` is the mistake for which the user is to find a better move,
// and `tried` is the move that the user tried.
export function useDrill(connection, review) {
  const [color, setColor] = useState('BW');
  const [mistakes, setMistakes] = useState([]);
  const [place, setPlace] = useState(0);
  const [tried, setTried] = useState(null); // { name, loss }; loss is null until it is known
  const [right, setRight] = useState(0);
  const { drilling, keyMoves } = review;
  const begin = (of) => {
    setColor(of);
    setMistakes(keyMoves.filter(({ color: mover, name, best }) =>
      of.includes(mover) && best && best !== name)
      .sort((a, b) => a.index - b.index));
    setPlace(0);
    setRight(0);
    setTried(null);
  };
  useEffect(() => {
    if (drilling) begin(color);
  }, [drilling]);
  const asked = drilling ? mistakes[place] : null;
  const at = asked ? review.game.tree.get(asked.id).parentId : null;
  const answer = async (name) => {
    if (!asked || (tried && tried.loss === null)) return;
    const first = !tried;
    setTried({ name, loss: null });
    review.setProblem('');
    const loss = await judge({ connection, review, id: at, name }).catch((error) => {
      review.setProblem(error.message);
      return null;
    });
    if (loss === null) return setTried(null);
    setTried({ name, loss });
    if (first && loss < bound(review)) setRight(right + 1);
  };
  return { color, begin, mistakes, place, asked, at, tried, right, answer,
    next: () => { setPlace(place + 1); setTried(null); },
    show: () => setTried({ name: asked.best, loss: 0, shown: true }) };
}

const bound = ({ game }) => RIGHT * Math.max(0.6, scaleOf(game.facts.width, game.facts.height));

// The mark on the board at the move that was tried.
export function triedMark(drill, facts) {
  if (!drill.tried) return [];
  const point = pointOf(drill.tried.name, facts.width, facts.height);
  return point < 0 ? [] : [{ point, kind: 'circle' }];
}

function Answer({ drill, review }) {
  const { tried, asked } = drill;
  if (!tried) return null;
  if (tried.loss === null) return <p class="quiet">{T.drillThinks}</p>;
  const good = tried.loss < bound(review);
  return (
    <p class="judgement" role="status">
      <span class={`shape ${good ? 'q0' : 'q4'}`} aria-hidden="true">{good ? '●' : '■'}</span>
      <span>
        {!tried.shown && (good ? T.drillRight(moveName(tried.name))
          : T.drillWrong(moveName(tried.name), points(tried.loss)))}
        {' '}{(tried.shown || good) && tried.name !== asked.best || tried.shown
          ? T.drillBest(moveName(asked.best)) : ''}
      </span>
    </p>
  );
}

export function DrillPanel({ drill, review }) {
  const { asked, mistakes, place, right, tried } = drill;
  const colors = useMemo(() => [['BW', T.drillBoth], ['B', T.side.B], ['W', T.side.W]], []);
  return (
    <section class="card">
      <h2>{T.drillTitle}</h2>
      <label class="choice">
        <span>{T.drillColor}</span>
        <select value={drill.color} onChange={(event) => drill.begin(event.target.value)}>
          {colors.map(([of, text]) => <option key={of} value={of}>{text}</option>)}
        </select>
      </label>
      {asked ? (
        <>
          <p class="quiet">{place + 1} / {mistakes.length}</p>
          <p>
            <span class={`chip small ${asked.color}`} aria-hidden="true" />{' '}
            {T.drillAsk(asked.number, asked.name === 'pass' ? T.aPass : asked.name)}
          </p>
          <Answer drill={drill} review={review} />
          <div class="buttons">
            {!tried && <button onClick={drill.show}>{T.drillShow}</button>}
            {tried && tried.loss !== null && (
              <button class="primary" onClick={drill.next}>{T.drillNext}</button>
            )}
          </div>
        </>
      ) : (
        <p role="status">{mistakes.length ? T.drillDone(right, mistakes.length) : T.noKeyMoves}</p>
      )}
      <button onClick={() => review.setDrilling(false)}>{T.drillEnd}</button>
    </section>
  );
}
