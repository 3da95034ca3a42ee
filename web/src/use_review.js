// The state of a review: the game, the node that the board shows, evaluations, the sweep.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { evaluationOf, queryOf } from './analysis.js';
import { decodeEvaluation, encodeEvaluation } from './kept_analysis.js';
import { useRemembered } from './hooks.js';
import { keyMovesOf, lossesOf } from './mistakes.js';
import { ReviewGame } from './review_game.js';
import { parseSgf, stringifySgf } from './sgf_file.js';
import { SECOND_VISITS, sweep } from './sweep.js';
import { T } from './texts.js';
import { netFor, useNets } from './use_nets.js';

const DEEP_VISITS = 2000;
const FIRST_REPORT_SECONDS = 0.05;
const REPORT_SECONDS = 0.25;

// This state stays when the user goes to another part of the page. `place` and `moves` say where
// the game came from, see openFrom(). `sweeping` says that an analysis of all positions is not done
// yet.
const kept = { net: null, game: null, id: null, chosen: {}, unmarked: new Set(),
  evaluations: new Map(), place: null, moves: '', sweeping: false };

// The moves of an SGF, as a text to be compared.
const movesOf = (text) => (text.match(/;\s*[BW]\[[^\]]*\]/g) || []).join('');

// Adds an evaluation of a node, unless the map has one with more visits.
function merge(evaluations, node, evaluation) {
  const old = evaluations.get(node);
  if (old && old.visits > evaluation.visits) return;
  evaluations.set(node,
    { ...evaluation, ownership: evaluation.ownership || (old && old.ownership) || null });
}

// Renders again at most once for each frame of the screen.
function useRedraw() {
  const [version, redraw] = useReducer((count) => count + 1, 0);
  const asked = useRef(0);
  useEffect(() => () => cancelAnimationFrame(asked.current), []);
  return [version, () => {
    cancelAnimationFrame(asked.current);
    asked.current = requestAnimationFrame(redraw);
  }];
}

// Evaluates the position on the board with 200 visits, and with more visits while `thinking` is
// true.
function useThinking({ connection, net, game, id, thinking, visits, known, storeHere, onProblem,
  on, chosenNet }) {
  useEffect(() => {
    const store = storeHere();
    const evaluation = known(id);
    const wanted = thinking ? visits : SECOND_VISITS;
    if (!game || !on || (evaluation && evaluation.visits >= wanted)) return undefined;
    const query = queryOf(game.query(game.position(id)),
      { maxVisits: wanted, reportDuringSearchEvery: REPORT_SECONDS,
        firstReportDuringSearchAfter: FIRST_REPORT_SECONDS, includeOwnership: true,
        priority: 1000 });
    return connection.analyse(net(), query, (answer) => {
      if (answer.error) onProblem(answer.error);
      else if (!answer.noResults) store(id, evaluationOf(answer));
    });
  }, [game, id, thinking, visits, on, chosenNet]);
}

function useSweep({ connection, net, known, storeHere, onProblem }) {
  const [stage, setStage] = useState(0);
  const [swept, setSwept] = useState(null); // the line of the present or last sweep
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  const show = (next) => {
    setStage(next);
    kept.sweeping = next > 0;
  };
  const end = () => {
    stop.current();
    show(0);
  };
  const begin = async (game, line) => {
    const store = storeHere();
    let ended = false;
    stop.current();
    setSwept(line);
    if (connection.isReadOnly()) return;
    stop.current = () => { ended = true; };
    show(1);
    await connection.netsKnown;
    if (ended) return;
    stop.current = sweep({ connection, net: net(game), game, line, known, onEvaluation: store,
      onProblem, onStage: show });
  };
  return { stage, swept, begin, end };
}

