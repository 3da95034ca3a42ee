// A game under review: a tree of nodes, each with a position. A position is computed when it is
// first needed, and then kept.

import { pointName, pointOf } from './coordinates.js';
import { emptyBoard, koAfter, played, vertexOf } from './position.js';
import { other, signOf } from './analysis.js';
import { factsOf, vertexText, verticesOf } from './sgf_file.js';

const MARKS = { TR: 'triangle', SQ: 'square', CR: 'circle', MA: 'cross' };

// The move of a node, [color, name], or null.
export function moveOf(node, width, height) {
  for (const color of ['B', 'W']) {
    if (!node.data[color]) continue;
    const [[x, y]] = verticesOf([node.data[color][0] || '--']);
    const isPass = x < 0 || y < 0 || x >= width || y >= height;
    return [color, isPass ? 'pass' : pointName(y * width + x, width, height)];
  }
  return null;
}

export class ReviewGame {
  constructor(tree, positions = new Map()) {
    this.tree = tree;
    this.facts = factsOf(tree.root);
    this.positions = positions;
  }

  // The position at a node: { board, player, move, number, base, before }. `base` is the position
  // with which a query begins. It is the last position before or at this node that places stones or
  // sets the player, or the root if no position does so.
  position(id) {
    const open = [];
    for (let node = this.tree.get(id); node && !this.positions.has(node.id);
      node = this.tree.get(node.parentId)) open.push(node);
    for (const node of open.reverse())
      this.positions.set(node.id, this.derive(node, this.positions.get(node.parentId)));
    return this.positions.get(id);
  }

  derive(node, before) {
    const { width, height } = this.facts;
    const move = moveOf(node, width, height);
    const setup = ['AB', 'AW', 'AE'].some((key) => node.data[key]);
    const start = before ? before.board : emptyBoard(width, height);
    const [declared] = node.data.PL || [];
    const position = { before, move, number: (before ? before.number : 0) + (move ? 1 : 0) };
    position.board = move ? played(start, move[0], move[1]) : start;
    position.player = move ? other(move[0]) : before ? before.player : 'B';
    if (setup) {
      position.board = this.placed(position.board, node.data);
      if (!before && node.data.AB && !node.data.AW) position.player = 'W';
    }
    if (declared) position.player = /^w/i.test(declared) ? 'W' : 'B';
    const continues = before && !setup && !declared;
    position.base = continues ? before.base : position;
    return position;
  }

  placed(board, data) {
    const next = board.clone();
    for (const [key, sign] of [['AB', 1], ['AW', -1], ['AE', 0]])
      for (const vertex of verticesOf(data[key])) if (next.has(vertex)) next.set(vertex, sign);
    return next;
  }

  // The moves from its base to this position, as a game for queryOf().
  query(position) {
    const { width, height, rules, komi } = this.facts;
    const moves = [];
    for (let at = position; at !== position.base; at = at.before) if (at.move) moves.push(at.move);
    const stones = position.base.board.signMap.flatMap((row, y) =>
      row.map((sign, x) => [sign, y * width + x]))
      .filter(([sign]) => sign).map(([sign, point]) => [sign > 0 ? 'B' : 'W', point]);
    return { width, height, rules, komi, stones, player: position.base.player,
      moves: moves.reverse() };
  }

  // The ids of the nodes of a line: from the root, and at each node the chosen child.
  line(chosen) {
    return [...this.tree.listCurrentNodes(chosen)].map((node) => node.id);
  }

  // Divides the line into groups, so that one query can analyse a group. A group is
  // { ids, turns, query }, where turns[i] is the number of moves from the base of the group to
  // ids[i].
  groups(line) {
    const groups = [];
    for (const id of line) {
      const position = this.position(id);
      let group = groups[groups.length - 1];
      if (!group || group.base !== position.base)
        groups.push(group = { base: position.base, ids: [], turns: [] });
      group.ids.push(id);
      group.turns.push(position.number - position.base.number);
      group.last = position;
    }
    return groups.map(({ ids, turns, last }) => ({ ids, turns, query: this.query(last) }));
  }

  // Plays a move at a node. Returns { game, id }, where `id` is the node after the move. If the
  // tree does not have this node, it is added. Returns { problem } if the move is illegal.
  withMove(id, name) {
    const { width, height } = this.facts;
    const node = this.tree.get(id);
    const { player, board, move: last } = this.position(id);
    const there = node.children.find((child) => {
      const move = moveOf(child, width, height);
      return move && move[0] === player && move[1] === name;
    });
    if (there) return { game: this, id: there.id };
    const point = pointOf(name, width, height);
    const vertex = vertexOf(point, width);
    if (point >= 0) {
      const { overwrite, suicide } = board.analyzeMove(signOf(player), vertex);
      const ko = last && koAfter(board, last) === point;
      if (overwrite || ko || suicide)
        return { problem: overwrite ? 'occupied' : ko ? 'ko' : 'suicide' };
    }
    let created;
    const tree = this.tree.mutate((draft) => {
      created = draft.appendNode(id, { [player]: [point < 0 ? '' : vertexText(...vertex)] });
    });
    return { game: new ReviewGame(tree, this.positions), id: created };
  }

  // SGF calls a node with the property HO a hotspot. On this page it is a key move that the user
  // has marked.
  isHotspot(id) {
    return Boolean(this.tree.get(id).data.HO);
  }

  withHotspot(id, on) {
    const tree = this.tree.mutate((draft) =>
      (on ? draft.updateProperty(id, 'HO', ['1']) : draft.removeProperty(id, 'HO')));
    return new ReviewGame(tree, this.positions);
  }

  without(id) {
    return new ReviewGame(this.tree.mutate((draft) => draft.removeNode(id)), this.positions);
  }

  // The marks and labels of a node.
  marks(id) {
    const { width, height } = this.facts;
    const { data } = this.tree.get(id);
    const marks = [];
    const put = ([x, y], kind, text) => {
      if (x >= 0 && y >= 0 && x < width && y < height)
        marks.push({ point: y * width + x, kind, text });
    };
    for (const [key, kind] of Object.entries(MARKS))
      for (const vertex of verticesOf(data[key])) put(vertex, kind);
    for (const label of data.LB || []) {
      const [place, ...text] = label.split(':');
      for (const vertex of verticesOf([place])) put(vertex, 'label', text.join(':').slice(0, 3));
    }
    return marks;
  }
}
