// The page #/play: a game against the engine.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { candidatesOf } from './analysis.js';
import { announce } from './announcer.jsx';
import { Board } from './board.jsx';
import { handicapPoints, pointName, pointOf } from './coordinates.js';
import { EarlierGames } from './earlier_games.jsx';
import { copyText, fetchGame, hasSelection, isOnBoard, saveFile } from './files.js';
import { Buttons, Estimate, HelpSwitch, Judgement, MoveList, Players, Result, Scoring, canUndo,
  resultText } from './game_panel.jsx';
import { UNUSED, useKeys, useRemembered } from './hooks.js';
import { PointEntry } from './point_entry.jsx';
import { boardAfter, boardOf, chainOf, koOf, stonesOf } from './position.js';
import { FIRST_SETTINGS, GameStrip, SetupStrip, levelOf, limitsOf } from './setup_strip.jsx';
import { T, moveName } from './texts.js';
import { useGame } from './use_game.js';
import { useHint, useJudgement } from './use_help.js';
import { useUsualKomi } from './use_komi.js';
import { readLevels, useLevels } from './use_levels.js';
import { netFor, useNets } from './use_nets.js';

// What the board shows before a game.
function preview(settings) {
  const { size, handicap } = settings;
  const stones = Array(size * size).fill('.');
  for (const point of handicapPoints(handicap, size, size)) stones[point] = 'X';
  const key = handicap ? `handicap${settings.color}` : settings.color;
  const white = handicap > 0;
  return { stones: stones.join(''), mine: (settings.color === 'W') === white,
    text: T.startHint[key] };
}

// Tells people who do not see the board what happened.
function useAnnouncements(id, state) {
  const told = useRef(null); // { id, state }: what was announced last
  useEffect(() => {
    if (!state) return;
    const before = told.current && told.current.id === id ? told.current.state : null;
    told.current = { id, state };
    if (!before) return;
    if (state.phase === 'over' && before.phase !== 'over')
      return announce(resultText(state.result));
    if (state.phase === 'score' && (before.phase !== 'score' || before.thinking !== state.thinking))
      return announce(`${T.scoreTitle} ${state.thinking ? T.scoreThinks : T.scoreHelp}`);
    const fewer = before.moves.length - state.moves.length;
    if (fewer > 0) return announce(T.takenBack(fewer));
    if (fewer === 0 && before.phase === 'over' && state.phase === 'play')
      return announce(T.goesOn); // a resignation was taken back
    if (fewer === 0) return;
    const [color, name] = state.moves[state.moves.length - 1];
    const captured = state.captures[color] - before.captures[color];
    announce(T.played(color, moveName(name), captured));
  }, [state]);
}

// The dead stones after a click on a chain. The click marks the chain as dead or, if it was marked
// as dead, as alive. Null: the point is empty.
function marked(state, point) {
  const board = boardOf(state.width, state.height, state.board);
  if (state.board[point] === '.') return null;
  const chain = chainOf(board, point).map((at) => pointName(at, state.width, state.height));
  const dead = new Set(state.dead);
  const was = dead.has(chain[0]);
  for (const name of chain) was ? dead.delete(name) : dead.add(name);
  return [...dead];
}

function download(id) {
  fetchGame(id).then((text) => saveFile('game.sgf', text));
}

// The part of the page that needs a game.
function GamePanel({ id, game, hint, hintProblem, turn, judgement, help, setHelp, onNew }) {
  const { state } = game;
  const { at, goTo, hinting, setHinting } = turn;
  const live = at === state.moves.length;
  return (
    <>
      <Players state={state} />
      {!live && (
        <button class="primary" onClick={() => goTo(state.moves.length)}>{T.backToGame}</button>
      )}
      {state.phase === 'score' && <Scoring state={state} game={game} />}
      {state.phase === 'over' && <Result state={state} onNew={onNew}
        onDownload={() => download(id)}
        onReview={() => { location.hash = `#/review/game/${id}`; }} />}
      {state.phase === 'play' && live && <Buttons state={state} game={game} hinting={hinting}
        onHint={() => setHinting(!hinting)} />}
      {state.phase === 'play' && <HelpSwitch value={help} onChange={setHelp} />}
      {hint && <Estimate hint={hint} />}
      {hintProblem && <p class="problem" role="alert">{T.noHint(hintProblem)}</p>}
      <Judgement judgement={judgement} onTakeBack={game.undo} />
      <MoveList moves={state.moves} at={at} onGoTo={goTo} />
      {state.phase !== 'over' && state.moves.length > 0 && (
        <button class="plain" onClick={() => download(id)}>{T.download}</button>
      )}
    </>
  );
}

