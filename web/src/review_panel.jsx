// The panel beside the board of a review.

import { useEffect, useRef } from 'preact/hooks';
import { SHAPES, leadText, percent, points, qualityOf, scaleOf } from './analysis.js';
import { resultText } from './game_panel.jsx';
import { accuracyOf } from './mistakes.js';
import { moveOf } from './review_game.js';
import { SECOND_VISITS } from './sweep.js';
import { T, moveName } from './texts.js';

export function Title({ facts }) {
  return (
    <div class="players title">
      {['B', 'W'].map((color) => (
        <div key={color} class="player">
          <span class={`chip ${color}`} aria-hidden="true" />
          <span class="player-name" title={color === 'B' ? facts.black : facts.white}>
            {(color === 'B' ? facts.black : facts.white).replace(/\.aji$/, '')}
          </span>
          {color === 'B' && facts.result && (
            <span class="player-fact">{resultText(facts.result)}</span>
          )}
          {color === 'W' && (
            <span class="player-fact">{T.komi} {facts.komi ?? T.komiUsual(null)}</span>
          )}
        </div>
      ))}
    </div>
  );
}

// What is known of the position and of the move that led to it.
export function Standing({ review, total }) {
  const { game, at, losses } = review;
  const move = losses[at];
  if (!move) return null;
  const { evaluation, loss } = move;
  const scale = scaleOf(game.facts.width, game.facts.height);
  const quality = loss === null ? null : qualityOf(loss, scale);
  return (
    <div class="standing">
      <p class="standing-move">
        {move.color && <span class={`chip small ${move.color}`} aria-hidden="true" />}
        <b>{move.color ? moveName(move.name) : T.startPosition}</b>
        <span class="quiet">
          {move.number ? T.moveOf(move.number, total) : T.movesOf(total)}
        </span>
      </p>
      <p class="standing-value">
        {evaluation ? <><b>{T.blackWinsOf(percent(evaluation.win))}</b>
          <b>{leadText(evaluation.lead) === '0' ? T.even : leadText(evaluation.lead)}</b></>
          : <span class="quiet">…</span>}
      </p>
      <p class="standing-loss">
        {quality !== null && (
          <>
            <span class={`shape q${quality}`} aria-hidden="true">{SHAPES[quality]}</span>
            {move.best === move.name || points(loss) === '0' ? T.bestPlayed(moveName(move.name))
              : [T.lostPoints(moveName(move.name), points(loss)),
                T.best(moveName(move.best))].join(', ')}
          </>
        )}
      </p>
    </div>
  );
}

// The pictures on the buttons: paths of SVG.
const ICONS = {
  first: 'M3 3v10M13 3L6 8l7 5z', back10: 'M8 3L2 8l6 5zM14 3L8 8l6 5z', back: 'M11 3L4 8l7 5z',
  forward: 'M5 3l7 5-7 5z', forward10: 'M2 3l6 5-6 5zM8 3l6 5-6 5z', last: 'M13 3v10M3 3l7 5-7 5z',
};

export function Steps({ at, last, goTo, onMistake }) {
  const steps = [['first', 0], ['back10', at - 10], ['back', at - 1], ['forward', at + 1],
    ['forward10', at + 10], ['last', last]];
  return (
    <div class="steps">
      {steps.map(([step, to], i) => (
        <button key={step} aria-label={T[step]} title={T[step]} onClick={() => goTo(to)}
          disabled={i < 3 ? at <= 0 : at >= last}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d={ICONS[step]} /></svg>
        </button>
      ))}
      <button onClick={onMistake}>{T.nextMistake}</button>
    </div>
  );
}

