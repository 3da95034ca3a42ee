// The page #/review: a game, and what the engine says about it.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { LABELS, candidatesOf, labelled, lineOf, other, policyMoves, qualityOf, scaleOf }
  from './analysis.js';
import { announce } from './announcer.jsx';
import { Board } from './board.jsx';
import { pointName, pointOf } from './coordinates.js';
import { Diagrams } from './diagrams.jsx';
import { DrillPanel, triedMark, useDrill } from './drill.jsx';
import { EarlierGames } from './earlier_games.jsx';
import { copyText, fetchGame, hasSelection, isOnBoard, saveFile } from './files.js';
import { Graph } from './graph.jsx';
import { UNUSED, useKeys, useRemembered } from './hooks.js';
import { NetChoice } from './net_choice.jsx';
import { OpenButton, PasteButton, useDrop } from './open_sgf.jsx';
import { PointEntry } from './point_entry.jsx';
import { koAfter, played, stonesOf } from './position.js';
import { moveOf } from './review_game.js';
import { Branches, CandidateTable, KeyMoves, Standing, Steps, SweepState, Title }
  from './review_panel.jsx';
import { T } from './texts.js';
import { useAside, usePolicy } from './use_aside.js';
import { useNets } from './use_nets.js';
import { useReview } from './use_review.js';

const LINE_FIRST = 10; // moves of a variation that are drawn

function Toggle({ on, onChange, text }) {
  return <button aria-pressed={on} onClick={() => onChange(!on)}>{text}</button>;
}

function Toolbar({ review, connection }) {
  const nets = useNets(connection);
  const { width, height } = review.game.facts;
  return (
    <div class="strip">
      <OpenButton onText={review.open} />
      <PasteButton onText={review.open} />
      <button onClick={() => save(review)}>{T.save}</button>
      {!connection.isReadOnly() && (
        <>
          <Toggle on={review.drilling} onChange={review.setDrilling} text={T.drill} />
          <NetChoice nets={nets} value={review.chosenNet} width={width} height={height}
            onChange={review.setChosenNet} />
          <SweepState review={review} />
        </>
      )}
    </div>
  );
}

function Views({ review, view }) {
  return (
    <div class="buttons views">
      <Toggle on={view.candidates} onChange={view.setCandidates} text={T.showCandidates} />
      <Toggle on={view.ownership} onChange={view.setOwnership} text={T.ownership} />
      <Toggle on={review.thinking} onChange={review.setThinking} text={T.keepThinking} />
    </div>
  );
}

// What the board shows now instead of the usual candidates, each with a button that ends it.
function Aside({ view }) {
  const rows = [[view.selecting, T.regionHelp, () => view.setSelecting(false)],
    [view.region, T.regionOn, () => view.setRegion(null)],
    [view.tenuki, T.tenukiOn, () => view.setTenuki(false)],
    [view.policy, T.policyOn, () => view.setPolicy(false)]];
  return rows.filter(([on]) => on).map(([, text, end]) => (
    <p key={text} class="aside">
      <span class="quiet" role="status">{text}</span>
      <button class="plain" onClick={end}>{T.asideEnd}</button>
    </p>
  ));
}

function save(review) {
  review.sgfText().then((text) => saveFile('review.sgf', text));
}

function useView() {
  const [candidates, setCandidates] = useRemembered('candidates', true);
  const [ownership, setOwnership] = useRemembered('ownership', false);
  const [coordinates, setCoordinates] = useRemembered('coordinates', true);
  const [children, setChildren] = useRemembered('children', false);
  const [dots, setDots] = useRemembered('dots', false);
  const [policy, setPolicy] = useRemembered('policy', false);
  const [label, setLabel] = useRemembered('label', 'loss');
  const [cursor, setCursor] = useState(false);
  const [region, setRegion] = useState(null); // points; null: the whole board
  const [selecting, setSelecting] = useState(false);
  const [tenuki, setTenuki] = useState(false);
  return { children, setChildren, dots, setDots, policy, setPolicy, label, setLabel, region,
    setRegion, selecting, setSelecting, tenuki, setTenuki, candidates, setCandidates, ownership,
    setOwnership, coordinates, setCoordinates, cursor,
    setCursor: (on) => {
      setCursor(on);
      announce(on ? T.cursorOn : T.cursorOff);
      if (on) document.querySelector('.board [tabindex="0"]').focus();
    } };
}