// The board of the game, with the position after `at` moves.
function GameBoard({ game, at, hint, judgement, pending, onPoint, coordinates }) {
  const { state } = game;
  const live = at === state.moves.length;
  const stones = useMemo(() => (live ? state.board : stonesOf(boardAfter(state, at))),
    [state, at, live]);
  const [lastColor, lastName] = at > 0 ? state.moves[at - 1] : [null, ''];
  const played = !live || state.phase === 'play'; // otherwise the board shows who owns its points
  const ko = useMemo(() => (played ? koOf(state, at, stones) : -1), [state, at, stones]);
  const mine = live && state.phase === 'play' && state.to_play === state.color && !state.thinking;
  const dead = useMemo(() => new Set(live && state.phase !== 'play'
    ? state.dead.map((name) => pointOf(name, state.width, state.height)) : []), [state, live]);
  const candidates = useMemo(() => (mine && hint
    ? candidatesOf(hint, state.color, state.width, state.height).filter(({ point }) => point >= 0)
    : []), [hint, mine]);
  const marks = judgement && live && judgement.point >= 0 && judgement.kind !== 'fine'
    ? [{ point: judgement.point, kind: judgement.kind === 'small' ? 'triangle' : 'square' }] : [];
  const shown = pending >= 0 && stones[pending] === '.'
    ? stones.slice(0, pending) + (state.color === 'B' ? 'X' : 'O') + stones.slice(pending + 1)
    : stones;
  return <Board width={state.width} height={state.height} stones={shown}
    lastMove={pending >= 0 ? pending : pointOf(lastName, state.width, state.height)} dead={dead}
    ko={pending >= 0 ? -1 : ko} passed={played && lastName === 'pass' ? lastColor : null}
    territory={live && state.phase !== 'play' ? state.territory : null} candidates={candidates}
    marks={marks} coordinates={coordinates} ghost={mine && pending < 0 ? state.color : null}
    playable={(mine && pending < 0) || (live && state.phase === 'score' && !state.thinking)}
    onPlay={onPoint} />;
}

// What the settings or the game mean for the nets of this server: the size of the board, the levels
// of the net, and the usual komi.
function useMeaning({ connection, settings, state }) {
  const nets = useNets(connection);
  const { width, height } = state || { width: settings.size, height: settings.size };
  const net = state ? { id: state.net } : netFor(nets, settings.net, width, height);
  const usualKomi = useUsualKomi(connection, settings);
  const { levels, warning } = useLevels(connection, net && net.id, width, height,
    (state || settings).rules);
  return { nets, width, height, usualKomi, levels, warning };
}

// Which position the user looks at: the one after `at` of `count` moves. `live`: it is the last
// one. `pending` is the point of a move that is being sent, or -1. `hinting` says whether hints are
// shown for this turn.
function useTurn(id, state) {
  const [looking, setLooking] = useState(null); // null: at the last position
  const [pending, setPending] = useState(-1);
  const [hinting, setHinting] = useState(false);
  const count = state ? state.moves.length : 0;
  // useLayoutEffect() shows the last position at once. useEffect() would do so later, and might
  // undo the effect of a key that was pressed meanwhile to look at an earlier position.
  useLayoutEffect(() => {
    setPending(-1);
    setLooking(null);
    setHinting(false);
  }, [id, count, state && state.phase]);
  return { count, pending, setPending, hinting, setHinting, live: looking === null,
    at: looking === null ? count : Math.min(looking, count),
    goTo: (move) => setLooking(move >= count ? null : Math.max(0, move)) };
}

// Returns the function that begins a game with a move at `point`, if it is the user's turn, or
// without a move if it is -1.
function useBeginning(connection, settings, game) {
  const beginning = useRef(false);
  const gone = useRef(false); // the user has gone to another part of the page
  useEffect(() => () => { gone.current = true; }, []);
  return async (point) => {
    if (beginning.current) return;
    beginning.current = true;
    const { size, ...others } = settings;
    const first = point >= 0 && preview(settings).mine ? pointName(point, size, size) : null;
    await connection.netsKnown;
    const chosen = netFor(connection.nets, settings.net, size, size);
    const known = await readLevels(connection, chosen && chosen.id, size, size, settings.rules);
    if (gone.current) return;
    const limits = limitsOf(connection); // it has come before the nets
    await game.begin({ width: size, height: size, ...others, net: chosen && chosen.id,
      visits: Math.min(others.visits, limits.visits),
      level: levelOf(settings.level, known.levels, limits) }, first);
    beginning.current = false;
  };
}