// The table of candidates. A row that has the pointer or the focus shows its variation.
export function CandidateTable({ candidates, shown, pinned, onShow, onPin }) {
  return (
    <table class="candidates">
      <caption class="unseen">{T.candidates}</caption>
      <thead>
        <tr><th scope="col">{T.move}</th><th scope="col">{T.loss}</th><th scope="col">{T.score}</th>
          <th scope="col">{T.win}</th><th scope="col">{T.visits}</th></tr>
      </thead>
      <tbody>
        {candidates.map((candidate) => (
          <tr key={candidate.move} class={candidate.move === shown ? 'shown' : ''}
            onPointerEnter={() => onShow(candidate.move)} onPointerLeave={() => onShow(null)}
            onClick={() => onPin(candidate.move)}>
            <td>
              <button class="move" aria-pressed={candidate.move === pinned}
                onFocus={() => onShow(candidate.move)} onBlur={() => onShow(null)}>
                <span class={`shape q${candidate.quality}`} aria-hidden="true">
                  {SHAPES[candidate.quality]}
                </span>
                {moveName(candidate.move)}
              </button>
            </td>
            <td>{candidate.label}</td>
            <td>{leadText(candidate.lead)}</td>
            <td>{T.winRate(percent(candidate.win))}</td>
            <td>{candidate.visits}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// The sign for the class of a loss. It is empty while the loss is not known.
function Shape({ loss, scale }) {
  const quality = loss === null ? null : qualityOf(loss, scale);
  return (
    <span class={quality === null ? 'shape' : `shape q${quality}`} aria-hidden="true">
      {quality === null ? '' : SHAPES[quality]}
    </span>
  );
}

export function KeyMoves({ review, goTo }) {
  const { keyMoves, losses, at, game, sweeping } = review;
  const current = useRef();
  useEffect(() => current.current && current.current.scrollIntoView({ block: 'nearest' }), [at]);
  const scale = scaleOf(game.facts.width, game.facts.height);
  const accuracy = { B: accuracyOf(losses, 'B'), W: accuracyOf(losses, 'W') };
  const hasAccuracy = accuracy.B !== null || accuracy.W !== null;
  if (!hasAccuracy && !keyMoves.length) return null;
  // In a self-play game of a run, the better moves are known only after the game was analysed.
  const hasBetter = keyMoves.some(({ best }) => best);
  return (
    <section class="key-moves">
      <h2>{T.keyMoves}</h2>
      {hasAccuracy && (
        <p class="quiet" title={T.accuracyHelp}>
          {T.accuracy}: {['B', 'W'].filter((color) => accuracy[color] !== null)
            .map((color) => `${T.side[color]} ${accuracy[color]}`).join(', ')}
        </p>
      )}
      {!keyMoves.length && sweeping.stage === 0 && <p>{T.noKeyMoves}</p>}
      {keyMoves.length > 0 && (
        <table class="candidates">
          <thead>
            <tr><th scope="col">{T.move}</th><th scope="col">{T.loss}</th>
              {hasBetter && <th scope="col">{T.better}</th>}</tr>
          </thead>
          <tbody>
            {keyMoves.map((move) => (
              <tr key={move.id} class={move.index === at ? 'shown' : ''}
                onClick={() => goTo(move.index)}>
                <td>
                  <button class="move" aria-current={move.index === at ? 'true' : null}>
                    <Shape loss={move.loss} scale={scale} />
                    {move.number}
                    <span class={`chip small ${move.color}`} aria-hidden="true" />
                    <span class="unseen">{T.side[move.color]}</span>
                    {moveName(move.name)}
                  </button>
                </td>
                <td>{move.loss === null ? '' : points(move.loss)}</td>
                {hasBetter && <td>{move.best && moveName(move.best)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const DATA = /^startTurnIdx=/; // what programs note in the comments of games of self-play

// The moves that the tree has at this node, if there are several, and the comment.
export function Branches({ review }) {
  const { game, id, line, show, cut } = review;
  const node = game.tree.get(id);
  const { width, height } = game.facts;
  const children = node.children.map((child) => [child.id, moveOf(child, width, height)])
    .filter(([, move]) => move);
  const [comment] = node.data.C || [];
  const isBranch = node.parentId !== null && !game.tree.onMainLine(id);
  return (
    <>
      {(children.length > 1 || isBranch) && (
        <p class="branches">
          {children.length > 1 && <span class="quiet">{T.variations}</span>}
          {children.length > 1 && children.map(([child, [color, name]]) => (
            <button key={child} aria-pressed={line.includes(child)} onClick={() => show(child)}>
              <span class={`chip small ${color}`} aria-hidden="true" />{moveName(name)}
            </button>
          ))}
          {isBranch && <button class="plain" onClick={cut}>{T.cut}</button>}
        </p>
      )}
      {comment && !DATA.test(comment) && <p class="comment" aria-label={T.comment}>{comment}</p>}
    </>
  );
}

// During a sweep: how far it has come. Otherwise, if something is left to analyse: a button that
// begins a sweep.
export function SweepState({ review }) {
  const { sweeping, known, game, line } = review;
  const doneOf = (ids, visits) =>
    ids.filter((id) => known(id) && known(id).visits >= visits).length;
  if (!sweeping.stage) {
    if (doneOf(line, SECOND_VISITS) === line.length) return null;
    const begin = () => sweeping.begin(game, line);
    return <button class="sweep-begin" onClick={begin}>{T.sweep}</button>;
  }
  const all = sweeping.swept.length;
  const done = doneOf(sweeping.swept, sweeping.stage === 1 ? 1 : SECOND_VISITS);
  return (
    <span class="sweep">
      <progress max={all} value={done} aria-hidden="true" />
      <span>{(sweeping.stage === 1 ? T.sweepFirst : T.sweepSecond)(done, all)}</span>
      <button onClick={sweeping.end}>{T.sweepStop}</button>
    </span>
  );
}
