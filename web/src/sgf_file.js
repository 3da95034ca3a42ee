// Games as SGF (FF[4]): from the bytes of a file to a tree, and from a tree to text.

import * as sgf from '@sabaki/sgf';
import GameTree from '@sabaki/immutable-gametree';
import { T } from './texts.js';

const NODES_MAX = 100000;
const RULES_FIRST = 'japanese'; // if the file names none, or some that are unknown

// The server's names of rules, by names in small letters without anything between the words.
const RULE_NAMES = { japanese: 'japanese', japan: 'japanese', jp: 'japanese', 日本: 'japanese',
  chinese: 'chinese', china: 'chinese', cn: 'chinese', 中国: 'chinese', 中國: 'chinese',
  chineseogs: 'chinese-ogs', chinesekgs: 'chinese-kgs',
  korean: 'korean', korea: 'korean', kr: 'korean', 韩国: 'korean', 韓國: 'korean',
  aga: 'aga', bga: 'bga', french: 'french', ffg: 'french', agabutton: 'aga-button',
  nz: 'new-zealand', newzealand: 'new-zealand', goe: 'goe', ing: 'ing', sst: 'ing',
  tromptaylor: 'tromp-taylor', tt: 'tromp-taylor', ancientarea: 'ancient-area',
  ancientterritory: 'ancient-territory', stonescoring: 'stone-scoring' };

function decodedAs(bytes, label) {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// The text of a file. Text of other encodings is hardly ever valid UTF-8, so UTF-8 comes first:
// some programs write UTF-8 and keep the CA of the file that they have read. If all bytes are
// ASCII, CA comes first, because an encoding such as ISO-2022-JP has only such bytes. Encodings of
// old files come last.
export function decodeSgf(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 4000));
  const [, named] = /CA\s*\[\s*([\w-]+)/.exec(start) || [];
  const firstTried = bytes.some((byte) => byte >= 0x80) ? ['utf-8', named] : [named, 'utf-8'];
  for (const label of [...firstTried, 'gb18030', 'shift_jis', 'euc-kr', 'big5'])
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

// The server's name of rules that a file names; null: they are unknown. What follows a comma says
// other things, as in "Chinese, Pair Go". Rules in KataGo's form, such as
// "koSIMPLEscoreAREAtaxNONEsui0", go to the engine as they are.
function rulesOf(text) {
  if (/^ko[A-Z]+score[A-Z]+/.test(text)) return text;
  const words = text.split(',')[0].toLowerCase().replace(/规则|規則|ルール|\b(the|rules?(et)?)\b/g, '');
  return RULE_NAMES[words.replace(/[^\p{L}]/gu, '')] || null;
}

// What the root says about the game.
export function factsOf(root) {
  const [width, height] = sizeOf(root);
  const komi = Math.round(2 * parseFloat(first(root, 'KM'))) / 2;
  const rules = rulesOf(first(root, 'RU'));
  return {
    width, height,
    komi: Math.abs(komi) <= 150 ? komi : undefined,
    rules: rules || RULES_FIRST,
    unknownRules: rules ? '' : first(root, 'RU').trim(), // what the file calls its rules
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

// The text of a tree, for a file in UTF-8. extra(node) gives further properties of a node, or null.
export function stringifySgf(root, extra = () => null) {
  const parts = ['('];
  const open = [root];
  while (open.length) {
    const node = open.pop();
    if (typeof node === 'string') {
      parts.push(node);
      continue;
    }
    const charset = node === root ? { CA: ['UTF-8'] } : null;
    parts.push(nodeText({ ...node.data, ...charset, ...extra(node) }));
    const { children } = node;
    if (children.length === 1) open.push(children[0]);
    else for (let i = children.length - 1; i >= 0; i--) open.push(')\n', children[i], '(');
  }
  return `${parts.join('')})\n`;
}

export const vertexText = (x, y) => sgf.stringifyVertex([x, y]);
export const verticesOf = (values) => (values || []).flatMap(sgf.parseCompressedVertices);