// The evaluation before a move of self-play, read from the comment of the move, where a run keeps
// it. The comment has the probabilities that White wins, that White loses and that there is no
// result, White's lead, and the visits. Null: the comment has another form.
function selfplayEvaluation(comment) {
  const match = /^(0\.\d\d|1\.00) (\d\.\d\d) (\d\.\d\d) (-?\d+\.\d) v=(\d+) weight=/.exec(comment);
  if (!match) return null;
  const [, loss, nothing, lead, visits] = match.slice(1).map(Number);
  return { visits, win: loss + nothing / 2, lead: -lead, moves: [], ownership: null, kept: true };
}

// Reads the evaluations that the SGF of a game has kept. Returns whether they are evaluations of
// self-play.
async function readKept(game, evaluations) {
  const open = [game.tree.root];
  let selfplay = false;
  while (open.length) {
    const node = open.pop();
    open.push(...node.children);
    const [text] = node.data.AJIA || [];
    const evaluation = text ? await decodeEvaluation(text) : null;
    if (evaluation) merge(evaluations, node.id, evaluation);
    const before = node.parentId !== null ? selfplayEvaluation((node.data.C || [''])[0]) : null;
    if (before) merge(evaluations, node.parentId, before);
    selfplay = selfplay || before !== null;
  }
  return selfplay;
}

async function textOf(game, known) {
  const values = new Map();
  const open = [game.tree.root];
  while (open.length) {
    const node = open.pop();
    open.push(...node.children);
    const evaluation = known(node.id);
    if (evaluation) values.set(node.id, await encodeEvaluation(evaluation));
  }
  return stringifySgf(game.tree.root,
    (node) => (values.has(node.id) ? { AJIA: [values.get(node.id)] } : null));
}

// What the user has done with the game. It is kept while the user is on another part of the page.
function useKeptState() {
  const [game, setGame] = useState(kept.game);
  const [id, setId] = useState(kept.id);
  const [chosen, setChosen] = useState(kept.chosen);
  const [unmarked, setUnmarked] = useState(kept.unmarked); // ids of moves that are no key moves
  Object.assign(kept, { game, id, chosen, unmarked });
  // Shows a new game from its beginning.
  const begin = (next) => {
    setGame(next);
    setId(next.tree.root.id);
    setChosen({});
    setUnmarked(new Set());
    Object.assign(kept, { game: next, id: next.tree.root.id, chosen: {}, unmarked: new Set() });
  };
  return { game, setGame, id, setId, chosen, setChosen, unmarked, setUnmarked, begin };
}

// The evaluations of the nodes of the game.
function useEvaluations() {
  const [version, redraw] = useRedraw();
  const known = (node) => kept.evaluations.get(node);
  const replace = (evaluations) => {
    kept.evaluations = evaluations;
    redraw();
  };
  // A function that stores evaluations of the present game by the present net. When there is
  // another game or net, it does nothing any more.
  const storeHere = () => {
    const here = kept.evaluations;
    return (node, evaluation) => {
      if (here !== kept.evaluations) return;
      merge(here, node, evaluation);
      redraw();
    };
  };
  return { version, known, replace, storeHere };
}

// Returns a function that opens the game of an SGF. `place` is the address of the game on this
// page; null: it has none. If another game is opened before this one has been read, this one is not
// shown.
function useOpening({ state, evaluations, sweeping, chosenNet, setProblem, setDrilling }) {
  const opening = useRef(0);
  useEffect(() => () => { opening.current += 1; }, []);
  return async (text, place = null) => {
    const number = ++opening.current;
    setProblem('');
    try {
      const next = new ReviewGame(parseSgf(text));
      const read = new Map();
      const selfplay = await readKept(next, read);
      if (number !== opening.current) return;
      sweeping.end();
      evaluations.replace(read);
      Object.assign(kept, { net: chosenNet, place, moves: movesOf(text) });
      state.begin(next);
      setDrilling(false);
      if (!selfplay) sweeping.begin(next, next.line({}));
    } catch (error) {
      setProblem(error instanceof RangeError ? T.badSgf : error.message);
    }
  };
}

