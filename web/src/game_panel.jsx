// The panel beside the board of a game: players, moves, buttons, help, score, result.

import { useEffect, useRef, useState } from 'preact/hooks';
import { leadText, percent, points } from './analysis.js';
import { T, moveName, shortName } from './texts.js';

function Player({ color, name, note, captured, active, thinking }) {
  return (
    <div class={active ? 'player active' : 'player'}>
      <span class={`chip ${color}`} aria-hidden="true" />
      <span class="player-name">
        {name}
        {note && <span class="player-note">{note}</span>}
      </span>
      <span class="player-fact">
        {thinking ? T.thinks(color) : captured ? T.captured(captured) : ''}
      </span>
    </div>
  );
}

export function Players({ state }) {
  const over = state.phase !== 'play';
  return (
    <div class="players">
      {['B', 'W'].map((color) => (
        <Player key={color} color={color}
          name={shortName(color === 'B' ? state.black : state.white)}
          captured={state.captures[color]} active={!over && state.to_play === color}
          note={color !== state.color && state.level ? state.level.label : ''}
          thinking={state.thinking && state.to_play === color} />
      ))}
    </div>
  );
}

// The list of moves. `at` is the number of moves that the board shows.
export function MoveList({ moves, at, onGoTo }) {
  const list = useRef();
  useEffect(() => {
    const show = () => {
      const current = list.current.querySelector('[aria-current]');
      if (current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
    };
    const observer = new ResizeObserver(show); // it also calls show() at first
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [at, moves.length]);
  return (
    <ol class="moves" ref={list} aria-label={T.moves} tabindex={moves.length ? 0 : -1}>
      {moves.length === 0 && <li class="quiet">{T.noMoves}</li>}
      {moves.map(([color, name], i) => (
        <li key={i}>
          <button class="move" onClick={() => onGoTo(i + 1)}
            aria-current={at === i + 1 ? 'true' : null}>
            <span class="number">{i + 1}</span>
            <span class={`chip small ${color}`} aria-hidden="true" />
            <span class="unseen">{T.side[color]}</span>
            {moveName(name)}
          </button>
        </li>
      ))}
    </ol>
  );
}

export function HelpSwitch({ value, onChange }) {
  const levels = [['off', T.helpOff], ['after', T.helpAfter], ['on', T.helpOn]];
  return (
    <fieldset class="switch">
      <legend>{T.helpLevel}</legend>
      {levels.map(([level, text]) => (
        <label key={level} class={value === level ? 'chosen' : ''}>
          <input type="radio" name="help" checked={value === level}
            onChange={() => onChange(level)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

// Whether there is something that the player can take back: a move of the player, or a resignation
// while it is the player's turn.
export const canUndo = (state) => state.moves.some(([color]) => color === state.color) ||
  (state.to_play === state.color && /R/.test(state.result || ''));

export function Buttons({ state, hinting, onHint, game }) {
  const [asking, setAsking] = useState(false);
  const mine = state.phase === 'play' && state.to_play === state.color && !state.thinking;
  if (asking && state.phase === 'play')
    return (
      <div class="buttons" role="group" aria-label={T.resignSure}>
        <span class="question">{T.resignSure}</span>
        <button class="danger" onClick={() => { setAsking(false); game.resign(); }}>
          {T.resign}
        </button>
        <button onClick={() => setAsking(false)}>{T.playOn}</button>
      </div>
    );
  return (
    <div class="buttons">
      <button onClick={game.undo} disabled={!canUndo(state)}>{T.undo}</button>
      <button onClick={() => game.play('pass')} disabled={!mine}>{T.pass}</button>
      <button onClick={onHint} disabled={!mine} aria-pressed={hinting}>{T.hint}</button>
      <button onClick={() => setAsking(true)} disabled={state.phase !== 'play'}>{T.resign}</button>
    </div>
  );
}

export function Judgement({ judgement, onTakeBack }) {
  if (!judgement) return null;
  const { kind, loss, best } = judgement;
  const text = kind === 'fine' ? T.fine
    : kind === 'small' ? T.small(points(loss)) : T.big(points(loss), best);
  return (
    <p class={`judgement ${kind}`} role="status">
      <span class="shape" aria-hidden="true">{{ fine: '●', small: '▲', big: '■' }[kind]}</span>
      <span>{text}</span>
      {kind === 'big' && <button onClick={onTakeBack}>{T.takeBack}</button>}
    </p>
  );
}

export function Estimate({ hint }) {
  return (
    <div>
      <p class="estimate">
        {T.blackWinsOf(percent(hint.win))} · {leadText(hint.lead) === '0' ? T.even
          : leadText(hint.lead)}
      </p>
      <p class="quiet">{T.hintHelp}</p>
    </div>
  );
}

export function Scoring({ state, game }) {
  return (
    <section class="card">
      <h2>{T.scoreTitle}</h2>
      <p class="quiet">{state.thinking ? T.scoreThinks : T.scoreHelp}</p>
      {state.points && !state.thinking && (
        <p class="score">
          <span>{T.points('B', state.points.B)}</span><span>{T.points('W', state.points.W)}</span>
        </p>
      )}
      <div class="buttons">
        <button class="primary" onClick={game.agree} disabled={state.thinking}>{T.agree}</button>
        <button onClick={game.playOn}>{T.playOn}</button>
      </div>
    </section>
  );
}

export function resultText(result) {
  if (!result || result === '0' || /^draw$/i.test(result)) return T.draw;
  if (/^void$/i.test(result)) return T.noResult;
  const [, color, by] = /^([BW])\+(.*)$/.exec(result) || [null, null, result];
  if (!color) return result;
  if (/^R/.test(by)) return T.wonByResignation(color);
  return by ? T.wonBy(color, by) : T.won(color);
}

export function Result({ state, onReview, onNew, onDownload }) {
  const winner = /^[BW]/.test(state.result) ? state.result[0] : null;
  return (
    <section class="card" role="status">
      <h2>{winner ? (winner === state.color ? T.youWon : T.youLost) : resultText(state.result)}</h2>
      {winner && <p>{resultText(state.result)}</p>}
      {state.points && (
        <p class="score">
          <span>{T.points('B', state.points.B)}</span><span>{T.points('W', state.points.W)}</span>
        </p>
      )}
      <div class="buttons">
        <button class="primary" onClick={onReview}>{T.reviewGame}</button>
        <button onClick={onNew}>{T.newGame}</button>
        <button onClick={onDownload}>{T.download}</button>
      </div>
    </section>
  );
}