function usePlayKeys({ id, game, turn, playing, playable, coordinates, setCoordinates,
  setTyping }) {
  const { state } = game;
  const { at, goTo, live } = turn;
  useKeys({
    ArrowLeft: () => goTo(at - 1), ArrowRight: () => goTo(at + 1), z: () => goTo(at - 1),
    x: () => goTo(at + 1), 'Shift+ArrowLeft': () => goTo(at - 10),
    'Shift+ArrowRight': () => goTo(at + 10), PageUp: () => goTo(at - 10),
    PageDown: () => goTo(at + 10), Home: () => goTo(0), End: () => goTo(turn.count),
    p: () => playing && live && state.to_play === state.color && game.play('pass'),
    u: () => state && live && canUndo(state) && game.undo(),
    h: () => playing && turn.setHinting(!turn.hinting),
    C: () => setCoordinates(!coordinates), '/': () => playable && setTyping(true),
    'Ctrl+s': () => state && download(id),
    'Ctrl+c': () => (state && !hasSelection()
      ? fetchGame(id).then(copyText).then(() => announce(T.copied)) : UNUSED),
    Tab: () => {
      if (!state || !isOnBoard()) return UNUSED;
      location.hash = `#/review/game/${id}`;
      return undefined;
    },
  });
}

// What went wrong, and a button to try again.
function Problem({ game }) {
  const { state } = game;
  const text = game.problem || (state && state.error);
  return (
    <>
      {text && <p class="problem" role="alert">{text}</p>}
      {state && state.error && !state.thinking && (
        <div class="buttons"><button onClick={game.retry}>{T.tryAgain}</button></div>
      )}
    </>
  );
}

export function Play({ connection, id }) {
  const setId = (next) => { location.hash = next ? `#/play/${next}` : '#/play'; };
  const [settings, setSettings] = useRemembered('settings', FIRST_SETTINGS);
  const [help, setHelp] = useRemembered('help', 'off');
  const [coordinates, setCoordinates] = useRemembered('coordinates', true);
  const [typing, setTyping] = useState(false);
  const game = useGame(connection, id, setId);
  const { state } = game;
  const { nets, width, height, usualKomi, levels, warning } =
    useMeaning({ connection, settings, state });
  const turn = useTurn(id, state);
  const { at, live, pending } = turn;
  const { hint, hintProblem } = useHint(connection, state, turn.hinting || help === 'on');
  const judgement = useJudgement(connection, state, help === 'after');
  useAnnouncements(id, state);
  useEffect(() => setTyping(false), [id]);
  const begin = useBeginning(connection, settings, game);
  const playing = state && state.phase === 'play';
  // Whether a point can be chosen now.
  const playable = !state ? !id : live && !state.thinking && (state.phase === 'score' ||
    (playing && state.to_play === state.color && pending < 0));
  const onPoint = async (point) => {
    if (!playable) return false;
    if (!state) return begin(point);
    const dead = state.phase === 'score' && marked(state, point);
    if (state.phase === 'score') return dead && game.mark(dead);
    turn.setPending(point);
    if (!(await game.play(pointName(point, state.width, state.height)))) turn.setPending(-1);
  };
  const onNew = () => {
    game.setProblem('');
    setId(null);
  };
  usePlayKeys({ id, game, turn, playing, playable, coordinates, setCoordinates, setTyping });
  const start = preview(settings);
  const limits = limitsOf(connection);
  return (
    <>
      {state ? <GameStrip {...{ state, levels, limits, onNew }} onStrength={game.setStrength} />
        : <SetupStrip {...{ settings, usualKomi, nets, levels, limits }} onChange={setSettings} />}
      <div class="board-area" id="board">
        {state ? <GameBoard {...{ game, at, hint, judgement, pending, onPoint, coordinates }} />
          : <Board width={width} height={height} stones={start.stones} coordinates={coordinates}
            ghost={start.mine ? settings.color : null} playable={!id} onPlay={onPoint} />}
        {typing && <PointEntry {...{ width, height, onPoint }} onClose={() => setTyping(false)} />}
      </div>
      <aside class="panel">
        <Problem game={game} />
        {state ? <GamePanel {...{ id, game, hint, hintProblem, turn, judgement, help, setHelp,
          onNew }} /> : <p class="lead">{id ? T.loading : start.text}</p>}
        {!id && warning && <p class="quiet">{warning}</p>}
        {!id && !start.mine && (
          <button class="primary" onClick={() => begin(-1)}>{T.start}</button>
        )}
        <EarlierGames connection={connection} current={id} />
      </aside>
    </>
  );
}
