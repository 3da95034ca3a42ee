// One game of the server: its state, and what a player can do. The server keeps the game. Whenever
// the connection comes back, the page opens the game again.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useTopic } from './hooks.js';
import { T } from './texts.js';

const sentence = (error) => T.errors[error.code] || error.message;

const NONE = { id: null, state: null };

// Begins a game, and shows it. If the person moves first, and `first` is not null, plays the move
// `first`. The promise says whether the game has begun.
async function begin(connection, settings, first, show, setProblem) {
  setProblem('');
  try {
    const answer = await connection.request('game.new', settings);
    show(answer.game, answer.state);
    const mine = answer.state.to_play === settings.color;
    if (first && mine)
      await connection.request('game.play', { game: answer.game, move: first, at: 0 })
        .catch((error) => setProblem(sentence(error)));
    return true;
  } catch (error) {
    setProblem(sentence(error));
    return false;
  }
}

export function useGame(connection, id, setId) {
  const [opened, setOpened] = useState(NONE); // the last game that the server has sent
  const [problem, setProblem] = useState('');
  const state = opened.id === id ? opened.state : null;
  const wanted = useRef(id);
  wanted.current = id;

  const open = () => connection.request('game.open', { game: id }).then(
    (answer) => wanted.current === id && setOpened({ id, state: answer.state }),
    (error) => {
      if (wanted.current !== id) return;
      setId(null);
      setProblem(sentence(error));
    });
  useEffect(() => {
    if (id && opened.id !== id) open();
  }, [id]);
  useTopic(connection, 'open', () => state && open());
  useTopic(connection, 'game', (message) => setOpened((now) =>
    (message.game === now.id ? { id: now.id, state: message.state } : now)));

  // Sends a request about the game. The promise says whether the server has carried it out.
  const send = (op, fields = {}) => {
    setProblem('');
    return connection.request(op, { game: id, ...fields }).then(
      () => true,
      (error) => {
        setProblem(sentence(error));
        return false;
      });
  };
  const at = state ? state.moves.length : 0;
  return {
    state, problem, setProblem,
    begin: (settings, first) => begin(connection, settings, first, (game, state) => {
      setOpened({ id: game, state });
      setId(game);
    }, setProblem),
    play: (move) => send('game.play', { move, at }),
    undo: () => send('game.undo', { at }),
    resign: () => send('game.resign'),
    setStrength: (fields) => send('game.settings', fields),
    mark: (dead) => send('game.score', { dead, agree: false }),
    agree: () => send('game.score', { dead: state.dead, agree: true }),
    playOn: () => send('game.continue'),
    // If the engine could not answer, the server asks it again when the game is opened.
    retry: open,
  };
}