// The candidate whose variation is drawn. It is the candidate that has the pointer or the focus, or
// else the pinned candidate.
function useVariation(id, candidates, player, facts) {
  const [hovered, setHovered] = useState(null);
  const [pinned, setPinned] = useState(null);
  const [length, setLength] = useState(LINE_FIRST);
  useEffect(() => {
    setHovered(null);
    setPinned(null);
    setLength(LINE_FIRST);
  }, [id]);
  const name = hovered || pinned;
  const candidate = candidates.find(({ move }) => move === name);
  const line = candidate ? lineOf(candidate, player, facts.width, facts.height, length) : [];
  return { name: candidate ? name : null, line, pinned, setHovered,
    pin: (move) => setPinned(pinned === move ? null : move),
    wheel: (event) => {
      if (!candidate) return;
      event.preventDefault();
      setLength(Math.max(1, Math.min(candidate.pv.length, length + (event.deltaY < 0 ? 1 : -1))));
    } };
}

function goTo(review, index) {
  const { line, show } = review;
  show(line[Math.max(0, Math.min(line.length - 1, index))]);
}

function goToMistake(review, direction) {
  const { keyMoves, at } = review;
  const places = keyMoves.map(({ index }) => index).sort((a, b) => direction * (a - b));
  const next = places.find((index) => direction * (index - at) > 0);
  if (next !== undefined) goTo(review, next);
}

// The next or the previous child of the parent.
function goToSibling(review, direction) {
  const { game, id, show } = review;
  const parent = game.tree.get(game.tree.get(id).parentId);
  if (!parent) return;
  const index = parent.children.findIndex((child) => child.id === id) + direction;
  if (parent.children[index]) show(parent.children[index].id);
}

// Chooses a part of the board, or goes back to all of it.
function toggleRegion(view) {
  if (!view.region && !view.selecting) announce(T.regionHelp);
  view.setSelecting(!view.region && !view.selecting);
  view.setRegion(null);
}

function copy(review) {
  if (hasSelection()) return UNUSED;
  return review.sgfText().then(copyText).then(() => announce(T.copied));
}

function useReviewKeys(review, view, words, setTyping) {
  const { at } = review;
  const step = (by) => () => review.game && !review.drilling && goTo(review, at + by);
  const ifGame = (action) => () => review.game && !review.drilling && action();
  useKeys({
    ArrowLeft: step(-1), z: step(-1), ArrowRight: step(1), x: step(1),
    'Shift+ArrowLeft': step(-10), PageUp: step(-10),
    'Shift+ArrowRight': step(10), PageDown: step(10),
    Home: step(-Infinity), End: step(Infinity), 'Ctrl+ArrowLeft': step(-Infinity),
    'Ctrl+ArrowRight': step(Infinity),
    ArrowUp: ifGame(() => goToSibling(review, -1)), ArrowDown: ifGame(() => goToSibling(review, 1)),
    n: ifGame(() => goToMistake(review, 1)), N: ifGame(() => goToMistake(review, -1)),
    ' ': ifGame(() => review.setThinking(!review.thinking)), a: ifGame(review.deeper),
    d: ifGame(() => review.sweeping.begin(review.game, review.line)),
    q: () => view.setChildren(!view.children), w: () => view.setDots(!view.dots),
    e: () => view.setCandidates(!view.candidates), r: () => view.setOwnership(!view.ownership),
    t: () => view.setPolicy(!view.policy), g: ifGame(() => toggleRegion(view)),
    k: ifGame(() => view.setTenuki(!view.tenuki)),
    X: () => view.setLabel(LABELS[(LABELS.indexOf(view.label) + 1) % LABELS.length]),
    m: ifGame(() => {
      const on = review.mark();
      if (on !== null) announce(on ? T.keyMarked : T.keyUnmarked);
    }),
    Tab: () => {
      if (!isOnBoard() || !review.game) return UNUSED;
      location.hash = words[0] === 'game' ? `#/play/${words[1]}` : '#/play';
      return undefined;
    },
    'Ctrl+c': () => (review.game ? copy(review) : UNUSED),
    p: ifGame(() => review.play('pass')), Delete: ifGame(review.cut),
    C: () => view.setCoordinates(!view.coordinates), c: () => view.setCursor(!view.cursor),
    'Ctrl+s': ifGame(() => save(review)), '/': () => review.game && setTyping(true),
    Escape: () => (document.activeElement === document.body ? UNUSED
      : document.activeElement.blur()),
  });
}