// What the user can do with the nodes of the game.
function actionsOf({ state, keyMoves, setProblem }) {
  const { game, id, chosen, unmarked } = state;
  // Shows a node, and makes its line the present one.
  const show = (node, inGame = game) => {
    const path = {};
    for (let at = inGame.tree.get(node); at.parentId !== null; at = inGame.tree.get(at.parentId))
      path[at.parentId] = at.id;
    state.setChosen({ ...chosen, ...path });
    state.setId(node);
  };
  const play = (name) => {
    setProblem('');
    const next = game.withMove(id, name);
    if (next.problem) return setProblem(T.errors[next.problem]);
    state.setGame(next.game);
    show(next.id, next.game);
  };
  // Makes the present move a key move, or ends this. Returns whether it is a key move now, or null
  // if there is no move.
  const mark = () => {
    if (!game.position(id).move) return null;
    const on = !keyMoves.some((move) => move.id === id);
    const others = new Set([...unmarked].filter((node) => node !== id));
    state.setUnmarked(on ? others : others.add(id));
    if (on !== game.isHotspot(id)) state.setGame(game.withHotspot(id, on));
    return on;
  };
  const cut = () => {
    const node = game.tree.get(id);
    if (node.parentId === null) return;
    state.setId(node.parentId);
    state.setChosen({ ...chosen, [node.parentId]: undefined });
    state.setGame(game.without(id));
  };
  return { show, play, mark, cut };
}

export function useReview(connection) {
  const state = useKeptState();
  const { game, id, chosen, unmarked } = state;
  const [problem, setProblem] = useState('');
  const [thinking, setThinking] = useState(false);
  const [visits, setVisits] = useState(DEEP_VISITS);
  const [drilling, setDrilling] = useState(false);
  const [chosenNet, setChosenNet] = useRemembered('review.net', null);
  const nets = useNets(connection);
  const evaluations = useEvaluations();
  const { version, known, storeHere } = evaluations;
  const onProblem = (text) => setProblem(T.illegal + text);
  // The id of the net that evaluates the game.
  const net = (of = game) => {
    const found = netFor(connection.nets, chosenNet, of.facts.width, of.facts.height);
    return found ? found.id : null;
  };
  const sweeping = useSweep({ connection, net, known, storeHere, onProblem });
  const line = useMemo(() => (game ? game.line(chosen) : []), [game, chosen]);
  const losses = useMemo(() => (game ? lossesOf(game, line, known) : []), [game, line, version]);
  const keyMoves = useMemo(() => (game
    ? keyMovesOf(losses, game.facts, (node) => game.isHotspot(node), unmarked) : []),
  [losses, unmarked]);
  const open = useOpening({ state, evaluations, sweeping, chosenNet, setProblem, setDrilling });
  // When the user has chosen another net, evaluates everything again with this net.
  useEffect(() => {
    if (!game || kept.net === chosenNet) return;
    kept.net = chosenNet;
    evaluations.replace(new Map());
    sweeping.begin(game, line);
  }, [chosenNet]);
  // Goes on with what the user has left by going to another part of the page.
  useEffect(() => { if (game && kept.sweeping) sweeping.begin(game, line); }, []);
  useThinking({ connection, net, chosenNet, game, id, thinking, visits, known, storeHere, onProblem,
    on: !drilling && nets.length > 0 });
  return {
    game, id, line, losses, keyMoves, problem, setProblem, thinking, setThinking, drilling,
    setDrilling, sweeping, net, chosenNet, setChosenNet, known, open,
    ...actionsOf({ state, keyMoves, setProblem }),
    // Opens the game of a place, unless the review shows this game already, with the same moves.
    openFrom: (place, text) =>
      (kept.place === place && kept.moves === movesOf(text) ? null : open(text, place)),
    isAt: (place) => kept.place === place,
    at: line.indexOf(id),
    deeper: () => {
      setVisits(visits + DEEP_VISITS);
      setThinking(true);
    },
    sgfText: () => textOf(game, known),
  };
}
