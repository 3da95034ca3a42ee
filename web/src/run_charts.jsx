// The charts of a run: the strength of its nets with intervals, and the curves of training.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Chart } from './chart.jsx';
import { useRemembered } from './hooks.js';
import { T } from './texts.js';

const INTERVAL = 1.96; // standard errors: an interval of 95 %

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });
// distances between labels of times, in seconds
const TIME_STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 36000,
  72000, 172800, 432000, 864000];
const samplesText = (value) => compact.format(value);
const yText = (value) => (Math.abs(value) >= 10000 ? compact : plain).format(value);

// A curve of a metric in training, and the curves of the same metric on games that are kept for
// validation.
const withValidation = (name) => [[name, T.curveTraining],
  [`validation.${name}`, T.curveValidation],
  [`validation_averaged.${name}`, T.curveAveraged]];

// The groups of curves that the page shows, each as [title, [metric, name]...].
function groupsOf(metrics) {
  const has = (name) => metrics.includes(name);
  const groups = [
    ['loss', T.curve.loss, withValidation('loss')],
    ['policy', T.curve.policy, withValidation('loss.policy_over_entropy')],
    ['value', T.curve.value, withValidation('loss.value')],
    ['ownership', T.curve.ownership, withValidation('loss.ownership')],
    ['accuracy', T.curve.accuracy, [['accuracy.policy', T.curvePolicy],
      ['accuracy.policy_top_4', T.curvePolicyTop], ['accuracy.value', T.curveValue]]],
    ['entropy', T.curve.entropy, [['policy.entropy', T.curveEntropy],
      ['policy.uniform', T.curveUniform]]],
    ['speed', T.curve.speed, [['speed', T.curve.speed]]],
    ['gradient', T.curve.gradient, [['gradient', T.curve.gradient]]],
  ];
  for (const prefix of ['score.', 'elo.'])
    for (const name of metrics.filter((metric) => metric.startsWith(prefix)))
      groups.push([name, T.curveAgainst(prefix, name.slice(prefix.length)), [[name, name]]]);
  return groups.map(([key, title, curves]) => [key, title, curves.filter(([name]) => has(name))])
    .filter(([, , curves]) => curves.length);
}

function eloSeries(nets, axis) {
  const rated = nets.filter((net) => net.elo !== undefined);
  return [{ name: T.elo, x: rated.map((net) => net[axis]), value: rated.map((net) => net.elo),
    low: rated.map((net) => net.elo - INTERVAL * net.deviation),
    high: rated.map((net) => net.elo + INTERVAL * net.deviation) }];
}

function useCurves(connection, id, names, version) {
  const [curves, setCurves] = useState({});
  const wanted = names.join('|');
  useEffect(() => {
    let ended = false;
    connection.request('run.curves', { run: id, names: wanted.split('|') }).then(
      (answer) => !ended && setCurves(answer.curves), () => {});
    return () => { ended = true; };
  }, [id, wanted, version]);
  return curves;
}

function Curves({ connection, id, group, axis, version, xText, xSteps }) {
  const [, title, curves] = group;
  const read = useCurves(connection, id, curves.map(([name]) => name), version);
  const series = useMemo(() => curves.filter(([name]) => read[name]).map(([name, text]) => (
    { ...read[name], name: text, x: read[name][axis] })), [read, axis]);
  return series.length
    ? <Chart title={title} series={series} xText={xText} yText={yText} xSteps={xSteps} /> : null;
}

export function RunCharts({ connection, id, state, version }) {
  const [axis, setAxis] = useRemembered('run.axis', 'seconds');
  const [chosen, setChosen] = useRemembered('run.curve', 'loss');
  const groups = groupsOf(state.metrics || []);
  const group = groups.find(([key]) => key === chosen) || groups[0];
  const nets = state.nets || [];
  const elo = useMemo(() => eloSeries(nets, axis), [state, axis]);
  const xText = axis === 'seconds' ? T.duration : samplesText;
  const xSteps = axis === 'seconds' ? TIME_STEPS : undefined;
  return (
    <section class="charts">
      <div class="strip">
        <label class="choice">
          <span>{T.axis}</span>
          <select value={axis} onChange={(event) => setAxis(event.target.value)}>
            {Object.entries(T.axes).map(([key, text]) => (
              <option key={key} value={key}>{text}</option>
            ))}
          </select>
        </label>
        {groups.length > 0 && (
          <label class="choice">
            <span>{T.curveShown}</span>
            <select value={group[0]} onChange={(event) => setChosen(event.target.value)}>
              {groups.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
            </select>
          </label>
        )}
      </div>
      <div class="pair">
        {elo[0].x.length > 0
          ? <Chart title={T.eloOver(state.first_rated)} series={elo} xText={xText} yText={yText}
              xSteps={xSteps} />
          : <p class="quiet">{T.noElo}</p>}
        {group && <Curves key={group[0]} connection={connection} id={id} group={group} axis={axis}
          version={version} xText={xText} xSteps={xSteps} />}
      </div>
    </section>
  );
}
