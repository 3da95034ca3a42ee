// The graph of a game. It has Black's win rate as an area, the lead as a line with its own axis,
// and below these a bar for each move, which shows what the move lost. A click or a drag goes to a
// move.

import { useRef } from 'preact/hooks';
import { leadText, percent, qualityOf, scaleOf } from './analysis.js';
import { T } from './texts.js';

const W = 1000;
const H = 150;
const BARS = 34;
const SCALES = [5, 10, 20, 40, 80, 160, 400];

// The runs of consecutive moves that have an evaluation.
function runsOf(losses) {
  const runs = [];
  for (const move of losses) {
    if (!move.evaluation) continue;
    const run = runs[runs.length - 1];
    if (run && run[run.length - 1].index === move.index - 1) run.push(move);
    else runs.push([move]);
  }
  return runs;
}

function Curves({ losses, x, scale }) {
  const win = ({ evaluation }) => H * (1 - evaluation.win);
  const lead = ({ evaluation }) =>
    H / 2 - (H / 2) * Math.max(-1, Math.min(1, evaluation.lead / scale));
  return runsOf(losses).map((run) => {
    const from = x(run[0].index);
    const to = x(run[run.length - 1].index);
    const area = run.map((move) => `L${x(move.index)} ${win(move)}`).join('');
    const line = run.map((move, i) => `${i ? 'L' : 'M'}${x(move.index)} ${lead(move)}`).join('');
    return (
      <g key={run[0].index}>
        <path class="graph-win" d={`M${from} ${H}${area}L${to} ${H}Z`} />
        <path class="graph-lead" d={line} />
      </g>
    );
  });
}

function Bars({ losses, x, facts, count }) {
  const scale = scaleOf(facts.width, facts.height);
  const width = Math.max(2, Math.min(14, (0.7 * W) / count));
  return losses.filter(({ loss }) => loss !== null && loss >= 0.2 * scale).map((move) => {
    const height = BARS * Math.min(1, Math.sqrt(move.loss / (12 * scale)));
    return <rect key={move.id} class={`bar q${qualityOf(move.loss, scale)}`}
      x={x(move.index) - width / 2} y={H + 4} width={width} height={height} />;
  });
}

// sweeping: whether the game is being analysed
export function Graph({ losses, keyMoves, at, facts, sweeping, onGoTo }) {
  const box = useRef();
  const last = losses.length - 1;
  const x = (index) => (last ? (index / last) * W : 0);
  const leads = losses.filter((move) => move.evaluation).map((move) =>
    Math.abs(move.evaluation.lead));
  const most = Math.max(0, ...leads);
  const scale = SCALES.find((size) => size >= most) || SCALES[SCALES.length - 1];
  const goTo = (event) => {
    const { left, width } = box.current.getBoundingClientRect();
    onGoTo(Math.max(0, Math.min(last, Math.round(((event.clientX - left) / width) * last))));
  };
  const now = losses[at];
  const value = now && now.evaluation
    ? T.graphValue(now.number, percent(now.evaluation.win), leadText(now.evaluation.lead))
    : T.moveOf(now ? now.number : 0, last);
  return (
    <figure class="graph">
      <div class="graph-box" ref={box} role="slider" tabindex="0" aria-label={T.graph}
        aria-valuemin="0" aria-valuemax={last} aria-valuenow={at} aria-valuetext={value}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goTo(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && goTo(event)}>
        <svg viewBox={`0 0 ${W} ${H + BARS + 8}`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="graph-ground" width={W} height={H} />
          <Curves losses={losses} x={x} scale={scale} />
          <path class="graph-half" d={`M0 ${H / 2}H${W}`} />
          <path class="graph-now-edge" d={`M${x(at)} 0V${H}`} />
          <path class="graph-now" d={`M${x(at)} 0V${H + BARS + 8}`} />
          <Bars losses={losses} x={x} facts={facts} count={last + 1} />
        </svg>
        {keyMoves.map((move) => (
          <span key={move.id} class="graph-key" aria-hidden="true"
            style={{ left: `${x(move.index) / 10}%` }}>▲</span>
        ))}
        {!sweeping && leads.length < 2 && last > 0 && <p class="graph-empty">{T.graphEmpty}</p>}
        <span class="graph-label top">100 %</span>
        <span class="graph-label bottom">0 %</span>
        <span class="graph-label top right">B+{scale}</span>
        <span class="graph-label bottom right">W+{scale}</span>
      </div>
      <figcaption>
        <span class="sample win" aria-hidden="true" />{T.blackWins}
        <span class="sample lead" aria-hidden="true" />{T.leadAxis}
        <span class="sample loss" aria-hidden="true" />{T.loss}
      </figcaption>
    </figure>
  );
}
