// Games as SGF (FF[4]): from the bytes of a file to a tree, and from a tree to text.

import * as sgf from '@sabaki/sgf';
import GameTree from '@sabaki/immutable-gametree';
import { T } from './texts.js';

const NODES_MAX = 100000;
const RULE_NAMES = { japanese: 'japanese', jp: 'japanese', chinese: 'chinese', cn: 'chinese',
  korean: 'korean', aga: 'aga', nz: 'new-zealand', 'new zealand': 'new-zealand',
  'new-zealand': 'new-zealand', goe: 'aga', ing: 'aga', 'tromp-taylor': 'tromp-taylor' };

function decodedAs(bytes, label) {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// The text of a file. Tries the encoding that CA names, then UTF-8, then encodings of old files.
export function decodeSgf(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 4000));
  const [, named] = /CA\s*\[\s*([\w-]+)/.exec(start) || [];
  for (const label of [named, 'utf-8', 'gb18030', 'shift_jis', 'euc-kr', 'big5'])
    if (label) {
      const text = decodedAs(bytes, label);
      if (text !== null) return text;
    }
  return new TextDecoder('latin1').decode(bytes);
}

const first = (node, key) => (node.data[key] || [''])[0];

function sizeOf(root) {
  const [width, height] = (first(root, 'SZ') || '19').split(':').map(Number);
  return [width, height || width];
}

// Rules in KataGo's form, such as "koSIMPLEscoreAREAtaxNONEsui0", go to the engine as they are.
const rulesOf = (name) => (/^ko[A-Z]+score[A-Z]+/.test(name) ? name
  : RULE_NAMES[name.toLowerCase()] || 'japanese');

// What the root says about the game.
export function factsOf(root) {
  const [width, height] = sizeOf(root);
  const komi = Math.round(2 * parseFloat(first(root, 'KM'))) / 2;
  return {
    width, height,
    komi: Math.abs(komi) <= 150 ? komi : undefined,
    rules: rulesOf(first(root, 'RU')),
    handicap: Number(first(root, 'HA')) || 0,
    black: first(root, 'PB') || T.side.B,
    white: first(root, 'PW') || T.side.W,
    result: first(root, 'RE'),
    title: first(root, 'GN') || first(root, 'EV'),
    date: first(root, 'DT'),
  };
}

// The tree of the first game in the text. Throws an error whose message is a sentence.
export function parseSgf(text) {
  let roots;
  try {
    roots = sgf.parse(text.slice(Math.max(0, text.indexOf('('))));
  } catch {
    throw new Error(T.badSgf);
  }
  const root = roots[0];
  if (!root || (!root.children.length && !Object.keys(root.data).length)) throw new Error(T.badSgf);
  if (!['', '1'].includes(first(root, 'GM').trim())) throw new Error(T.noGo);
  const [width, height] = sizeOf(root);
  const fits = (size) => Number.isInteger(size) && size >= 2 && size <= 25;
  if (!fits(width) || !fits(height)) throw new Error(T.badSize(first(root, 'SZ')));
  let next = highestId(root) + 1;
  return new GameTree({ getId: () => next++, root });
}

// The largest id in a tree. There is no recursion, because a line of a tree may be very long.
function highestId(root) {
  let highest = 0;
  const open = [root];
  while (open.length) {
    const node = open.pop();
    highest = Math.max(highest, node.id);
    if (open.length > NODES_MAX) throw new Error(T.badSgf);
    open.push(...node.children);
  }
  return highest;
}

const escaped = (text) => String(text).replace(/[\\\]]/g, '\\$&');

function nodeText(data) {
  const words = Object.entries(data).filter(([key]) => key === key.toUpperCase())
    .map(([key, values]) => key + values.map((value) => `[${escaped(value)}]`).join(''));
  return `;${words.join('')}\n`;
}

// The text of a tree. extra(node) gives further properties of a node, or null.
export function stringifySgf(root, extra = () => null) {
  const parts = ['('];
  const open = [root];
  while (open.length) {
    const node = open.pop();
    if (typeof node === 'string') {
      parts.push(node);
      continue;
    }
    parts.push(nodeText({ ...node.data, ...extra(node) }));
    const { children } = node;
    if (children.length === 1) open.push(children[0]);
    else for (let i = children.length - 1; i >= 0; i--) open.push(')\n', children[i], '(');
  }
  return `${parts.join('')})\n`;
}

export const vertexText = (x, y) => sgf.stringifyVertex([x, y]);
export const verticesOf = (values) => (values || []).flatMap(sgf.parseCompressedVertices);
