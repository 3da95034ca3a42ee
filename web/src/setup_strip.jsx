// The strip above the board: the settings of a new game, or those of the present one.

import { useState } from 'preact/hooks';
import { handicapMax } from './coordinates.js';
import { NetChoice } from './net_choice.jsx';
import { T } from './texts.js';

const SIZES = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
const KOMIS = [-7.5, -5.5, -3.5, -0.5, 0, 0.5, 3.5, 5.5, 6, 6.5, 7, 7.5, 9.5];
const STRENGTHS = [1, 16, 50, 100, 400, 1600];
const WEAKER = [0, 0.25, 0.5, 0.75];
const RULES = ['japanese', 'chinese', 'korean', 'aga', 'new-zealand', 'tromp-taylor'];

// net: the id of a net; null: the net that fits the board; level: see levelOf()
export const FIRST_SETTINGS = { size: 9, handicap: 0, komi: null, rules: 'japanese', color: 'B',
  visits: 100, level: null, net: null };

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

// What the server allows: { visits } of a search, and the { strength } of weaker play.
export function limitsOf({ server }) {
  const { visits = Infinity, strength = 1 } = (server && server.limits) || {};
  return { visits, strength };
}

// The chosen level, in the form that the server wants. If levels were measured, this is a text with
// the number of a level. If no levels were measured, it is a number, the strength. Null: full
// strength, with a number of visits.
export function levelOf(chosen, levels, limits) {
  if (chosen === null || chosen === undefined) return null;
  const allowed = ({ strength }) => strength <= limits.strength;
  if (typeof chosen === 'number')
    return !levels.length && allowed({ strength: chosen }) ? chosen : null;
  return levels.some((one) => String(one.number) === chosen && allowed(one)) ? chosen : null;
}

const rankText = ({ number, rank, low, high }) =>
  (rank ? T.levelRank(number, rank, low, high) : T.level(number));

// The choice of how strong the engine is. The user chooses a number of visits for full strength, or
// a weaker engine: one of the measured levels, or, if there are none, one of four strengths.
// value: { visits, level }; onChange gets the fields of it that change
export function Strength({ value, levels, limits, onChange }) {
  const level = levelOf(value.level, levels, limits);
  const wanted = Math.min(value.visits, limits.visits);
  const chosen = level === null ? `v${wanted}` : `l${level}`;
  const weaker = levels.length
    ? levels.filter(({ strength }) => strength <= limits.strength)
      .map((one) => [`l${one.number}`, rankText(one)])
    : WEAKER.filter((strength) => strength <= limits.strength)
      .map((strength) => [`l${strength}`, T.weaker[strength]]);
  const few = STRENGTHS.filter((count) => count <= limits.visits);
  const visits = few.includes(wanted) ? few : [...few, wanted];
  if (!weaker.some(([key]) => key === chosen) && level !== null)
    weaker.push([chosen, T.strengthOf(level)]);
  const change = (text) => {
    if (text[0] === 'v') onChange({ visits: Number(text.slice(1)), level: null });
    else onChange({ level: levels.length ? text.slice(1) : Number(text.slice(1)) });
  };
  return (
    <label class="choice">
      <span>{T.strength}</span>
      <select value={chosen} onChange={(event) => change(event.target.value)}>
        {weaker.length > 0 && (
          <optgroup label={levels.length ? T.levels : T.weakerPlay}>
            {weaker.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
          </optgroup>
        )}
        <optgroup label={T.fullStrength}>
          {visits.map((count) => (
            <option key={count} value={`v${count}`}>{strengthText(count)}</option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

// On phones, the settings that are rarely changed are shown only after a press on "More".
// usualKomi: null if it is not known yet
export function SetupStrip({ settings, usualKomi, nets, levels, limits, onChange }) {
  const [open, setOpen] = useState(false);
  const set = (key, value) => setAll({ [key]: value });
  const setAll = (values) => {
    const next = { ...settings, ...values };
    next.handicap = Math.min(next.handicap, handicapMax(next.size, next.size));
    onChange(next);
  };
  const stones = [0];
  for (let i = 2; i <= handicapMax(settings.size, settings.size); i++) stones.push(i);
  return (
    <div class={open ? 'strip setup open' : 'strip setup'}>
      <Choice label={T.size} value={settings.size}
        options={SIZES.map((size) => [size, T.sizes(size)])}
        onChange={(text) => set('size', Number(text))} />
      <Choice label={T.color} value={settings.color} options={Object.entries(T.side)}
        onChange={(text) => set('color', text)} />
      <Strength value={settings} levels={levels} limits={limits} onChange={setAll} />
      <button class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? T.fewerSettings : T.moreSettings}
      </button>
      <Choice label={T.handicap} value={settings.handicap}
        options={stones.map((count) => [count, T.handicaps(count)])}
        onChange={(text) => set('handicap', Number(text))} />
      <Choice label={T.komi} value={settings.komi}
        options={[[null, T.komiUsual(usualKomi)], ...KOMIS.map((komi) => [komi, String(komi)])]}
        onChange={(text) => set('komi', text === 'null' ? null : Number(text))} />
      <Choice label={T.rules} value={settings.rules}
        options={RULES.map((rules) => [rules, T.ruleNames[rules]])}
        onChange={(text) => set('rules', text)} />
      <NetChoice nets={nets} value={settings.net || null} width={settings.size}
        height={settings.size} onChange={(net) => set('net', net)} />
    </div>
  );
}

// The level of a game, as levelOf() wants it.
function levelIn({ level }, levels) {
  if (!level) return null;
  const near = levels.find(({ strength }) => Math.abs(strength - level.strength) < 1e-6);
  return near ? String(near.number) : levels.length ? null : level.strength;
}

export function GameStrip({ state, levels, limits, onStrength, onNew }) {
  const facts = [T.sizes(state.width), T.ruleNames[state.rules] || state.rules,
    `${T.komi} ${state.komi}`];
  if (state.width !== state.height) facts[0] = `${state.width} × ${state.height}`;
  if (state.handicap) facts.push(`${T.handicap} ${state.handicap}`);
  return (
    <div class="strip">
      <p class="facts">{facts.join(' · ')}</p>
      <Strength value={{ visits: state.visits, level: levelIn(state, levels) }} levels={levels}
        limits={limits} onChange={onStrength} />
      <button onClick={onNew}>{T.newGame}</button>
    </div>
  );
}
