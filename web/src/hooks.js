// Hooks that pages share.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { recall, remember } from './storage.js';

// A state that this browser remembers.
export function useRemembered(key, first) {
  const [value, setValue] = useState(() => recall(key, first));
  return [value, (next) => {
    remember(key, next);
    setValue(next);
  }];
}

const isTyping = (target) => target.tagName === 'TEXTAREA' || target.isContentEditable ||
  (target.tagName === 'INPUT' && !/^(radio|checkbox|range|file|button)$/.test(target.type));

// Whether the key belongs to a choice that has the focus: a list, or one of several buttons. In a
// list, a letter chooses what begins with it.
function isChoosing({ target, key, ctrlKey, metaKey }) {
  if (!/^(SELECT|INPUT)$/.test(target.tagName) || target.type === 'file') return false;
  return /^(Arrow.*|Page.*|Home|End|Enter| )$/.test(key) ||
    (target.tagName === 'SELECT' && key.length === 1 && !ctrlKey && !metaKey);
}

// A list that was opened with the mouse or a finger gives up the focus after the choice, so that
// the keys are those of the page again.
export function releaseLists() {
  let pointed = null;
  addEventListener('pointerdown', ({ target }) => { pointed = target.closest('select'); }, true);
  addEventListener('keydown', () => { pointed = null; }, true);
  addEventListener('change', ({ target }) => target === pointed && target.blur());
}

// The name of a key, such as "Shift+ArrowLeft". The name of a letter is what is typed: "N" is Shift
// and n.
export function keyName(event) {
  const special = event.key.length > 1 || event.key === ' ';
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') +
    (special && event.shiftKey ? 'Shift+' : '') + event.key;
}

// The function of a key returns this if the browser should handle the key.
export const UNUSED = Symbol('unused');

// The maps from keys to functions. Each part of the page that is shown has a map here.
const keyMaps = new Set();

// The function of a key, or undefined.
export const actionOf = (name) =>
  [...keyMaps].map(({ current }) => current[name]).find((action) => action);

// Calls the function of a key. Does nothing if the focus is on something that needs the key itself.
export function useKeys(keys) {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    keyMaps.add(current);
    const press = (event) => {
      const name = keyName(event);
      const action = current.current[name];
      const presses = name === ' ' || name === 'Enter';
      const onButton = presses && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName);
      if (!action || event.defaultPrevented || event.altKey || onButton) return;
      if (isTyping(event.target) || isChoosing(event)) return;
      if (document.querySelector('dialog[open]')) return;
      if (action() !== UNUSED) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => {
      keyMaps.delete(current);
      removeEventListener('keydown', press);
    };
  }, []);
}

// Calls the listener with messages of a topic. It listens before the browser can deliver the next
// message: useEffect() would begin later, and then a message that comes meanwhile is lost.
export function useTopic(connection, topic, listener) {
  const current = useRef(listener);
  current.current = listener;
  useLayoutEffect(() => connection.on(topic, (message) => current.current(message)),
    [connection, topic]);
}
