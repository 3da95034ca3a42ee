// The self-play games of a run. The values that the page shows are those that the run noted when it
// played the games.

import { useEffect, useState } from 'preact/hooks';
import { resultText } from './game_panel.jsx';
import { T } from './texts.js';

const SHOWN_FIRST = 50;

function GameList({ connection, id, file }) {
  const [games, setGames] = useState(null);
  const [most, setMost] = useState(SHOWN_FIRST);
  useEffect(() => {
    setGames(null);
    setMost(SHOWN_FIRST);
    connection.request('run.games', { run: id, folder: file.folder, file: file.file }).then(
      (answer) => setGames(answer.games), () => setGames([]));
  }, [id, file]);
  if (!games) return <p class="quiet">{T.loading}</p>;
  return (
    <>
      <ul class="games">
        {games.slice(0, most).map((game) => (
          <li key={game.index}>
            <a href={`#/review/run/${id}/${file.folder}/${file.file}/${game.index}`}>
              <span>{T.sizes(game.width, game.height)}, {T.movesOf(game.moves)}</span>
              <span>{resultText(game.result)}</span>
            </a>
          </li>
        ))}
      </ul>
      {games.length > most && (
        <button onClick={() => setMost(most + SHOWN_FIRST)}>{T.more}</button>
      )}
    </>
  );
}

export function RunGames({ connection, id, version }) {
  const [files, setFiles] = useState(null);
  const [chosen, setChosen] = useState(null); // "FOLDER/FILE"; null: the newest
  useEffect(() => {
    connection.request('run.files', { run: id }).then(
      (answer) => setFiles(answer.files), () => setFiles([]));
  }, [id, version]);
  const nameOf = ({ folder, file }) => `${folder}/${file}`;
  const file = files && (files.find((one) => nameOf(one) === chosen) || files[0]);
  const key = file ? nameOf(file) : '';
  const [shown, setShown] = useState(null);
  // While the name of the file stays the same, `shown` stays the same object.
  useEffect(() => setShown(file || null), [key]);
  return (
    <section class="card">
      <h2>{T.games}</h2>
      {!files && <p class="quiet">{T.loading}</p>}
      {files && !files.length && <p class="quiet">{T.noRunGames}</p>}
      {file && (
        <label class="choice">
          <span>{T.gameFile}</span>
          <select value={key} onChange={(event) => setChosen(event.target.value)}>
            {files.map((one) => (
              <option key={nameOf(one)} value={nameOf(one)}>
                {T.gamesOfNet(Number(one.folder), one.file)}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown && <GameList connection={connection} id={id} file={shown} />}
    </section>
  );
}