function Empty({ review, connection }) {
  return (
    <>
      <div class="board-area empty" id="board">
        <div class="drop-zone">
          <h1>{T.dropTitle}</h1>
          <p>{T.dropText}</p>
          <div class="buttons">
            <OpenButton onText={review.open} primary />
            <PasteButton onText={review.open} />
          </div>
        </div>
      </div>
      <aside class="panel">
        {review.problem && <p class="problem" role="alert">{review.problem}</p>}
        <EarlierGames connection={connection} page="review/game" open />
      </aside>
    </>
  );
}

// The marks on the board: the marks of the SGF, the moves that follow (key Q), and dots on stones
// (key W). The dot on a stone shows how good the move was that placed the stone.
function marksOf(review, view, stones) {
  const { game, id, losses, at } = review;
  const { width, height } = game.facts;
  const marks = game.marks(id);
  if (view.children)
    for (const child of game.tree.get(id).children) {
      const move = moveOf(child, width, height);
      const point = move ? pointOf(move[1], width, height) : -1;
      if (point >= 0) marks.push({ point, kind: 'child' });
    }
  const dotted = new Set();
  for (let i = at; view.dots && i > 0; i--) {
    const { color, name, loss } = losses[i] || {};
    const point = color ? pointOf(name, width, height) : -1;
    if (point < 0 || dotted.has(point) || stones[point] !== { B: 'X', W: 'O' }[color]) continue;
    dotted.add(point);
    if (loss !== null)
      marks.push({ point, kind: 'dot', quality: qualityOf(loss, scaleOf(width, height)) });
  }
  return marks;
}

function ReviewBoard({ review, view, drill, candidates, variation, aside }) {
  const { game, drilling, known } = review;
  const { facts } = game;
  const id = drilling && drill.at !== null ? drill.at : review.id;
  const position = game.position(id);
  const { move, player } = position;
  const tried = drilling && drill.tried ? drill.tried.name : null;
  const stones = useMemo(() => stonesOf(tried ? played(position.board, player, tried)
    : position.board), [position.board, tried]);
  const ko = useMemo(() => (move && !tried ? koAfter(position.board, move) : -1),
    [position, tried]);
  const marks = drilling ? triedMark(drill, facts) : marksOf(review, view, stones);
  const evaluation = aside || known(id);
  const onSelect = (points) => {
    view.setSelecting(false);
    view.setRegion(points);
  };
  const onPlay = (point) => {
    const name = pointName(point, facts.width, facts.height);
    if (drilling) drill.answer(name);
    else review.play(name);
  };
  const onHover = (point) => {
    const under = candidates.find((candidate) => candidate.point === point);
    variation.setHovered(under ? under.move : null);
  };
  return <Board width={facts.width} height={facts.height} stones={stones}
    lastMove={move && !tried ? pointOf(move[1], facts.width, facts.height) : -1}
    ko={ko} passed={move && !tried && move[1] === 'pass' ? move[0] : null}
    candidates={candidates} line={drilling ? [] : variation.line} marks={marks}
    territory={view.ownership && !drilling && evaluation ? evaluation.ownership : null}
    region={drilling ? null : view.region} onSelect={view.selecting && !drilling ? onSelect : null}
    ghost={player} playable onPlay={onPlay} onHover={onHover} onWheel={variation.wheel}
    arrows={view.cursor} coordinates={view.coordinates} />;
}

// Opens the game that the address names: a game of the server, or a game of a run.
function useGameOfAddress(connection, review, words) {
  const place = words.join('/');
  useEffect(() => {
    const [kind, saved, folder, file, index] = words;
    let left = false; // the user has gone to another place
    const show = (text) => !left && review.openFrom(place, text);
    const fail = (error) => !left && review.setProblem(error.message);
    if (kind === 'game' && saved) fetchGame(saved).then(show, fail);
    // A game of a run never changes.
    if (kind === 'run' && index !== undefined && !review.isAt(place))
      connection.request('run.game', { run: saved, folder, file, index: Number(index) })
        .then((answer) => show(answer.sgf), fail);
    return () => { left = true; };
  }, [place]);
}

