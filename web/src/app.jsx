// The frame of the page: which part is shown, the state of the connection, colors, keys.

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import './app.css';
import { Announcer } from './announcer.jsx';
import { Connection } from './connection.js';
import { Help } from './help.jsx';
import { releaseLists, useKeys, useRemembered, useTopic } from './hooks.js';
import { Nets } from './nets.jsx';
import { Palette } from './palette.jsx';
import { Play } from './play.jsx';
import { Review } from './review.jsx';
import { T } from './texts.js';

// A page that is loaded when it is first shown.
const later = (load) => function Later(props) {
  const [Page, setPage] = useState(null);
  useEffect(() => { load().then((loaded) => setPage(() => loaded)); }, []);
  return Page ? <Page {...props} /> : <div class="sheet"><p class="quiet">{T.loading}</p></div>;
};

const PAGES = { play: Play, review: Review, nets: Nets,
  runs: later(() => import('./runs.jsx').then(({ Runs }) => Runs)) };

// What a server that was started with --read-only shows: runs, and the games of runs.
const READ_ONLY = ['runs'];
const isShown = (readOnly, { name, words }) =>
  !readOnly || READ_ONLY.includes(name) || (name === 'review' && words[0] === 'run');

// "#/play/abc" is the page "play" with the words ["abc"].
function useRoute() {
  const read = () => {
    const [name, ...words] = location.hash.replace(/^#\/?/, '').split('/');
    return PAGES[name] ? { name, words } : { name: 'play', words: [] };
  };
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const change = () => setRoute(read());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return route;
}

const WITH_BOARD = new Set(['play', 'review']);

const THEMES = ['auto', 'light', 'dark'];
const THEME_SIGNS = { auto: '◐', light: '○', dark: '●' };

function ThemeButton() {
  const [theme, setTheme] = useRemembered('theme', 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return (
    <button class="icon" title={T.theme[theme]} aria-label={T.theme[theme]}
      onClick={() => setTheme(next)}>{THEME_SIGNS[theme]}</button>
  );
}

function ConnectionState({ connection }) {
  const [state, setState] = useState(connection.state);
  useTopic(connection, 'state', () =>
    setState(`${connection.state}${connection.server ? '!' : ''}`));
  const text = connection.state === 'open' ? T.connected
    : connection.state === 'lost' ? T.lost : T.connecting;
  return (
    <span class={`connection ${connection.state}`} data-state={state} title={text} role="status">
      <span class="dot" aria-hidden="true" />
      <span class={connection.state === 'open' ? 'net' : 'net warn'}>
        {text}
      </span>
    </span>
  );
}

function App({ connection }) {
  const route = useRoute();
  const { name, words } = route;
  const [readOnly, setReadOnly] = useState(false);
  useTopic(connection, 'state', () => setReadOnly(connection.isReadOnly()));
  useEffect(() => {
    if (!isShown(readOnly, route)) location.replace('#/runs');
  }, [readOnly, route]);
  const [helping, setHelping] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [alone, setAlone] = useState(false); // the board without anything beside it
  const withBoard = WITH_BOARD.has(name);
  useKeys({ '?': () => setHelping(true), 'Ctrl+k': () => setChoosing(true),
    ...(withBoard ? { Z: () => setAlone(!alone) } : {}),
    ...(withBoard && alone ? { Escape: () => setAlone(false) } : {}) });
  useEffect(() => {
    if (alone && withBoard) document.documentElement.dataset.alone = 'true';
    else delete document.documentElement.dataset.alone;
  }, [alone, withBoard]);
  const Page = PAGES[name];
  useEffect(() => {
    document.documentElement.dataset.page = name;
    document.title = `${T[name]} · ${T.name}`;
  }, [name]);
  return (
    <>
      <header>
        <a class="skip" href="#board" onClick={(event) => {
          event.preventDefault();
          document.querySelector('.board [tabindex="0"], .sheet button').focus();
        }}>{withBoard ? T.skip : T.skipHead}</a>
        <span class="brand">aji</span>
        <nav>
          {(readOnly ? READ_ONLY : Object.keys(PAGES)).map((page) => (
            <a key={page} href={`#/${page}`} aria-current={page === name ? 'page' : null}>
              {T[page]}
            </a>
          ))}
        </nav>
        <ConnectionState connection={connection} />
        <ThemeButton />
        <button class="icon" aria-label={T.help} title={T.help} onClick={() => setHelping(true)}>
          ?
        </button>
      </header>
      <main class={name}>
        <Page key={name} connection={connection} id={words[words.length - 1]} words={words} />
      </main>
      <Announcer />
      {choosing && <Palette onClose={() => setChoosing(false)} />}
      {helping && <Help onClose={() => setHelping(false)}
        onCommands={() => setChoosing(true)} />}
    </>
  );
}

releaseLists();
render(<App connection={new Connection()} />, document.getElementById('app'));
