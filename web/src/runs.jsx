// The page #/runs: the runs of the server; and #/runs/ID: how one of them learns.

import { useEffect, useState } from 'preact/hooks';
import { useTopic } from './hooks.js';
import { playNet, reviewWith } from './nets.jsx';
import { RunCharts } from './run_charts.jsx';
import { RunGames } from './run_games.jsx';
import { RunLearned } from './run_learned.jsx';
import { T } from './texts.js';
import { useRun } from './use_run.js';

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const INTERVAL = 1.96; // standard errors: an interval of 95 %

function Live({ live, changed }) {
  if (live) return <span class="badge live">{T.live}</span>;
  return <span class="quiet">{T.changed(when.format(new Date(1000 * changed)))}</span>;
}

function RunList({ connection }) {
  const [runs, setRuns] = useState(null);
  const read = () => connection.request('run.list').then(
    (answer) => setRuns(answer.runs), () => setRuns((old) => old || []));
  const watch = (what) => connection.request('run.watch', what).catch(() => {});
  const begin = () => {
    watch({ list: true });
    read();
  };
  const changed = () => document.hidden || read();
  useEffect(() => {
    begin();
    document.addEventListener('visibilitychange', changed);
    return () => {
      document.removeEventListener('visibilitychange', changed);
      watch({ run: null });
    };
  }, []);
  useTopic(connection, 'open', begin);
  useTopic(connection, 'runs', changed);
  return (
    <div class="sheet">
      <h1>{T.runs}</h1>
      {!runs && <p class="quiet">{T.loading}</p>}
      {runs && !runs.length && <p>{T.noRuns}</p>}
      <ul class="cards">
        {(runs || []).map((run) => (
          <li key={run.id} class="card">
            <h2><a href={`#/runs/${run.id}`}>{run.name}</a></h2>
            <p class="run-state"><span>{T.netsOf(run.nets)}</span> <Live {...run} /></p>
            <p class="quiet path">{run.folder}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

// The facts of a run, one in each line.
function RunState({ state }) {
  const rows = [
    [T.runBoards, state.boards], [T.runArch, state.arch],
    [T.runTime, state.seconds && T.duration(state.seconds)],
    [T.runGames, state.games && compact.format(state.games)],
    [T.runEvaluations, state.evaluations && compact.format(state.evaluations)],
    [T.runSpeed, state.seconds && T.perSecond(compact.format(state.evaluations / state.seconds))],
    [T.runCompute, state.multiply_adds && compact.format(state.multiply_adds)],
    [T.runAnchor, state.anchor], [T.runOutliers, state.outliers], [T.runSetbacks, state.setbacks],
    [T.runRefused, state.refused],
  ];
  return (
    <dl class="pairs">
      {rows.filter(([, value]) => value).map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}

// When the next net will be ready. This is estimated from the mean time between the last nets.
function NextNet({ state }) {
  const { nets = [], net_seconds: each, seconds, live } = state;
  if (!live || !each || !nets.length) return null;
  const since = seconds - nets[nets.length - 1].seconds;
  return (
    <p class="next-net">
      <progress max="1" value={Math.min(1, Math.max(0, since / each))} aria-hidden="true" />
      {T.nextNet(T.duration(Math.max(0, each - since)))}
    </p>
  );
}

const gainText = (elo, deviation) => (elo === undefined || deviation === undefined ? ''
  : `${elo >= 0 ? '+' : '−'}${Math.abs(Math.round(elo))} ± ${Math.round(INTERVAL * deviation)}`);

function NetTable({ id, state, readOnly }) {
  const [all, setAll] = useState(false);
  const nets = (state.nets || []).slice().reverse();
  const shown = all ? nets : nets.filter((net, i) => i === 0 || net.elo !== undefined).slice(0, 12);
  if (!nets.length) return <p class="quiet">{T.noNets}</p>;
  return (
    <section class="card">
      <h2>{T.nets}</h2>
      <div class="scrolls">
        <table class="candidates">
          <thead>
            <tr><th scope="col">{T.net}</th><th scope="col" class="extra">{T.runTime}</th>
              <th scope="col" class="extra">{T.netSamples}</th><th scope="col">{T.elo}</th>
              <th scope="col" class="extra">{T.gain}</th>
              {state.anchor && <th scope="col" class="extra">{T.overAnchor}</th>}
              {!readOnly && <th />}</tr>
          </thead>
          <tbody>
            {shown.map((net) => (
              <tr key={net.number}>
                <td>{net.number}{net.number === state.best ? ' ★' : ''}</td>
                <td class="extra">{T.duration(net.seconds)}</td>
                <td class="extra">{compact.format(net.samples)}</td>
                <td>{gainText(net.elo, net.deviation)}</td>
                <td class="extra">
                  {net.gain_deviation ? gainText(net.gain, net.gain_deviation) : ''}
                </td>
                {state.anchor && (
                  <td class="extra">{gainText(net.over_anchor, net.anchor_deviation)}</td>
                )}
                {!readOnly && (
                  <td class="row-buttons">
                    <button onClick={() => playNet(`${id}.${net.number}`, state.board)}>
                      {T.playIt}
                    </button>
                    <button onClick={() => reviewWith(`${id}.${net.number}`)}>{T.review}</button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {nets.length > shown.length && <button onClick={() => setAll(true)}>{T.allNets}</button>}
      <p class="quiet">{T.netTableHelp}</p>
    </section>
  );
}

function Matches({ state }) {
  const matches = state.matches || [];
  if (!matches.length) return null;
  return (
    <details class="card">
      <summary>{T.matches}</summary>
      <div class="scrolls">
        <table class="candidates">
          <thead>
            <tr><th scope="col">{T.net}</th><th scope="col">{T.opponent}</th>
              <th scope="col">{T.wins}</th><th scope="col">{T.draws}</th>
              <th scope="col">{T.losses}</th></tr>
          </thead>
          <tbody>
            {matches.slice().reverse().map(([first, second, wins, draws, losses]) => (
              <tr key={`${first} ${second}`}>
                <td>{first}</td>
                <td>{second === null ? state.anchor : second === 0 ? T.randomPlay : second}</td>
                <td>{wins}</td><td>{draws}</td><td>{losses}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Run({ connection, id }) {
  const { state, version, problem } = useRun(connection, id);
  const readOnly = connection.isReadOnly(); // known before `state` comes
  return (
    <div class="sheet">
      <p><a class="back" href="#/runs">{T.allRuns}</a></p>
      {problem && <p class="problem" role="alert">{problem}</p>}
      {!state && !problem && <p class="quiet">{T.loading}</p>}
      {state && (
        <>
          <div class="run-state"><h1>{state.name}</h1><Live {...state} /></div>
          <NextNet state={state} />
          <RunCharts connection={connection} id={id} state={state} version={version} />
          <NetTable id={id} state={state} readOnly={readOnly} />
          <Matches state={state} />
          <div class="columns">
            <div>
              <section class="card"><h2>{T.runState}</h2><RunState state={state} /></section>
              <RunGames connection={connection} id={id} version={version} />
            </div>
            {!readOnly && <RunLearned connection={connection} id={id} state={state} />}
          </div>
          {state.log && (
            <details class="card"><summary>{T.log}</summary>
              <pre class="log" tabindex="0" role="region" aria-label={T.log}>{state.log}</pre>
            </details>
          )}
        </>
      )}
    </div>
  );
}

export function Runs({ connection, words }) {
  const [id] = words;
  return id ? <Run key={id} connection={connection} id={id} />
    : <RunList connection={connection} />;
}
