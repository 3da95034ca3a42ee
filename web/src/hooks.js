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

const isTyping = (target) =>
  /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;

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
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
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
