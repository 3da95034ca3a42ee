// The diagrams of a printed review. There is one for each key move: the position before the move, a
// cross at the move, and the better variation as numbered stones. The diagrams are drawn only while
// the browser prints.

import { options } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { lineOf, points } from './analysis.js';
import { Diagram } from './board.jsx';
import { pointOf } from './coordinates.js';
import { stonesOf } from './position.js';
import { T, moveName } from './texts.js';

const LINE_MAX = 10; // moves of the better variation that are drawn

// Whether the browser prints. When it is about to print, the page must be drawn at once.
function usePrinting() {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const change = ({ type }) => {
      const usual = options.debounceRendering;
      options.debounceRendering = (draw) => draw();
      setPrinting(type === 'beforeprint');
      options.debounceRendering = usual;
    };
    addEventListener('beforeprint', change);
    addEventListener('afterprint', change);
    return () => {
      removeEventListener('beforeprint', change);
      removeEventListener('afterprint', change);
    };
  }, []);
  return printing;
}

function KeyMoveDiagram({ review, move }) {
  const { game, known } = review;
  const { width, height } = game.facts;
  const before = game.tree.get(move.id).parentId;
  const { board, move: last } = game.position(before);
  const evaluation = known(before);
  const best = move.best && move.best !== move.name ? evaluation.moves[0] : null;
  const line = best ? lineOf(best, move.color, width, height, LINE_MAX) : [];
  const point = pointOf(move.name, width, height);
  const name = moveName(move.name);
  return (
    <figure class="diagram">
      <Diagram width={width} height={height} stones={stonesOf(board)} line={line}
        lastMove={last ? pointOf(last[1], width, height) : -1}
        marks={point < 0 || line.some((one) => one.point === point) ? []
          : [{ point, kind: 'cross' }]} />
      <figcaption>
        <b>{T.diagramMove(move.number, move.color, name)}</b>
        {move.loss !== null && <span>{T.lostPoints(name, points(move.loss))}</span>}
        {best && <span>{T.diagramBetter(moveName(best.move))}</span>}
      </figcaption>
    </figure>
  );
}

export function Diagrams({ review }) {
  const printing = usePrinting();
  if (!printing || !review.keyMoves.length) return null;
  const moves = [...review.keyMoves].sort((a, b) => a.index - b.index);
  return (
    <section class="diagrams">
      {moves.map((move) => <KeyMoveDiagram key={move.id} review={review} move={move} />)}
    </section>
  );
}
