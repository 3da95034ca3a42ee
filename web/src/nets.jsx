// The page #/nets: the nets of the server, and what they are.

import { useEffect, useState } from 'preact/hooks';
import { FIRST_SETTINGS } from './setup_strip.jsx';
import { recall, remember } from './storage.js';
import { T } from './texts.js';
import { useNets } from './use_nets.js';

const read = new Map(); // by the id of the net: its facts, or { problem }

// Asks for the facts of all nets. Asks for one net at a time, so that other requests do not wait.
function useFacts(connection, nets) {
  const [, redraw] = useState(0);
  useEffect(() => {
    let ended = false;
    const next = () => {
      const net = nets.find(({ id }) => !read.has(id));
      if (!net || ended) return;
      connection.request('net.facts', { net: net.id }).then(
        (answer) => read.set(net.id, answer.facts),
        (error) => read.set(net.id, { problem: error.message }),
      ).then(() => {
        redraw((count) => count + 1);
        next();
      });
    };
    next();
    return () => { ended = true; };
  }, [nets]);
  return read;
}

// Goes to the page of play. The next game there is against this net.
export function playNet(id, board) {
  const size = board && board[0] === board[1] ? { size: board[0], handicap: 0 } : {};
  remember('settings', { ...recall('settings', FIRST_SETTINGS), ...size, net: id, level: null });
  location.hash = '#/play';
}

export function reviewWith(id) {
  remember('review.net', id);
  location.hash = '#/review';
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

function Facts({ net, facts }) {
  if (!facts) return <p class="quiet">{T.loading}</p>;
  if (facts.problem) return <p class="problem">{facts.problem}</p>;
  const rows = [];
  if (net.boards || net.board)
    rows.push([T.netBoards, net.boards || T.sizes(net.board[0], net.board[1])]);
  if (facts.blocks) rows.push([T.netTrunk, T.netBlocks(facts.blocks, facts.channels)]);
  if (facts.parameters) rows.push([T.netParameters, compact.format(facts.parameters)]);
  if (facts.samples) rows.push([T.netSamples, compact.format(facts.samples)]);
  if (facts.made) rows.push([T.netMade, facts.made]);
  if (facts.bytes) rows.push([T.netFile, T.megabytes(facts.bytes / 1e6)]);
  for (const { width, height, count, weakest, strongest } of facts.levels)
    rows.push([T.netLevels(width, height), T.netLevelRange(count, weakest, strongest)]);
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}

export function Nets({ connection }) {
  const nets = useNets(connection);
  const facts = useFacts(connection, nets);
  return (
    <div class="sheet">
      <h1>{T.nets}</h1>
      <p class="quiet">{T.netsHelp}</p>
      <ul class="cards">
        {nets.map((net, i) => (
          <li key={net.id} class="card">
            <h2>{net.name}</h2>
            {i === 0 && nets.length > 1 && <p class="quiet">{T.netFirst}</p>}
            <Facts net={net} facts={facts.get(net.id)} />
            <div class="buttons">
              <button class="primary" onClick={() => playNet(net.id, net.board)}>
                {T.netPlay}
              </button>
              <button onClick={() => reviewWith(net.id)}>{T.netReview}</button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