// The moves that the engine looked at: `candidates`, and in `onBoard` those that the board shows.
// `mover` is the side that they are for, and `aside` the evaluation that the user asked for with a
// region or with the other side to move.
function useCandidates(connection, review, view) {
  const { game, id, drilling } = review;
  const position = game ? game.position(id) : null;
  const aside = useAside(connection, review, view.region, view.tenuki);
  const policy = usePolicy(connection, review, view.policy && !drilling);
  const asked = view.region || view.tenuki;
  const evaluation = asked ? aside : game ? review.known(id) : null;
  const mover = position && (view.tenuki ? other(position.player) : position.player);
  const candidates = useMemo(() => (evaluation && !drilling
    ? candidatesOf(evaluation, mover, game.facts.width, game.facts.height) : []),
  [evaluation, mover, position, drilling]);
  const onBoard = useMemo(() => (policy ? policyMoves(policy, policy.length - 1)
    : view.candidates ? labelled(candidates.filter(({ point }) => point >= 0), view.label, mover)
      : []), [candidates, view.candidates, view.label, policy, mover]);
  return { aside, mover, candidates, onBoard };
}

// What stands beside the board, except in a drill.
function ReviewPanel({ review, view, candidates, variation }) {
  const { losses, line, at } = review;
  const total = losses.length ? losses[losses.length - 1].number : 0;
  const goToIndex = (index) => goTo(review, index);
  return (
    <>
      <Standing review={review} total={total} />
      <Steps at={at} last={line.length - 1} goTo={goToIndex}
        onMistake={() => goToMistake(review, 1)} />
      <Graph losses={losses} keyMoves={review.keyMoves} at={at} facts={review.game.facts}
        sweeping={review.sweeping.stage > 0} onGoTo={goToIndex} />
      <Views review={review} view={view} />
      <Aside view={view} />
      <Branches review={review} />
      {view.candidates && candidates.length > 0 && (
        <CandidateTable candidates={candidates} shown={variation.name} pinned={variation.pinned}
          onShow={variation.setHovered} onPin={variation.pin} />
      )}
      <KeyMoves review={review} goTo={goToIndex} />
      <Diagrams review={review} />
    </>
  );
}

export function Review({ connection, words }) {
  const review = useReview(connection);
  const view = useView();
  const drill = useDrill(connection, review);
  const [typing, setTyping] = useState(false);
  const { game, id, drilling } = review;
  const over = useDrop(review.open);
  useGameOfAddress(connection, review, words);
  const { aside, mover, candidates, onBoard } = useCandidates(connection, review, view);
  const variation = useVariation(id, candidates, mover, game ? game.facts : null);
  useEffect(() => view.setTenuki(false), [id]);
  useEffect(() => {
    view.setRegion(null);
    view.setSelecting(false);
  }, [game && game.tree.root]);
  useReviewKeys(review, view, words, setTyping);
  if (!game) return <Empty review={review} connection={connection} />;
  const { facts } = game;
  const playAt = (point) =>
    (drilling ? drill.answer : review.play)(pointName(point, facts.width, facts.height));
  return (
    <>
      <Toolbar review={review} connection={connection} />
      <div class="board-area" id="board">
        <ReviewBoard review={review} view={view} drill={drill} candidates={onBoard}
          variation={variation} aside={aside} />
        {typing && <PointEntry width={facts.width} height={facts.height}
          onClose={() => setTyping(false)} onPoint={playAt} />}
      </div>
      <aside class="panel">
        {review.problem && <p class="problem" role="alert">{review.problem}</p>}
        <Title facts={facts} />
        {facts.unknownRules && (
          <p class="quiet">{T.rulesUsed(facts.unknownRules, T.ruleNames[facts.rules])}</p>
        )}
        {drilling ? <DrillPanel drill={drill} review={review} />
          : <ReviewPanel {...{ review, view, candidates, variation }} />}
      </aside>
      {over && <div class="drop-veil">{T.dropNow}</div>}
    </>
  );
}
