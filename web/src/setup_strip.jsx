// The strip above the board: the settings of a new game, or those of the present one.

import { handicapMost } from './coordinates.js';
import { NetChoice } from './net_choice.jsx';
import { T } from './texts.js';

const SIZES = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
const KOMIS = [-7.5, -5.5, -3.5, -0.5, 0, 0.5, 3.5, 5.5, 6, 6.5, 7, 7.5, 9.5];
const STRENGTHS = [1, 16, 50, 100, 400, 1600];
const RULES = ['japanese', 'chinese', 'korean', 'aga', 'new-zealand', 'tromp-taylor'];

// net: the id of a net; null: the one that fits the board
export const FIRST_SETTINGS = { size: 9, handicap: 0, komi: null, rules: 'japanese', color: 'B',
  visits: 100, net: null };

function Choice({ label, value, options, onChange }) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={String(value)} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={String(option)}>{text}</option>
        ))}
      </select>
    </label>
  );
}

const strengthText = (visits) => T.strengths[visits] || T.visitsOf(visits);

export function Strength({ value, onChange }) {
  return <Choice label={T.strength} value={value} onChange={(text) => onChange(Number(text))}
    options={STRENGTHS.map((visits) => [visits, strengthText(visits)])} />;
}

export function SetupStrip({ settings, nets, onChange }) {
  const set = (key, value) => {
    const next = { ...settings, [key]: value };
    next.handicap = Math.min(next.handicap, handicapMost(next.size, next.size));
    onChange(next);
  };
  const stones = [0];
  for (let i = 2; i <= handicapMost(settings.size, settings.size); i++) stones.push(i);
  return (
    <div class="strip setup">
      <Choice label={T.size} value={settings.size}
        options={SIZES.map((size) => [size, T.sizes(size)])}
        onChange={(text) => set('size', Number(text))} />
      <Choice label={T.color} value={settings.color} options={Object.entries(T.side)}
        onChange={(text) => set('color', text)} />
      <NetChoice nets={nets} value={settings.net || null} width={settings.size}
        height={settings.size} onChange={(net) => set('net', net)} />
      <Strength value={settings.visits} onChange={(visits) => set('visits', visits)} />
      <Choice label={T.handicap} value={settings.handicap}
        options={stones.map((count) => [count, T.handicaps(count)])}
        onChange={(text) => set('handicap', Number(text))} />
      <Choice label={T.komi} value={settings.komi}
        options={[[null, T.komiUsual], ...KOMIS.map((komi) => [komi, String(komi)])]}
        onChange={(text) => set('komi', text === 'null' ? null : Number(text))} />
      <Choice label={T.rules} value={settings.rules}
        options={RULES.map((rules) => [rules, T.ruleNames[rules]])}
        onChange={(text) => set('rules', text)} />
    </div>
  );
}

export function GameStrip({ state, onVisits, onNew }) {
  const facts = [T.sizes(state.width), T.ruleNames[state.rules] || state.rules,
    `${T.komi} ${state.komi}`];
  if (state.width !== state.height) facts[0] = `${state.width} × ${state.height}`;
  if (state.handicap) facts.push(`${T.handicap} ${state.handicap}`);
  return (
    <div class="strip">
      <p class="facts">{facts.join(' · ')}</p>
      <Strength value={state.visits} onChange={onVisits} />
      <button onClick={onNew}>{T.newGame}</button>
    </div>
  );
}
