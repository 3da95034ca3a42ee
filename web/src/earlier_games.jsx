// The games that the server keeps.

import { useEffect, useState } from 'preact/hooks';
import { resultText } from './game_panel.jsx';
import { T } from './texts.js';

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

// page: the part of the page that opens a game, such as "play"; open: whether the list is open at
// first
export function EarlierGames({ connection, current = null, page = 'play', open = false }) {
  const [isOpen, setOpen] = useState(open);
  const [games, setGames] = useState(null);
  useEffect(() => {
    if (isOpen)
      connection.request('game.list').then((answer) => setGames(answer.games), () => setGames([]));
  }, [isOpen, current]);
  return (
    <details class="earlier" open={isOpen} onToggle={(event) => setOpen(event.target.open)}>
      <summary>{T.earlier}</summary>
      {isOpen && !games && <p class="quiet">{T.loading}</p>}
      {games && games.length === 0 && <p class="quiet">{T.noEarlier}</p>}
      <ul>
        {(games || []).map((game) => (
          <li key={game.game}>
            <a href={`#/${page}/${game.game}`} aria-current={game.game === current ? 'page' : null}>
              <span>{game.width} × {game.height}, {T.movesOf(game.moves)}</span>
              <span>{game.result ? resultText(game.result) : T.unfinished}</span>
              <time>{when.format(new Date(1000 * game.changed))}</time>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
